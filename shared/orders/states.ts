import type { PaymentType, Status } from '../contract/vocabulary.ts'

const firstStatus = {
  paypal: 'new',
  card: 'new',
  prepaid: 'need_payment',
  bank: 'need_payment',
  invoice: 'need_package',
  cash: 'need_package',
  debit: 'need_package',
} as const satisfies Record<PaymentType, Status>

/** The status of a new order. */
export const statusOnAdd = (paymentType: PaymentType): Status => firstStatus[paymentType]

/** True if the buyer approves the payment at an external provider, between add and finish. */
export const isExternal = (paymentType: PaymentType): boolean => firstStatus[paymentType] === 'new'

/**
 * The events of an order: at its checkout, by the sweep, or by the merchant. `credit` credits a part of its invoice,
 * `credit_rest` all that is left of it.
 */
export const events = [
  'payment_completed',
  'payment_pending',
  'payment_declined',
  'cancel',
  'expire',
  'money_received',
  'pack',
  'ship',
  'close',
  'credit',
  'credit_rest',
] as const

export type OrderEvent = (typeof events)[number]

/**
 * All steps. An order that is delivered on account may be paid in any later status, and stays there; so does an order that
 * is credited after it was shipped.
 */
export const moves: Readonly<Record<Status, Partial<Record<OrderEvent, Status>>>> = {
  new: { payment_completed: 'need_package', payment_pending: 'need_payment', cancel: 'cancelled', expire: 'cancelled' },
  need_payment: { payment_completed: 'need_package', money_received: 'payed', cancel: 'cancelled' },
  payed: { pack: 'need_package' },
  need_package: {
    ship: 'in_delivery',
    cancel: 'cancelled',
    money_received: 'need_package',
    credit: 'need_package',
    credit_rest: 'cancelled',
  },
  in_delivery: { close: 'closed', money_received: 'in_delivery', credit: 'in_delivery', credit_rest: 'in_delivery' },
  closed: { money_received: 'closed', credit: 'closed', credit_rest: 'closed' },
  cancelled: {},
}

/** The status in which a repeated event has nothing to do. */
const doneIn: Partial<Record<OrderEvent, Status>> = {
  payment_pending: 'need_payment',
  cancel: 'cancelled',
  pack: 'need_package',
  ship: 'in_delivery',
  close: 'closed',
}

const pays: ReadonlySet<OrderEvent> = new Set<OrderEvent>(['payment_completed', 'money_received'])

const manualEvents = ['pack', 'ship', 'close', 'credit', 'credit_rest'] as const satisfies readonly OrderEvent[]
type ManualEvent = (typeof manualEvents)[number]

const manual: ReadonlySet<OrderEvent> = new Set(manualEvents)

/** The error word of a refused event. */
export type Refusal<Event extends OrderEvent = OrderEvent> =
  | 'order_cancelled'
  | 'order_paid'
  | 'order_not_cancellable'
  | 'payment_declined'
  | 'payment_in_progress'
  | 'payment_mismatch'
  | (Event extends ManualEvent ? 'not_in_this_status' : never)

/** The result of an event: the next status (possibly the same) and `paid` after it, nothing, or a refusal. */
export type StepResult<Event extends OrderEvent> =
  | { to: Status; paid: boolean }
  | { unchanged: true }
  | { refused: Refusal<Event> }

const refusal = (status: Status, event: OrderEvent, paid: boolean): Refusal => {
  if (status === 'cancelled') return 'order_cancelled'
  if (manual.has(event)) return 'not_in_this_status'
  if (event === 'cancel') return status === 'need_package' ? 'order_paid' : 'order_not_cancellable'
  if (paid) return 'order_paid'
  if (event === 'money_received') return 'payment_in_progress'
  // An unpaid order past the checkout is on account: no payment at a provider belongs to it.
  return status === 'new' || status === 'need_payment' ? 'payment_declined' : 'payment_mismatch'
}

/**
 * The result of an event. A paid order is cancelled only by crediting all of it, or if it was free; nothing leaves cancelled
 * or closed.
 */
export const nextStep = <Event extends OrderEvent>(
  status: Status,
  event: Event,
  { paid, isFree = false }: { paid: boolean; isFree?: boolean },
): StepResult<Event> => {
  const to = moves[status][event]
  const mayMove = !paid || manual.has(event) || (isFree && event === 'cancel')
  if (to !== undefined && mayMove) return { to, paid: to !== 'cancelled' && (paid || pays.has(event)) }
  const isDone = doneIn[event] === status || (event === 'money_received' && paid)
  if (event === 'expire' || isDone) return { unchanged: true }
  return { refused: refusal(status, event, paid) as Refusal<Event> }
}

/** True if a step makes the order due for packing, which gives it its invoice; `from` undefined: the order is added. */
export const entersInvoicing = (from: Status | undefined, to: Status): boolean =>
  to === 'need_package' && from !== 'need_package'

export type DocumentKind = 'invoice' | 'deliveryNote' | 'creditAdvice'

/** The documents that a step writes; an order that the buyer collects has no delivery note. */
export const documentsOnEnter = (
  from: Status | undefined,
  to: Status,
  { collected }: { collected: boolean },
): readonly DocumentKind[] => {
  if (entersInvoicing(from, to)) return collected ? ['invoice'] : ['invoice', 'deliveryNote']
  return from === 'need_package' && to === 'cancelled' ? ['creditAdvice'] : []
}
