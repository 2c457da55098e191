import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'
import { Draft, decodeDraft, encodeDraft, versionOf } from '../../shared/orders/placing/queued-draft.ts'
import { pack } from '../../shared/orders/record.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { captureLog } from '../support/captured-log.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { counted } from '../support/partitions.ts'
import { guest, newQueueShop, productsOf } from '../support/queue-shop.ts'
import { tableCalls } from '../support/table-calls.ts'

// The queued orders that a leader places in one transaction, and those that it rejects.

const clock = useFakeClock(Date.UTC(2026, 4, 1, 12))
const { lines } = captureLog()

const table = tableCalls()
/** The number of orders in each transaction. */
const groups = () =>
  table.calls.flatMap(({ name, text }) =>
    name.startsWith('TransactWrite') ? [text.match(/#order-uuids/g)?.length ?? 0] : [],
  )

const notesOf = async ({ orders }: Awaited<ReturnType<typeof newQueueShop>>) =>
  (await orders()).map(({ header }) => header.note)

test('orders are placed in the order in which they were queued, fifteen at a time', async () => {
  const shop = await newQueueShop()
  await shop.lay(...counted(17).map(n => ({ note: `${n}` })))
  table.calls = []
  await shop.lead()
  expect(await notesOf(shop)).toEqual(counted(17).map(String))
  expect([groups(), await shop.waiting()]).toEqual([[15, 2], []])
})

test('an order has the prices of its request, and the stock and time of its placing', async () => {
  const shop = await newQueueShop()
  await shop.setStock(1, 10)
  await shop.lay({ items: productsOf({ 1: 2, 2: 1 }) }, { items: productsOf({ 1: 1 }) })
  await shop.setProduct(1, '20.00', '3.80', '23.80')
  await shop.setStock(1, 5)
  // It is counted only since.
  await shop.setStock(2, 4)
  clock.now += 2000
  await shop.lead()
  const [first, second] = await shop.orders()
  expect([first?.header.gross, second?.header.gross]).toEqual(['35.70', '11.90'])
  expect([first?.header.crstamp, first?.history[0]?.at]).toEqual(['2026-05-01 12:00:02', '2026-05-01 12:00:02'])
  expect(first?.counted).toEqual([
    { type: 'product', id: 1, quantity: 2 },
    { type: 'product', id: 2, quantity: 1 },
  ])
  expect([await shop.stockOf(1), await shop.stockOf(2)]).toEqual([2, 3])
  const shown = (await shop.sold(2)).positions.map(({ item }) => item.quantity)
  expect(shown).toEqual([2])
})

test('orders for which the stock suffices after those before are placed; the others are rejected', async () => {
  const shop = await newQueueShop()
  await shop.setStock(1, 5)
  await shop.setStock(2, 2)
  const wanted: Record<number, number>[] = [{ 1: 2 }, { 1: 4 }, { 1: 3, 2: 1 }, { 2: 2 }, { 2: 1 }, { 3: 9 }]
  await shop.lay(...wanted.map((one, n) => ({ note: `${n}`, items: productsOf(one) })))
  await shop.lead()
  expect(await notesOf(shop)).toEqual(['0', '2', '4', '5'])
  expect(await shop.rejections()).toEqual(['sold out', 'sold out'])
  expect([await shop.stockOf(1), await shop.stockOf(2)]).toEqual([0, 0])
})

test('if all are sold out, all are rejected and nothing is written', async () => {
  const shop = await newQueueShop()
  await shop.setStock(1, 1)
  await shop.lay({}, {})
  await shop.setStock(1, 0)
  table.calls = []
  await shop.lead()
  expect([await shop.rejections(), groups()]).toEqual([['sold out', 'sold out'], []])
})

test('a second order of a basket, of a key or of a new mail is rejected', async () => {
  const shop = await newQueueShop()
  const { uuid } = await addBasket(shop.merchant)
  const basket = await addItem(shop.merchant, uuid, { item_type: 'product', item_id: 1, quantity: 1 })
  const ofBasket = { items: undefined, basket_uuid: uuid }
  const drafts = [
    await shop.draft(ofBasket, null, basket),
    await shop.draft(ofBasket, null, basket),
    await shop.draft({}, 'key'),
    await shop.draft({}, 'key'),
    await shop.draft(guest('krug@example.org')),
    await shop.draft(guest('Krug@example.org')),
  ]
  for (const draft of drafts) await shop.layDraft(draft)
  await shop.lead()
  expect(await shop.orders()).toHaveLength(3)
  expect(await shop.rejections()).toEqual(Array(3).fill('meets another order'))
})

test('only the order whose basket, key or mail was used meanwhile is rejected', async () => {
  const shop = await newQueueShop()
  await shop.place({}, 'key')
  await shop.lay({ note: 'before' })
  // As it was drafted before the key was used.
  await shop.layDraft(await shop.draft({}, 'key'))
  await shop.lay({ note: 'behind' })
  await shop.lead()
  expect(await notesOf(shop)).toEqual([null, 'before', 'behind'])
  expect(await shop.rejections()).toEqual(['refused'])
})

test('drafts of a release with another schema are rejected, and unreadable drafts are logged as well', async () => {
  const shop = await newQueueShop()
  await shop.lay({ note: 'before' })
  await shop.layDraft(await shop.draft(), { version: 'another' })
  await shop.layDraft(await shop.draft(), { doc: Buffer.from('old') })
  await shop.layDraft(await shop.draft(), { doc: pack({ sold: { positions: [] } }) })
  await shop.lay({ note: 'behind' })
  await shop.lead()
  expect(await notesOf(shop)).toEqual(['before', 'behind'])
  expect((await shop.rejections()).toSorted()).toEqual(['another version', 'failed', 'failed'])
  const errors = lines().filter(({ level }) => level === 'ERROR')
  expect(errors).toMatchObject(
    [1, 2].map(() => ({ message: 'a queued order cannot be placed', merchant: shop.merchant })),
  )
})

describe('a draft', () => {
  test('is decoded as it was encoded', async () => {
    const { draft } = await newQueueShop()
    const one = await draft(guest('krug@example.org'))
    expect(decodeDraft(encodeDraft(one) ?? { doc: Buffer.of(), version: '' })).toEqual(JSON.parse(JSON.stringify(one)))
  })

  test('has a version that follows from all of its schema', () => {
    const { entries } = Draft
    expect(versionOf(Draft)).toBe(versionOf({ ...Draft, entries: { ...entries } } as never))
    for (const name of ['header', 'client', 'newParties'] as const) {
      const { [name]: _, ...others } = entries
      expect(versionOf({ ...Draft, entries: others } as never)).not.toBe(versionOf(Draft))
    }
    const nullable = { ...entries, requestHash: entries.idempotencyKey }
    expect(versionOf({ ...Draft, entries: nullable } as never)).not.toBe(versionOf(Draft))
  })

  test('of more than 60 000 bytes is not encoded', async () => {
    const { draft } = await newQueueShop()
    const one = await draft()
    const noise = counted(4000)
      .map(() => crypto.randomUUID())
      .join('')
    const of = (length: number) => encodeDraft({ ...one, header: { ...one.header, note: noise.slice(0, length) } })
    expect(of(60_000)?.doc.length).toBeGreaterThan(30_000)
    expect(of(72_000)?.doc.length ?? 60_001).toBeLessThanOrEqual(60_001)
    expect(of(140_000)).toBeUndefined()
  })
})

describe('one transaction contains at most', () => {
  test('orders of 3 500 000 bytes together', async () => {
    const shop = await newQueueShop()
    // Repetitive data is small in the queue.
    for (const _ of counted(13)) {
      const draft = await shop.draft()
      await shop.layDraft({ ...draft, header: { ...draft.header, note: 'x'.repeat(300_000) } })
    }
    table.calls = []
    await shop.lead()
    expect(groups()).toEqual([11, 2])
  })

  test('ninety-five actions of orders and stock', async () => {
    const shop = await newQueueShop()
    const ids = counted(80).map(n => 100 + n)
    await Promise.all(ids.flatMap(id => [shop.setProduct(id), shop.setStock(id, 10)]))
    const of = (from: number, to: number) => ({
      items: ids.slice(from, to).map(item_id => ({ item_type: 'product', item_id, quantity: 1 })),
    })
    // Five actions an order: the order, its sold records, uuid and event, and the deletion of its draft.
    await shop.setStock(1, 10)
    await shop.lay(of(0, 40), of(40, 80), {})
    table.calls = []
    await shop.lead()
    expect(groups()).toEqual([2, 1])
    await shop.lay(of(0, 40), of(0, 40), of(40, 80))
    table.calls = []
    await shop.lead()
    expect(groups()).toEqual([3])
  })
})

test('the sweep deletes a queued order a minute after its deadline, and none before', async () => {
  const shop = await newQueueShop()
  const draft = await shop.draft()
  for (const until of [clock.now - 60_001, clock.now - 60_000, clock.now + 1000]) await shop.layDraft(draft, { until })
  const { failures } = await dispatchSweeps(clock.now + 60_000)
  expect([failures, (await shop.waiting()).map(({ item }) => item.until - clock.now)]).toEqual([[], [-60_000, 1000]])
})

test('an order that was rejected is not committed by a leader that read it before', async () => {
  const shop = await newQueueShop()
  await shop.lay({}, {})
  const [first] = await shop.waiting()
  if (!first) throw new Error('the queue is empty')
  const place = key('queuedOrder', { merchant: shop.merchant, moment: 0, uuid: first.item.uuid })
  table.atWrite = async (_, act) => {
    await updateItem(place, { set: { rejected: 'sold out' }, remove: ['doc'] })
    return act()
  }
  await shop.lead()
  expect([(await shop.orders()).length, await shop.rejections()]).toEqual([1, ['sold out']])
})
