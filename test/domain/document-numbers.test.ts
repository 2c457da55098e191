import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { changeNumbered, readNumbered } from '../../shared/orders/numbering/change.ts'
import { counters } from '../../shared/orders/numbering/numbers.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { refusal } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { newPayer } from '../support/payer.ts'

// Time passes only in pauses, such as those of orders that wait for their number.
const clock = useFakeClock(Date.UTC(2026, 6, 1, 12))

const newShop = async () => {
  const { shop, billing_id } = await newPayer('Kellerei Zählwerk')
  const merchant = shop.id
  const data = v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 1 }) })
  const orders = async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf)
  return {
    shop,
    merchant,
    place: () => placeOrder({ merchant, user: { id: 1, name: 'test' } }, { data, idempotencyKey: null }),
    edit: (numbers: object) => changeNumbered(merchant, { numbers }),
    numbers: async () => {
      const all = await orders()
      return {
        orders: all.map(({ header }) => header.number),
        invoices: all.flatMap(({ documents }) => documents.invoices.map(({ number }) => number)),
      }
    },
    check: () => violations(merchant, { [`wine#${shop.wine.secco}`]: 1000 }),
  }
}

const upTo = (count: number, before = '') => Array.from({ length: count }, (_, n) => `${before}${n + 1}`).toSorted()

test('a new merchant has a format for each kind of document, and the desk reads and changes them', async () => {
  const { shop } = await newShop()
  const numbers = {
    order: { number_format: '{n}', next_number: 1 },
    invoice: { number_format: 'R-{n}', next_number: 1 },
    credit_advice: { number_format: 'K-{n}', next_number: 1 },
    delivery_note: { number_format: 'L-{n}', next_number: 1 },
  }
  expect((await shop.call('customers/getMy')).json.data.numbers).toEqual(numbers)
  const invoice = { number_format: 'RE-{year}-{n:4}', next_number: 31 }
  const { json } = await shop.call('customers/edit', { data: { company: 'Zählwerk GmbH', numbers: { invoice } } })
  expect(json.data).toMatchObject({ company: 'Zählwerk GmbH', numbers: { ...numbers, invoice } })
  const taken = { company: 'Anders', numbers: { order: { number_format: 'L-{n:3}' } } }
  expect(refusal(await shop.call('customers/edit', { data: taken }))).toEqual([409, 'number_taken'])
  const wrong = { payment_types: ['cash'], default_payment_type: 'debit', numbers: { order: { next_number: 9 } } }
  expect(refusal(await shop.call('customers/edit', { data: wrong }))).toEqual([400, 'validation_failed'])
  expect((await shop.call('customers/getMy')).json.data).toEqual(json.data)
})

test('a change that is repeated because its answer was lost is none, also after documents', async () => {
  const { edit, place, numbers } = await newShop()
  const change = { invoice: { number_format: 'RE-{n}', next_number: 121 }, order: { next_number: 7 } }
  await edit(change)
  await place()
  expect((await edit(change)).numbers).toMatchObject({ invoice: { next_number: 122 }, order: { next_number: 8 } })
  await place()
  expect(await numbers()).toEqual({ orders: ['7', '8'], invoices: ['RE-121', 'RE-122'] })
})

test('a merchant from before formats keeps its ids as numbers', async () => {
  const { merchant, place, check, numbers } = await newShop()
  for (const counter of counters) await updateItem(key('numbers', { merchant, counter }), { remove: ['series'] })
  await Promise.all([place(), place(), place()])
  expect(await numbers()).toEqual({ orders: ['1', '2', '3'], invoices: expect.arrayContaining(['1', '2', '3']) })
  expect(await getItem(key('numbers', { merchant, counter: 'invoices' }))).toEqual({ last: 3 })
  expect((await readNumbered(merchant)).numbers.credit_advice).toEqual({ number_format: '{n}', next_number: 1 })
  expect(await check()).toEqual([])
})

test('at the turn of the year each year counts from 1 without gaps, in whatever order requests come', async () => {
  const { merchant, place, edit, numbers, check } = await newShop()
  clock.now = Date.UTC(2026, 11, 31, 12)
  await edit({ order: { number_format: '{year}-{n}' }, invoice: { number_format: 'R-{year}{month}-{n}' } })
  // 60 ms before midnight in Berlin.
  clock.now = Date.UTC(2026, 11, 31, 22, 59, 59, 940)
  await Promise.all(Array.from({ length: 64 }, place))
  const found = await numbers()
  const old = found.orders.filter(number => number.startsWith('2026-')).length
  expect([old > 0, old < 64]).toEqual([true, true])
  expect(found.orders.toSorted()).toEqual([...upTo(old, '2026-'), ...upTo(64 - old, '2027-')])
  expect(found.invoices.toSorted()).toEqual([...upTo(old, 'R-202612-'), ...upTo(64 - old, 'R-202701-')])
  expect((await readNumbered(merchant)).numbers.order.next_number).toBe(65 - old)
  clock.now = Date.UTC(2027, 1, 1, 12)
  expect((await readNumbered(merchant)).numbers).toMatchObject({
    order: { next_number: 65 - old },
    invoice: { next_number: 1 },
  })
  expect(await check()).toEqual([])
})

test('formats that change while orders are placed leave no gap, and give no number twice', async () => {
  const { place, edit, numbers, check } = await newShop()
  const changes = ['A-{n}', 'B-{n}', 'C-{n}'].map(number_format =>
    edit({ order: { number_format }, invoice: { number_format: `R${number_format}`, next_number: 1 } }),
  )
  await Promise.all([...Array.from({ length: 32 }, place), ...changes, ...Array.from({ length: 32 }, place)])
  const { orders, invoices } = await numbers()
  expect([new Set(orders).size, new Set(invoices).size]).toEqual([64, 64])
  expect(await check()).toEqual([])
})

test('a document and an order are found by their whole numbers, also by those of an earlier format', async () => {
  const { shop, edit, place } = await newShop()
  clock.now = Date.UTC(2026, 6, 1, 12)
  const first = (await place()).data
  await edit({ order: { number_format: 'B{year}-{n:3}' }, invoice: { number_format: '{year}R{n}' } })
  const second = (await place()).data
  expect([first.number, second.number, second.documents?.invoices[0]?.number]).toEqual(['1', 'B2026-001', '2026R1'])
  const found = async (query: string) =>
    (await shop.call('orders/getAll', { query })).json.data.map(({ id }: { id: number }) => id)
  expect(await found('1')).toEqual([first.id])
  expect(await found('B2026-001')).toEqual([second.id])
  expect(await found('B2026-002')).toEqual([])
  expect(await found('2')).toEqual([])
  // S3 refuses requests of another time.
  clock.now = performance.timeOrigin + performance.now()
  const document = (number: unknown) =>
    shop.call('orders/getDocument', { uuid: second.uuid, document: 'invoice', format: 'pdf', number, incomplete: 1 })
  for (const number of ['2026R1', second.documents?.invoices[0]?.id]) {
    const { json } = await document(number)
    expect(new URL(json.data.url).search).toContain('Rechnung-2026R1.pdf')
  }
  expect(refusal(await document('R-1'))).toEqual([404, 'document_not_found'])
})
