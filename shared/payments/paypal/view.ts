import type { Cents } from '../../values/money.ts'
import { bareView, type PaymentView } from '../provider.ts'
import type { Capture, Order, Refund } from './wire.ts'

type State = PaymentView['state']

const orderStates = new Map<string, State>([
  ['CREATED', 'open'],
  ['SAVED', 'open'],
  ['PAYER_ACTION_REQUIRED', 'open'],
  ['APPROVED', 'approved'],
  ['VOIDED', 'cancelled'],
])

const captureStates = new Map<string, State>([
  ['COMPLETED', 'captured'],
  ['PARTIALLY_REFUNDED', 'captured'],
  ['DECLINED', 'declined'],
  ['FAILED', 'declined'],
  ['REFUNDED', 'refunded'],
  ['REVERSED', 'refunded'],
])

// Money that was taken back, although the status may still be pending or declined.
const takenBack: ReadonlySet<string | null> = new Set(['CHARGEBACK', 'REFUNDED'])

const reasonOf = ({ status_details }: Capture): string | null => status_details?.reason ?? null

const stateOf = (capture: Capture): State => {
  const state = captureStates.get(capture.status) ?? 'pending'
  // A later capture may still change the total of a capture that is not final.
  if (state === 'captured') return capture.final_capture === true ? 'captured' : 'pending'
  return takenBack.has(reasonOf(capture)) ? 'refunded' : state
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)

/** The only value, null if there are several. */
const only = <T>(values: readonly (T | null | undefined)[]): T | null => {
  const [first, ...others] = new Set(values.map(value => value ?? null))
  return others.length > 0 ? null : (first ?? null)
}

/** The sum of an order's refunds without its fully refunded captures; null if PayPal does not report the amount of a part. */
const refundedOf = (
  counted: readonly Capture[],
  gone: readonly Capture[],
  refunds: readonly Refund[],
): Cents | null => {
  const completed = refunds.filter(({ status }) => status === 'COMPLETED').map(({ amount }) => amount?.value)
  const isPart = counted.some(({ status }) => status === 'PARTIALLY_REFUNDED')
  if (completed.includes(undefined) || (isPart && completed.length === 0)) return null
  const given = sum(completed.map(value => value ?? 0)) - sum(gone.map(({ amount }) => amount.value))
  return Math.max(given, 0)
}

// After a declined try the payer may have paid by other means, so money ranks before failures.
const ranked: readonly State[] = ['captured', 'pending', 'refunded', 'declined']

/**
 * The captures of an order as one. Captured and pending amounts are added up: PayPal captures an order once, so a second
 * capture shows as a wrong amount. Different currencies or custom ids are null.
 */
const capturesView = (
  captures: readonly Capture[],
  refunds: readonly Refund[],
  unitCustomId: string | null,
): Omit<PaymentView, 'payerId'> => {
  const by = (state: State) => captures.filter(capture => stateOf(capture) === state)
  // Stryker disable next-line StringLiteral: A list that is not empty has a capture of one of the states; the types do
  // not know.
  const found = ranked.find(one => by(one).length > 0) ?? 'pending'
  const counted = found === 'captured' ? [...by('captured'), ...by('pending')] : by(found)
  const currency = only(counted.map(({ amount }) => amount.currency_code))
  const total = sum(counted.map(({ amount }) => amount.value))
  const given = found === 'captured' ? refundedOf(counted, by('refunded'), refunds) : null
  // Stryker disable next-line ConditionalExpression: null is not above zero.
  const state = given !== null && given > 0 && given >= total ? 'refunded' : found
  return {
    state,
    amount: currency && Number.isSafeInteger(total) ? total : null,
    currency,
    customId: only(counted.map(({ custom_id }) => custom_id ?? unitCustomId)),
    // Stryker disable next-line OptionalChaining: What was counted is never empty; the types do not know.
    captureId: counted[0]?.id ?? null,
    refunded: state === 'refunded' ? total : given,
    reason: state === 'captured' ? null : (counted.map(reasonOf).find(reason => reason !== null) ?? null),
  }
}

export const hasCapture = ({ purchase_units }: Order): boolean =>
  (purchase_units?.[0]?.payments?.captures?.length ?? 0) > 0

/**
 * An order as the port's view. Captures, if any, determine state, amount and custom id. An unknown status and a capture
 * that is not final are pending, never paid.
 */
export const viewOf = (order: Order): PaymentView => {
  const unit = order.purchase_units?.[0]
  const payerId = order.payer?.payer_id ?? order.payment_source?.paypal?.account_id ?? null
  const { captures, refunds } = unit?.payments ?? {}
  if (captures && captures.length > 0)
    // Stryker disable next-line OptionalChaining: Where there are captures there is a unit; the types do not know.
    // Stryker disable next-line ArrayDeclaration: A text has no status, and counts as no refund.
    return { ...capturesView(captures, refunds ?? [], unit?.custom_id ?? null), payerId }
  return {
    ...bareView(orderStates.get(order.status) ?? 'pending'),
    amount: unit?.amount?.value ?? null,
    currency: unit?.amount?.currency_code ?? null,
    customId: unit?.custom_id ?? null,
    payerId,
  }
}
