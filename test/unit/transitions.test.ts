import fc from 'fast-check'
import type { Header } from '../../shared/contract/records/order.ts'
import { type PaymentType, paymentTypes } from '../../shared/contract/vocabulary.ts'
import { applyEvent, newDocuments, noDocuments, withDocuments } from '../../shared/orders/documents.ts'
import type { Numbers } from '../../shared/orders/numbering/numbers.ts'
import type { OrderRecord } from '../../shared/orders/record.ts'
import { documentsOnEnter, events, moves, nextStep, type OrderEvent, statusOnAdd } from '../../shared/orders/states.ts'
import { amounts, merchant } from '../support/order-sample.ts'

const noNumbers = { orders: 0, invoices: 0, deliveryNotes: 0, creditAdvices: 0 }

const stamp = '2026-01-31 12:00:00'

const headerOf = (id: number, payment_type: PaymentType, collected: boolean): Header => ({
  ...amounts,
  id,
  uuid: `uuid of order ${id}`,
  number: String(id),
  billing_type: 'client',
  billing_id: 7,
  delivery_type: collected ? 'none' : 'client',
  delivery_id: collected ? null : 7,
  delivery_note_remark: 'hinten',
  payment_type,
  payment_period: 14,
  invoice_type: 'gross',
  tax_free: 0,
  status: statusOnAdd(payment_type),
  source: 'test',
  crstamp: stamp,
  chstamp: stamp,
  cruser_id: 1,
  customers_id: 3,
  client_id: 7,
  client_remark: null,
  invoice_remark: 'vorn',
  note: null,
  touched: 0,
  fixed: false,
  paid: false,
  cruser_name: 'test',
})

/** An order as it is placed, and the merchant's numbers after it. */
const placed = (
  payment: PaymentType,
  collected: boolean,
  numbers: Numbers,
): { order: OrderRecord; numbers: Numbers } => {
  const header = headerOf(numbers.orders + 1, payment, collected)
  const kinds = documentsOnEnter(undefined, header.status, { collected })
  const written = withDocuments({ header, documents: noDocuments() }, numbers, kinds, { now: stamp, merchant })
  const order = {
    header: { ...header, fixed: written.documents.invoices.length > 0 },
    client: null,
    billing: null,
    delivery: null,
    documents: written.documents,
    rebates: [],
    counted: [],
    basket: null,
    payment: null,
    history: [{ at: stamp, event: 'add', actor: 'test' }],
    parts: 1,
  }
  return { order, numbers: { ...written.numbers, orders: header.id } }
}

const received = (order: OrderRecord, event: OrderEvent) => ({
  ...broughtBy(order, event),
  ...(event.startsWith('credit') && { credit: { ...amounts, remark: null, isRest: event === 'credit_rest' } }),
})

const broughtBy = (order: OrderRecord, event: OrderEvent) =>
  event === 'payment_completed' || event === 'money_received'
    ? {
        payment: {
          uuid: `payment of ${order.header.id}`,
          payment_type: order.header.payment_type,
          amount: order.header.gross,
          currency: 'EUR',
          external_id: null,
          payer_id: null,
          crstamp: order.header.crstamp,
        },
      }
    : {}

type Shop = { orders: OrderRecord[]; numbers: Numbers }

const step = (shop: Shop, n: number, event: OrderEvent, second: number): Shop => {
  const before = shop.orders[n] as OrderRecord
  const now = `2026-02-01 00:00:${String(second % 60).padStart(2, '0')}`
  const frozen = JSON.stringify([before, shop.numbers])
  const effect = applyEvent(before, shop.numbers, event, { now, actor: 'test', merchant, ...received(before, event) })
  expect(JSON.stringify([before, shop.numbers])).toBe(frozen)
  const allowed = nextStep(before.header.status, event, { paid: before.header.paid })
  if (!('order' in effect)) {
    expect(effect).toEqual(allowed)
    return shop
  }
  const { order, numbers } = effect
  expect(moves[before.header.status][event]).toBe(order.header.status)
  expect(allowed).toEqual({ to: order.header.status, paid: order.header.paid })
  expect(order.history.slice(0, -1)).toEqual(before.history)
  const { status } = order.header
  const written = newDocuments(order.documents, before.documents)
  expect(order.history.at(-1)).toMatchObject({ at: now, event, actor: 'test', status, documents: written })
  expect(order.header.chstamp).toBe(now)
  // Everything else of the header is as it was placed.
  const kept = { status: '', paid: false, chstamp: '', fixed: false }
  expect({ ...order.header, ...kept }).toEqual({ ...before.header, ...kept })
  // Written documents stay.
  for (const kind of ['invoices', 'deliveryNotes', 'creditAdvices', 'payments'] as const) {
    expect(order.documents[kind].slice(0, before.documents[kind].length)).toEqual(before.documents[kind])
  }
  return { orders: shop.orders.with(n, order), numbers }
}

const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

const checkDocuments = ({ header, documents, history }: OrderRecord): void => {
  const { invoices, deliveryNotes, creditAdvices, payments } = documents
  const isInvoiced = ['need_package', 'in_delivery', 'closed'].includes(header.status)
  const isCancelled = header.status === 'cancelled'
  expect(invoices.length).toBe(isCancelled ? Math.min(1, creditAdvices.length) : Number(isInvoiced))
  expect(deliveryNotes).toHaveLength(header.delivery_type === 'none' ? 0 : invoices.length)
  const credits = history.filter(({ documents: written }) => written?.some(one => one.document === 'credit_advice'))
  expect(creditAdvices).toHaveLength(credits.length)
  const brought = history.filter(({ event }) => event === 'payment_completed' || event === 'money_received')
  expect(payments).toHaveLength(brought.length)
  expect(header.paid).toBe(brought.length === 1 && !isCancelled)
  expect(header.fixed).toBe(invoices.length === 1)
  for (const document of [...invoices, ...creditAdvices]) {
    expect(document).toMatchObject({ ...amounts, order_id: header.id, billing_id: 7, customers_id: 3, client_id: 7 })
  }
  for (const note of deliveryNotes) expect(note).toMatchObject({ invoice_id: invoices[0]?.id, remark: 'hinten' })
  for (const invoice of invoices) {
    expect(invoice).toMatchObject({ delivery_note_id: deliveryNotes[0]?.id ?? null, remark: 'vorn' })
  }
}

const checkNumbers = ({ orders, numbers }: Shop): void => {
  for (const kind of ['invoices', 'deliveryNotes', 'creditAdvices'] as const) {
    const given = orders.flatMap(({ documents }) => documents[kind].map(({ number }) => Number(number)))
    expect(ascending(given)).toEqual(upTo(numbers[kind]))
  }
  const uuids = orders.flatMap(({ documents: { invoices, deliveryNotes, creditAdvices } }) =>
    [...invoices, ...deliveryNotes, ...creditAdvices].map(({ uuid }) => uuid),
  )
  expect(new Set(uuids).size).toBe(uuids.length)
}

const once = events.filter(event => !event.startsWith('credit'))
const Orders = fc.array(fc.tuple(fc.constantFrom(...paymentTypes), fc.boolean()), { minLength: 1, maxLength: 4 })
const Steps = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...events)), { maxLength: 30 })

test('for any sequence of events, the table of transitions applies and every document is created once', () => {
  fc.assert(
    fc.property(Orders, Steps, (orders, steps) => {
      let shop = orders.reduce<Shop>(
        (before, [payment, collected]) => {
          const { order, numbers } = placed(payment, collected, before.numbers)
          return { orders: [...before.orders, order], numbers }
        },
        { orders: [], numbers: noNumbers },
      )
      for (const [second, [n, event]] of steps.entries()) {
        shop = step(shop, n % shop.orders.length, event, second)
        shop.orders.forEach(checkDocuments)
        checkNumbers(shop)
      }
    }),
  )
})

test('a repeated event changes nothing, but for credits', () => {
  fc.assert(
    fc.property(fc.constantFrom(...paymentTypes), fc.array(fc.constantFrom(...once)), (payment, steps) => {
      let { order, numbers } = placed(payment, false, noNumbers)
      for (const event of steps) {
        const effect = applyEvent(order, numbers, event, {
          now: stamp,
          actor: 'test',
          merchant,
          ...received(order, event),
        })
        if (!('order' in effect)) continue
        ;({ order, numbers } = effect)
        const again = applyEvent(order, numbers, event, {
          now: stamp,
          actor: 'test',
          merchant,
          ...received(order, event),
        })
        expect('order' in again).toBe(false)
      }
    }),
  )
})

test('a paid, packed, shipped and closed order has one invoice, one delivery note and one payment', () => {
  let { order, numbers } = placed('prepaid', false, { ...noNumbers, invoices: 41, deliveryNotes: 40 })
  for (const event of ['money_received', 'pack', 'ship', 'close'] as const) {
    const effect = applyEvent(order, numbers, event, { now: stamp, actor: 'hand', merchant, ...received(order, event) })
    if (!('order' in effect)) throw new Error(`${event} is refused`)
    ;({ order, numbers } = effect)
  }
  expect(order.header).toMatchObject({ status: 'closed', paid: true, fixed: true })
  expect(order.documents).toMatchObject({
    invoices: [{ number: '42', delivery_note_id: 41, gross: '25.19' }],
    deliveryNotes: [{ number: '41', invoice_id: 42 }],
    payments: [{ amount: '25.19' }],
    creditAdvices: [],
  })
  expect(order.history.map(({ event }) => event)).toEqual(['add', 'money_received', 'pack', 'ship', 'close'])
})

test('a cancelled order on account keeps its invoice and gets a credit advice of its amounts', () => {
  const { order, numbers } = placed('invoice', true, noNumbers)
  const effect = applyEvent(order, numbers, 'cancel', { now: stamp, actor: 'test', merchant })
  if (!('order' in effect)) throw new Error('refused')
  expect(effect.order.documents).toMatchObject({
    invoices: [{ number: '1', ...amounts }],
    deliveryNotes: [],
    creditAdvices: [{ number: '1', invoice_id: 1, ...amounts }],
  })
  expect(effect.numbers).toMatchObject({ invoices: 1, deliveryNotes: 0, creditAdvices: 1 })
})
