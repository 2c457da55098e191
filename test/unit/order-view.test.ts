import { completeClient } from '../../shared/contract/records/client.ts'
import type { OrderRelation } from '../../shared/contract/vocabulary.ts'
import type { OrderRecord, SoldItems } from '../../shared/orders/record.ts'
import { allRelations, orderView } from '../../shared/orders/view.ts'

const header = {
  id: 12,
  uuid: 'order',
  status: 'cancelled',
  crstamp: '2026-01-01 00:00:00',
  chstamp: '2026-01-02 00:00:00',
  cruser_id: 5,
  cruser_name: 'Kasse',
  customers_id: 3,
  client_id: 7,
}
// A credit advice from before parts were credited is over all of the invoice.
const shownHeader = { ...header, credited: 'whole' }
const order = {
  header,
  client: { id: 7, customers_id: 3 },
  billing: { id: 8 },
  delivery: { id: 9 },
  documents: {
    invoices: [{ id: 1 }, { id: 2 }],
    deliveryNotes: [{ id: 3 }],
    payments: [{ uuid: 'payment' }],
    creditAdvices: [{ id: 4 }],
  },
  rebates: [{ name: 'Rabatt' }],
} as unknown as OrderRecord

const line = (name: string) => ({ item_type: 'wine', item_id: 1, item: { id: 1 }, name, quantity: 2 })
const sold = { positions: [line('eins'), line('zwei')], package: line('Paket') } as unknown as SoldItems

const view = (relations: OrderRelation[], of = order, items: SoldItems | undefined = sold) =>
  orderView(of, new Set(relations), items) as Record<string, unknown>

const shared = {
  base_price: null,
  min_age: null,
  order_id: 12,
  invoice_id: 2,
  delivery_note_id: 3,
  credit_advice_id: 4,
  crstamp: '2026-01-01 00:00:00',
  chstamp: '2026-01-02 00:00:00',
  cruser_id: 5,
  customers_id: 3,
  client_id: 7,
}

test('without relations an order is only its header', () => {
  expect(view([])).toEqual(shownHeader)
})

test.each([
  ['client', { client: completeClient({ id: 7, customers_id: 3 }) }],
  ['billing', { billing: { id: 8 } }],
  ['delivery', { delivery: { id: 9 } }],
  ['user', { user: { id: 5, name: 'Kasse' } }],
] as const)('%s', (relation, shown) => {
  expect(view([relation])).toEqual({ ...shownHeader, ...shown })
})

test('the terms of a client are shown as text; an address has none', () => {
  const client = { id: 7, number: 'K7', payment_period: 14, customers_id: 3 }
  const named = { ...order, client, billing: client, delivery: { id: 9, payment_period: 14 } } as unknown as OrderRecord
  const shown = { ...completeClient(client), payment_period: '14' }
  expect(view(['client', 'billing', 'delivery'], named)).toEqual({
    ...shownHeader,
    client: shown,
    billing: shown,
    delivery: { id: 9, payment_period: 14 },
  })
  const bare = { ...order, client: null, delivery: null } as unknown as OrderRecord
  expect(view(['client', 'delivery'], bare)).toEqual({ ...shownHeader, client: null, delivery: null })
})

test('documents repeat the order’s status and change time where these are the order’s own', () => {
  const stamp = { status: 'cancelled', chstamp: '2026-01-02 00:00:00' }
  expect(view(['documents']).documents).toEqual({
    invoices: [
      { id: 1, ...stamp, seller: null },
      { id: 2, ...stamp, seller: null },
    ],
    deliveryNotes: [{ id: 3, carrier: null, tracking: null, ...stamp }],
    payments: [{ uuid: 'payment' }],
    creditAdvices: [{ id: 4 }],
  })
})

test('a seller from before its time zone was kept has none', () => {
  const sellers = [{ name: 'Krug' }, { name: 'Krug', timezone: 'UTC' }]
  const documents = { ...order.documents, invoices: sellers.map((seller, n) => ({ id: n + 1, seller })) }
  expect(view(['documents'], { ...order, documents } as unknown as OrderRecord).documents).toMatchObject({
    invoices: [{ seller: { name: 'Krug', timezone: null } }, { seller: { name: 'Krug', timezone: 'UTC' } }],
  })
})

test('lines are numbered from 1, the package last, and name the latest documents', () => {
  expect(view(['items'])).toEqual({
    ...shownHeader,
    positions: [
      { id: 1201, sorting: 1, ...line('eins'), ...shared },
      { id: 1202, sorting: 2, ...line('zwei'), ...shared },
    ],
    package: { id: 1203, sorting: 3, ...line('Paket'), ...shared },
    min_age: null,
    rebates: [{ name: 'Rabatt' }],
  })
})

test('without a package or documents none are named; documents without a number have none', () => {
  const bare = {
    ...order,
    documents: { invoices: [], deliveryNotes: [{}], payments: [], creditAdvices: [{ id: 'x' }] },
  } as unknown as OrderRecord
  const shown = view(['items'], bare, { ...sold, package: null })
  expect(shown.package).toBeNull()
  expect(shown.positions).toMatchObject([
    { invoice_id: null, delivery_note_id: null, credit_advice_id: null },
    { invoice_id: null, delivery_note_id: null, credit_advice_id: null },
  ])
})

test('items are left out if the sold records are missing', () => {
  expect(orderView(order, new Set(['items']))).toEqual(shownHeader)
})

test('an order that was just written is shown with everything except its user', () => {
  expect([...allRelations].sort()).toEqual(['billing', 'client', 'delivery', 'documents', 'items'])
})
