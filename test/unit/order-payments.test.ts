import { type Status, statuses } from '../../shared/contract/vocabulary.ts'
import type { OrderRecord } from '../../shared/orders/record.ts'
import type { PaymentItem, PaymentStatus, SandboxPaymentItem } from '../../shared/platform/table/items.ts'
import { paying } from '../support/order-payments.ts'

const uuid = 'payment'

type Case = {
  status: Status
  paid?: boolean
  /** The source of the money among the documents. */
  by?: 'provider' | 'hand'
  payment?: Partial<PaymentItem>
  place?: string | undefined
  there?: Partial<SandboxPaymentItem>
}

const orderOf = ({ status, paid = false, by }: Case): OrderRecord =>
  ({
    header: { id: 4, uuid: 'order', status, paid, payment_type: 'paypal', gross: '24.00' },
    payment: uuid,
    documents: { payments: by ? [{ uuid: by === 'hand' ? 'hand' : uuid }] : [] },
  }) as unknown as OrderRecord

const checked = (one: Case, missing = false): string[] => {
  const payment = {
    uuid,
    order: 4,
    order_uuid: 'order',
    type: 'paypal',
    amount: 2400,
    status: 'open',
    external_id: 'SBX',
    capture_id: null,
    taken: null,
    refunds: [],
    reported: 0,
    undecided: 0,
    ...one.payment,
  } as PaymentItem
  const there = { amount: 2400, captures: 0, refunded: 0, ...one.there } as SandboxPaymentItem
  return paying({
    payments: new Map(missing ? [] : [[uuid, payment]]),
    places: new Map([[uuid, one.place]]),
    sandbox: new Map(one.there ? [['SBX', there]] : []),
  })({ order: orderOf(one) })
}

const look = 'due#2026-11-22 01:00:00'
const captured = { status: 'captured', capture_id: 'C', taken: { amount: 2400, currency: 'EUR' } } as const
const kept = { captures: 1, refunded: 0 }
const back = { captures: 1, refunded: 2400 }
const refund = { credit: null, amount: 2400, request_id: 'b0', refund_id: null, failed: 0 } as const
const returned = { ...captured, reported: 2400, returned: 2400 }
const unused: Partial<PaymentItem> = {
  status: 'unused',
  reported: 2400,
  refunds: [{ ...refund, state: 'refunded' }],
}

test.each<[string, Case]>([
  ['an order that waits for its payer', { status: 'new', place: look, there: {} }],
  ['a payment that is on its way', { status: 'need_payment', payment: { status: 'pending' }, place: look }],
  ['a paid order', { status: 'need_package', paid: true, by: 'provider', payment: captured, there: kept }],
  ['a paid order that is shipped', { status: 'in_delivery', paid: true, by: 'provider', payment: captured }],
  [
    'a paid order whose money was taken back',
    { status: 'closed', paid: true, by: 'provider', payment: returned, there: back },
  ],
  ['a cancelled order', { status: 'cancelled', payment: { status: 'cancelled' }, place: look }],
  ['a cancelled order that is over', { status: 'cancelled', payment: { status: 'cancelled' } }],
  [
    'a cancelled order whose money goes back',
    {
      ...{ status: 'cancelled', place: look, there: kept },
      payment: { status: 'unused', refunds: [{ ...refund, state: 'due' }] },
    },
  ],
  [
    'money that a person has to decide about',
    { status: 'new', payment: { status: 'review' }, place: 'review#2026-11-22 01:00:00', there: kept },
  ],
  ['money taken by hand', { status: 'payed', paid: true, by: 'hand', payment: { status: 'cancelled' }, place: look }],
  [
    'money taken by hand and at the provider',
    { status: 'closed', paid: true, by: 'hand', payment: unused, there: back },
  ],
])('%s is as it should be', (_, one) => expect(checked(one)).toEqual([]))

const all: PaymentStatus[] = [
  'created',
  'open',
  'capturing',
  'captured',
  'pending',
  'declined',
  'cancelled',
  'unused',
  'review',
]

const placeOf = (status: PaymentStatus): string | undefined => {
  if (status === 'captured' || status === 'unused') return undefined
  return status === 'review' ? 'review#2026-11-22 01:00:00' : look
}

/** The right statuses of the payment for a status of the order. */
const right = (one: Pick<Case, 'status' | 'paid' | 'by'>): PaymentStatus[] =>
  all.filter(status => {
    const payment = { ...(status === 'captured' ? captured : {}), status } as Partial<PaymentItem>
    return checked({ ...one, payment, place: placeOf(status) }).length === 0
  })

test('the order determines the possible states of its payment', () => {
  const unpaid = Object.fromEntries(statuses.map(status => [status, right({ status })]))
  expect(unpaid).toEqual({
    new: ['created', 'open', 'capturing', 'declined', 'review'],
    need_payment: ['open', 'capturing', 'pending', 'declined', 'review'],
    payed: [],
    need_package: [],
    in_delivery: [],
    closed: [],
    cancelled: ['cancelled', 'unused', 'review'],
  })
  for (const status of statuses) {
    const isPaid = ['payed', 'need_package', 'in_delivery', 'closed'].includes(status)
    expect(right({ status, paid: true, by: 'provider' })).toEqual(isPaid ? ['captured'] : [])
    expect(right({ status, paid: true, by: 'hand' })).toEqual(isPaid ? unpaid.cancelled : [])
  }
})

test.each<[string, Case]>([
  ['of another order', { status: 'new', place: look, payment: { order: 5 } }],
  ['of another type', { status: 'new', place: look, payment: { type: 'card' } }],
  ['of another amount', { status: 'new', place: look, payment: { amount: 2399 } }],
  ['that no job reconciles', { status: 'new' }],
  ['that no person is shown', { status: 'new', payment: { status: 'review' }, place: look }],
  ['that is looked after though it is done', { status: 'cancelled', payment: unused, place: look }],
  [
    'that was captured without saying what',
    { status: 'need_package', paid: true, by: 'provider', payment: { status: 'captured', capture_id: 'C' } },
  ],
  ['that was captured twice', { status: 'new', place: look, there: { captures: 2 } }],
  ['that was given back twice', { status: 'new', place: look, there: { captures: 1, refunded: 4800 } }],
  [
    'whose money is not at the provider',
    { status: 'need_package', paid: true, by: 'provider', payment: captured, there: {} },
  ],
  [
    'of which more was given back than it says',
    { status: 'closed', paid: true, by: 'provider', payment: captured, there: { captures: 1, refunded: 100 } },
  ],
  [
    'whose refund is not at the provider',
    { status: 'cancelled', payment: unused, place: undefined, there: { captures: 1, refunded: 2300 } },
  ],
  ['whose money is forgotten at the provider', { status: 'cancelled', payment: { status: 'cancelled' }, there: kept }],
])('a payment %s is found', (_, one) => expect(checked(one)).toHaveLength(1))

test('an order whose payment is missing is found', () => {
  expect(checked({ status: 'new' }, true)).toEqual(['the payment of order 4 is missing'])
})
