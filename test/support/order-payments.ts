import type { PaymentType, Status } from '../../shared/contract/vocabulary.ts'
import type { OrderRecord } from '../../shared/orders/record.ts'
import type { PaymentItem, PaymentStatus, Refund, SandboxPaymentItem } from '../../shared/platform/table/items.ts'
import { parseTotal } from '../../shared/values/money.ts'
import type { Data, Kept } from './merchant-data.ts'

const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])

// Repeated here, because the service's own function may be wrong.
const isExternal = (type: PaymentType): boolean => type === 'paypal' || type === 'card'

/** True if nothing is to be paid: there is no payment, and no record of money. */
export const isFree = ({ gross }: OrderRecord['header']): boolean => gross === '0.00'

const none: readonly PaymentStatus[] = []

/** The statuses of the payment of an unpaid order; it is not packed before it is paid. */
const whileUnpaid: Record<Status, readonly PaymentStatus[]> = {
  new: ['created', 'open', 'capturing', 'declined', 'review'],
  need_payment: ['pending', 'capturing', 'open', 'declined', 'review'],
  payed: none,
  need_package: none,
  in_delivery: none,
  closed: none,
  cancelled: ['cancelled', 'unused', 'review'],
}

/** The status of a payment that paid its order; the payer's bank may have taken the money back since. */
const whoPaid: readonly PaymentStatus[] = ['captured']

/** The statuses of the payment of an order that was paid manually: it is never captured as well. */
const besideHand: readonly PaymentStatus[] = ['cancelled', 'unused', 'review']

const allowedStates = ({ header, documents }: OrderRecord, { uuid }: PaymentItem): readonly PaymentStatus[] => {
  const isPaidOutside = documents.payments.some(one => one.uuid === uuid)
  // All of it was credited.
  if (header.status === 'cancelled' && isPaidOutside && !header.paid) return whoPaid
  if (!header.paid) return whileUnpaid[header.status]
  if (header.status === 'new' || header.status === 'need_payment' || header.status === 'cancelled') return none
  return isPaidOutside ? whoPaid : besideHand
}

/** The place of a payment in the index, by which the sweep or a human finds it. */
const places: Record<PaymentStatus, 'due' | 'review' | 'nowhere' | 'anywhere'> = {
  created: 'due',
  open: 'due',
  declined: 'due',
  capturing: 'due',
  pending: 'due',
  unused: 'nowhere',
  review: 'review',
  // Watched while the goods are not shipped.
  captured: 'anywhere',
  cancelled: 'anywhere',
}

const refundsIn = ({ refunds }: PaymentItem, ...states: Refund['state'][]) =>
  refunds.filter(({ state }) => states.includes(state))

const sumOf = (refunds: readonly Refund[]): number => refunds.reduce((sum, { amount }) => sum + amount, 0)

const placeOf = (payment: PaymentItem) => {
  if (refundsIn(payment, 'due', 'pending').length > 0) return 'due'
  const { taken, amount, reported, left } = payment
  const given = reported + sumOf(refundsIn(payment, 'by_hand', 'expected'))
  const isLeft = left === 'undecided' && given < (taken?.amount ?? amount)
  if (payment.undecided > 0 || isLeft || refundsIn(payment, 'review').length > 0) return 'review'
  return places[payment.status]
}

const isInPlace = (payment: PaymentItem, place: string | undefined): boolean => {
  const wanted = placeOf(payment)
  if (wanted === 'anywhere') return place === undefined || place.startsWith('due#')
  return wanted === 'nowhere' ? place === undefined : place?.startsWith(`${wanted}#`) === true
}

const checkProvider = (id: number, payment: PaymentItem, there: SandboxPaymentItem, place: string | undefined) => {
  const isKept = there.captures > 0 && there.refunded < there.amount
  const isTaken = payment.status === 'captured'
  const open = sumOf(refundsIn(payment, 'due', 'pending'))
  const isKnown = there.refunded >= payment.reported && there.refunded <= payment.reported + open
  const byHand = sumOf(refundsIn(payment, 'by_hand'))
  return [
    ...unless(there.captures <= 1, `order ${id} was paid ${there.captures} times`),
    ...unless(there.refunded <= there.amount, `order ${id} was given back ${there.refunded} of ${there.amount}`),
    ...unless(!isTaken || (there.captures === 1 && isKnown), `the provider has no money for order ${id}`),
    ...unless(payment.reported <= there.refunded, `the provider did not refund order ${id}`),
    ...unless(
      !isKept || isTaken || byHand > 0 || payment.reported > 0 || place !== undefined,
      `the provider has money of order ${id}, whose payment is ${payment.status} and nobody looks at it`,
    ),
  ]
}

/** No credit gives back more than it is worth, and all together no more than was paid. */
const checkRefunds = ({ header, documents }: OrderRecord, payment: PaymentItem): string[] => {
  const { refunds, taken, amount, reported } = payment
  const limit = taken?.amount ?? amount
  const credits = refunds.filter(({ credit }) => credit !== null)
  const byAdvice = Map.groupBy(credits, ({ credit }) => credit)
  // A credit's refund may have been made in parts.
  const dear = [...byAdvice].filter(([credit, parts]) => {
    const advice = documents.creditAdvices.find(({ id }) => id === credit)
    // The only credit of an order gives back everything that was taken.
    const isOnly = documents.creditAdvices.length === 1
    return !advice || (!isOnly && sumOf(parts) > (parseTotal(advice.gross) ?? 0))
  })
  return [
    ...unless(dear.length === 0, `order ${header.id} gives back more than its credits`),
    ...unless(sumOf(refunds) <= limit && reported <= limit, `order ${header.id} gives back more than was paid`),
  ]
}

/** Checks the payment of an order against the order's status, the sweep's list and the sandbox; returns what is wrong. */
export const paying =
  ({ payments, places: waiting, sandbox }: Pick<Data, 'payments' | 'places' | 'sandbox'>) =>
  ({ order }: Pick<Kept, 'order'>): string[] => {
    const { header, payment: uuid } = order
    const { id, status, payment_type } = header
    if (!uuid)
      return unless(!isExternal(payment_type) || isFree(header), `order ${id} by ${payment_type} has no payment`)
    if (isFree(header)) return [`order ${id} of 0.00 has a payment`]
    const payment = payments.get(uuid)
    if (payment?.order_uuid !== header.uuid) return [`the payment of order ${id} is missing`]
    const place = waiting.get(uuid)
    const there = sandbox.get(payment.external_id ?? '')
    const allowed = allowedStates(order, payment)
    return [
      ...unless(payment.order === id, `the payment of order ${id} is of order ${payment.order}`),
      ...unless(payment.type === payment_type, `order ${id} by ${payment_type} has a payment by ${payment.type}`),
      ...unless(payment.amount === parseTotal(header.gross), `the payment of order ${id} is ${payment.amount}`),
      ...unless(
        allowed.includes(payment.status),
        `order ${id} is ${status}${header.paid ? ' and paid' : ''}, its payment ${payment.status}`,
      ),
      ...unless(
        isInPlace(payment, place),
        `the payment of order ${id} is ${payment.status} and is at ${place} of the sweep's list`,
      ),
      ...unless(
        payment.status !== 'captured' || (payment.capture_id !== null && payment.taken !== null),
        `the payment of order ${id} is captured without saying what`,
      ),
      ...checkRefunds(order, payment),
      ...(there ? checkProvider(id, payment, there, place) : []),
    ]
  }
