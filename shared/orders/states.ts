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

/** The state of a fresh order. */
export const statusOnAdd = (paymentType: PaymentType): Status => firstStatus[paymentType]

/** Whether the buyer pays at an external provider, between add and finish. */
export const isExternal = (paymentType: PaymentType): boolean => firstStatus[paymentType] === 'new'

/** What can happen to an order: at its checkout, by the sweep, or by the merchant's hand. */
export const events = [
  'payment_completed',
  'payment_pending',
  'payment_declined',
  'cancel',
  'refund',
  'expire',
  'money_received',
  'pack',
  'ship',
  'close',
] as const

/** Something that happens to an order. */
export type OrderEvent = (typeof events)[number]

/** Every step there is. An order delivered on account may be paid in any later state, without leaving it. */
export const moves: Readonly<Record<Status, Partial<Record<OrderEvent, Status>>>> = {
  new: { payment_completed: 'need_package', payment_pending: 'need_payment', cancel: 'cancelled', expire: 'cancelled' },
  need_payment: { payment_completed: 'need_package', money_received: 'payed', cancel: 'cancelled' },
  payed: { pack: 'need_package' },
  need_package: { ship: 'in_delivery', cancel: 'cancelled', refund: 'cancelled', money_received: 'need_package' },
  in_delivery: { close: 'closed', money_received: 'in_delivery' },
  closed: { money_received: 'closed' },
  cancelled: {},
}

/** The state in which a repeated event finds its work done. */
const doneIn: Partial<Record<OrderEvent, Status>> = {
  payment_pending: 'need_payment',
  cancel: 'cancelled',
  pack: 'need_package',
  ship: 'in_delivery',
  close: 'closed',
}

const pays: ReadonlySet<OrderEvent> = new Set<OrderEvent>(['payment_completed', 'money_received'])
const handling: ReadonlySet<OrderEvent> = new Set<OrderEvent>(['pack', 'ship', 'close', 'refund'])

/** Why an event is refused: the contract's word, or `not_in_this_status` for a merchant's step, which has none there. */
export type Refusal =
  | 'order_cancelled'
  | 'order_paid'
  | 'order_not_cancellable'
  | 'payment_declined'
  | 'payment_in_progress'
  | 'payment_mismatch'
  | 'not_in_this_status'

/** What an event does: a step (`paid` as it is after it; `to` may be the same state), nothing, or a refusal. */
export type Step = { to: Status; paid: boolean } | { unchanged: true } | { refused: Refusal }

const refusal = (status: Status, event: OrderEvent, paid: boolean): Refusal => {
  if (status === 'cancelled') return 'order_cancelled'
  if (handling.has(event)) return 'not_in_this_status'
  if (event === 'cancel') return status === 'need_package' ? 'order_paid' : 'order_not_cancellable'
  if (paid) return 'order_paid'
  if (event === 'money_received') return 'payment_in_progress'
  // Past the checkout and unpaid is an order on account: no payment at a provider can be its own.
  return status === 'new' || status === 'need_payment' ? 'payment_declined' : 'payment_mismatch'
}

/**
 * Where an event takes an order. A paid one is neither paid again nor cancelled, but when its money goes back, or when it was
 * free; nothing leaves cancelled or closed.
 */
export const nextStep = (
  status: Status,
  event: OrderEvent,
  { paid, isFree = false }: { paid: boolean; isFree?: boolean },
): Step => {
  const to = moves[status][event]
  const mayMove = event === 'refund' ? paid : !paid || handling.has(event) || (isFree && event === 'cancel')
  if (to !== undefined && mayMove) return { to, paid: to !== 'cancelled' && (paid || pays.has(event)) }
  if (event === 'expire' || doneIn[event] === status) return { unchanged: true }
  return { refused: refusal(status, event, paid) }
}

/** Whether a step (from undefined: the order is added) makes the order due for packing, which gives it its invoice. */
export const entersInvoicing = (from: Status | undefined, to: Status): boolean =>
  to === 'need_package' && from !== 'need_package'

/** A document that a step writes. */
export type DocumentKind = 'invoice' | 'deliveryNote' | 'creditAdvice'

/** The documents a step writes in its transaction; an order the buyer collects has no delivery note. */
export const documentsOnEnter = (
  from: Status | undefined,
  to: Status,
  { collected }: { collected: boolean },
): readonly DocumentKind[] => {
  if (entersInvoicing(from, to)) return collected ? ['invoice'] : ['invoice', 'deliveryNote']
  return from === 'need_package' && to === 'cancelled' ? ['creditAdvice'] : []
}
