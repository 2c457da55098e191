import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../contract/errors.ts'
import type { PaymentView, Provider } from '../../payments/provider.ts'
import { ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { amountTakenIn, hasLostCapture, requestIdOf, tryChangePayment } from '../../payments/record.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'

/** A payment that this request alone may capture now, and how it stood before. */
export type ClaimedPayment = { payment: PaymentItem; before: PaymentItem }

// Longer than any function runs, so that a claim that is over has nobody at work on it.
const leaseMilliseconds = 60_000

const unsettled: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(['open', 'pending', 'declined', 'capturing'])

const inProgress = () => new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })

const claim = (merchant: MerchantId, before: PaymentItem): Promise<PaymentItem | undefined> =>
  tryChangePayment(merchant, before, { status: 'capturing', lease: Date.now() + leaseMilliseconds })

/**
 * Claims a payment for one capture, for a minute. Returns the stored payment unclaimed when it is settled already.
 * `check` throws when the stored payment is not the one that is meant. While another request holds the claim, its outcome is
 * waited for, `patience` milliseconds; then throws payment_in_progress.
 */
export const claimPayment = async (
  merchant: MerchantId,
  uuid: string,
  check: (stored: PaymentItem | undefined) => PaymentItem,
  patience = 0,
): Promise<ClaimedPayment | { settled: PaymentItem }> => {
  const until = Date.now() + patience
  for (;;) {
    const before = check(await getItem(key('payment', { merchant, uuid })))
    if (!unsettled.has(before.status)) return { settled: before }
    const isHeld = before.status === 'capturing' && before.lease > Date.now()
    const payment = isHeld ? undefined : await claim(merchant, before)
    if (payment) return { payment, before }
    if (Date.now() >= until) throw inProgress()
    await pause(200 + Math.random() * 200)
  }
}

/** What is known of a payment after a provider was asked. */
export type ReleasedState = Partial<
  Pick<PaymentItem, 'capture_id' | 'payer_id' | 'reason' | 'refusals' | 'refunded' | 'taken'>
> & {
  status: 'open' | 'declined' | 'capturing' | 'review' | 'pending'
}

/** Gives a claimed payment back as it was found, so that the next try need not wait. */
export const releasePayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  found: ReleasedState,
): Promise<void> => {
  // Somebody may take the claim over after its time.
  await tryChangePayment(merchant, payment, { ...found, lease: 0 })
}

/** The money is there, or on its way; what the provider said of it. */
export type CaptureSuccess = { status: 'captured' | 'pending'; view: PaymentView }

/** There is no money: what there is instead. `over`: nor can there be any of this payment. */
export type CaptureFailure =
  | { status: 'open' | 'approved' | 'declined' | 'mismatch' | 'over'; reason: string | null }
  | ({ status: 'review'; reason: string } & Pick<PaymentItem, 'taken' | 'capture_id' | 'payer_id'>)

/** Whether the provider speaks of what the order costs. */
const isRightAmount = ({ amount, currency, customId }: PaymentView, payment: PaymentItem): boolean =>
  amount === payment.amount && currency === payment.currency && customId === payment.uuid

/** What a provider's view means to a payment. */
const outcomeOf = (view: PaymentView, { payment, before }: ClaimedPayment): CaptureSuccess | CaptureFailure => {
  const { state, reason } = view
  // Nor can money have vanished that was asked for without an answer.
  if (hasLostCapture(payment, view) || (state === 'missing' && before.status === 'capturing')) {
    const { taken, capture_id, payer_id } = payment
    return { status: 'review', reason: 'UNKNOWN_TO_PROVIDER', taken, capture_id, payer_id }
  }
  switch (state) {
    case 'captured':
    case 'pending':
      if (isRightAmount(view, payment)) return { status: state, view }
      return {
        status: 'review',
        reason: 'AMOUNT_MISMATCH',
        taken: amountTakenIn(view),
        capture_id: view.captureId,
        payer_id: view.payerId,
      }
    case 'approved':
      return { status: isRightAmount(view, payment) ? state : 'mismatch', reason }
    case 'open':
      return { status: state, reason }
    case 'declined':
      // Of a capture that failed afterwards nothing more can come.
      return { status: view.captureId ? 'over' : state, reason }
    case 'missing':
      return { status: 'over', reason }
    case 'cancelled':
    case 'refunded':
      return { status: 'over', reason: reason ?? state.toUpperCase() }
  }
}

/** How a payment is given back after what was found; `before` is how it stood before it was claimed. */
const foundOf = ({ before, payment }: ClaimedPayment, found: CaptureFailure, wasAsked: boolean): ReleasedState => {
  const refusals = payment.refusals + (wasAsked ? 1 : 0)
  switch (found.status) {
    case 'review':
      return found
    case 'approved':
      // Money that was declined is only asked for again when the buyer comes back.
      return { status: before.status === 'declined' ? 'declined' : 'open' }
    case 'declined':
    case 'over':
      return { status: 'declined', reason: found.reason, refusals }
    case 'open':
    case 'mismatch':
      return { status: 'open', reason: found.reason, refusals }
  }
}

/** Asks the provider; a payment whose provider gave no answer is given back, as unknown if it was asked for money. */
const asking = async <T>(
  merchant: MerchantId,
  { payment, before }: ClaimedPayment,
  status: 'as it was' | 'capturing',
  ask: (provider: Provider) => Promise<T>,
): Promise<T> => {
  try {
    return await ask(await providerOfPayment(merchant, payment))
  } catch (error) {
    const known = before.status as ReleasedState['status']
    // PayPal repeats a definite no to the same request id, even when its cause is mended.
    const isRefused = status === 'capturing' && error instanceof ProviderRefusal
    const found: ReleasedState = isRefused
      ? { status: 'open', reason: error.reason, refusals: payment.refusals + 1 }
      : { status: status === 'capturing' ? status : known }
    await releasePayment(merchant, payment, found)
    throw error
  }
}

const look = (merchant: MerchantId, claimed: ClaimedPayment): Promise<PaymentView> =>
  asking(merchant, claimed, 'as it was', provider => provider.inspect(claimed.payment.external_id ?? ''))

const take = (merchant: MerchantId, claimed: ClaimedPayment): Promise<PaymentView> => {
  const { uuid, external_id, refusals } = claimed.payment
  const requestId = requestIdOf(uuid, 'take', refusals)
  return asking(merchant, claimed, 'capturing', provider => provider.capture(external_id ?? '', requestId))
}

/** Whether the money is there, or on its way. */
export const isCaptured = (outcome: CaptureSuccess | CaptureFailure): outcome is CaptureSuccess => 'view' in outcome

/**
 * Asks the provider of a claimed payment where it stands and, with `capture`, takes the money of an approved one. The
 * provider is asked before any money is taken, so that nothing is taken twice, of another amount, or from another
 * payer than `payerId`. Gives the claim back when there is no money. Throws what the provider throws.
 */
export const captureClaimed = async (
  merchant: MerchantId,
  claimed: ClaimedPayment,
  { capture, payerId }: { capture: boolean; payerId?: string | undefined },
): Promise<CaptureSuccess | CaptureFailure> => {
  const { payment } = claimed
  const view = await look(merchant, claimed)
  const seen = outcomeOf(view, claimed)
  const isOther = payerId !== undefined && view.payerId !== null && view.payerId !== payerId
  if (isOther && (isCaptured(seen) || seen.status === 'approved')) {
    await releasePayment(merchant, payment, { status: claimed.before.status as ReleasedState['status'] })
    throw new Problem('payment_mismatch')
  }
  const takes = seen.status === 'approved' && capture
  const outcome = takes ? outcomeOf(await take(merchant, claimed), claimed) : seen
  if (!isCaptured(outcome)) await releasePayment(merchant, payment, foundOf(claimed, outcome, takes))
  return outcome
}
