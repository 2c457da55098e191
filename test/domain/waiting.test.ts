import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/orders.ts'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'
import { type Draft, draftOf, prepare, readSource } from '../../shared/orders/placing/draft.ts'
import { layDown, ordersAlong, takeBack } from '../../shared/orders/placing/waiting.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { newProduct, setStock } from '../support/checkout.ts'
import { newPayer } from '../support/payer.ts'
import { stopTime } from '../support/still-time.ts'

// Which of the orders that wait are placed along, quickly; order-groups.test.ts has the rest.

const clock = stopTime(Date.UTC(2026, 4, 1, 12))
const { shop, billing_id } = await newPayer('Kellerei Schlange')
const merchant = shop.id
const placer = { merchant, user: { id: 1, name: 'test' } }

const draft = async (data: object = {}): Promise<Draft> => {
  const asked = { billing_id, payment_type: 'invoice', items: itemsOf(shop, { riesling: 1 }), ...data }
  const request = { idempotencyKey: null, data: v.parse(NewOrder, asked) }
  return draftOf(await readSource(placer, request, null), randomUUID())
}
const later = () => clock.now + 1000
const at = (ticket: number) => key('waitingOrder', { merchant, ticket })

/** The tickets that are placed along with an order that waits under a ticket; of those laid down nothing is left. */
const along = async (ticket: number, first: Draft, drafts: Readonly<Record<number, Draft>>) => {
  const tickets = Object.keys(drafts).map(Number)
  for (const one of tickets) expect(await layDown(drafts[one] as Draft, one, later())).toBe(true)
  const placed = await ordersAlong(first, prepare(first), ticket, new Set())
  for (const one of tickets) await deleteItem(at(one))
  return placed.map(one => one.ticket)
}

test('an order is laid down for an hour, and taken back once', async () => {
  await layDown(await draft(), 3, later())
  expect(await getItem(at(3))).toMatchObject({ until: later(), expires: clock.now / 1000 + 3600 })
  expect([await takeBack(merchant, 3), await takeBack(merchant, 3)]).toEqual([true, false])
})

test('the sweep deletes what a request laid down a minute after it gave up, and nothing that still waits', async () => {
  const one = await draft()
  await layDown(one, 4, clock.now - 60_001)
  await layDown(one, 5, clock.now - 60_000)
  await layDown(one, 6, later())
  const { failures } = await dispatchSweeps(clock.now + 60_000)
  const left = await Promise.all([4, 5, 6].map(ticket => takeBack(merchant, ticket)))
  expect([failures, left]).toEqual([[], [false, true, true]])
})

test('the fifteen behind an order are placed along, none before it and not itself', async () => {
  const one = await draft()
  expect(
    await along(20, one, Object.fromEntries([19, 20, 21, 35, 36].map(n => [n, { ...one, uuid: `${n}` }]))),
  ).toEqual([21, 35])
})

test('all that one transaction can hold are placed along, by their actions', async () => {
  const ids = await Promise.all(Array.from({ length: 81 }, async () => (await newProduct(shop)).id))
  await Promise.all(ids.map(id => setStock(shop, 'product', id, 10)))
  const of = (from: number, to: number) =>
    draft({ items: ids.slice(from, to).map(item_id => ({ item_type: 'product', item_id, quantity: 1 })) })
  const [first, second, third, tooMany] = await Promise.all([of(0, 2), of(2, 42), of(42, 77), of(42, 78)])
  expect(await along(1, first, { 2: second, 3: third })).toEqual([2, 3])
  expect(await along(1, first, { 2: second, 3: tooMany })).toEqual([2])
  // Of the same goods each is taken once.
  expect(await along(1, first, { 2: second, 3: { ...second, uuid: 'another' } })).toEqual([2, 3])
})

test('all that one transaction can hold are placed along, by their bytes', async () => {
  // What repeats itself is small while it waits.
  const one = await draft()
  const large = (n: number): Draft => {
    const data = { ...one.request.data, note: 'x'.repeat(1_000_000) }
    return { ...one, uuid: `large ${n}`, request: { ...one.request, data } }
  }
  const drafts = Object.fromEntries([2, 3, 4, 5].map(n => [n, large(n)]))
  expect(await along(1, one, drafts)).toEqual([2, 3, 4])
  expect(await along(1, large(1), drafts)).toEqual([2, 3])
})
