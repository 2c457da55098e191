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

// Money that was there and is not any more, though the status may still speak of a pending or a decline.
const takenBack: ReadonlySet<string | null> = new Set(['CHARGEBACK', 'REFUNDED'])

const reasonOf = ({ status_details }: Capture): string | null => status_details?.reason ?? null

const stateOf = (capture: Capture): State => {
  const state = captureStates.get(capture.status) ?? 'pending'
  // A later capture may still change what a capture that is not the final one comes to.
  if (state === 'captured') return capture.final_capture === true ? 'captured' : 'pending'
  return takenBack.has(reasonOf(capture)) ? 'refunded' : state
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)

/** The only value there is, null when there are several. */
const only = <T>(values: readonly (T | null | undefined)[]): T | null => {
  const [first, ...others] = new Set(values.map(value => value ?? null))
  return others.length > 0 ? null : (first ?? null)
}

/**
 * What was given back of some captures: what refunds of the whole order say, less those of captures that are gone
 * altogether. Null when PayPal speaks of a part and does not say how much.
 */
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

// After a declined try the payer may have paid by other means, so what is there counts more than what failed.
const ranked: readonly State[] = ['captured', 'pending', 'refunded', 'declined']

/**
 * The captures of an order as one. Money that is there or on its way is added up: PayPal takes it once an order, so
 * more than one of these shows as an amount that is not the payment's. Different currencies or custom ids are null.
 */
const capturesView = (
  captures: readonly Capture[],
  refunds: readonly Refund[],
  unitCustomId: string | null,
): Omit<PaymentView, 'payerId'> => {
  const by = (state: State) => captures.filter(capture => stateOf(capture) === state)
  const found = ranked.find(one => by(one).length > 0) ?? 'pending'
  const counted = found === 'captured' ? [...by('captured'), ...by('pending')] : by(found)
  const currency = only(counted.map(({ amount }) => amount.currency_code))
  const total = sum(counted.map(({ amount }) => amount.value))
  const given = found === 'captured' ? refundedOf(counted, by('refunded'), refunds) : null
  const state = given !== null && given > 0 && given >= total ? 'refunded' : found
  return {
    state,
    amount: currency && Number.isSafeInteger(total) ? total : null,
    currency,
    customId: only(counted.map(({ custom_id }) => custom_id ?? unitCustomId)),
    captureId: counted[0]?.id ?? null,
    refunded: state === 'refunded' ? total : given,
    reason: state === 'captured' ? null : (counted.map(reasonOf).find(reason => reason !== null) ?? null),
  }
}

/** Whether the order's answer says what became of the money. */
export const hasCapture = ({ purchase_units }: Order): boolean =>
  (purchase_units?.[0]?.payments?.captures?.length ?? 0) > 0

/**
 * An order as the port sees it. Once there is a capture, captures alone decide: status, amount and custom id. A status
 * unknown here is pending, never paid; so is a capture that is not the final one.
 */
export const viewOf = (order: Order): PaymentView => {
  const unit = order.purchase_units?.[0]
  const payerId = order.payer?.payer_id ?? order.payment_source?.paypal?.account_id ?? null
  const { captures, refunds } = unit?.payments ?? {}
  if (captures && captures.length > 0)
    return { ...capturesView(captures, refunds ?? [], unit?.custom_id ?? null), payerId }
  return {
    ...bareView(orderStates.get(order.status) ?? 'pending'),
    amount: unit?.amount?.value ?? null,
    currency: unit?.amount?.currency_code ?? null,
    customId: unit?.custom_id ?? null,
    payerId,
  }
}
