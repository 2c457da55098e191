import { Problem } from '../../contract/errors.ts'
import type { PaymentView, Provider } from '../../payments/provider.ts'
import { ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { requestIdOf, tryChangePayment } from '../../payments/record.ts'
import { type Claim, type Next, nextPayment, type PaymentEvent, type Unpaid } from '../../payments/states.ts'
import { poll } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'

/** A payment that only this request may capture now; `before` is the payment before it was claimed. */
export type ClaimedPayment = { payment: PaymentItem; before: PaymentItem }

export const paymentInProgress = () => new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })

/**
 * Claims a payment for one capture. Returns it unclaimed if there is nothing to capture: never opened, captured, refunded,
 * cancelled or in review. `check` throws if the stored payment is not the expected payment. While another request holds the
 * claim, waits up to `patience` milliseconds for its outcome, then throws payment_in_progress.
 */
export const claimPayment = async (
  merchant: MerchantId,
  uuid: string,
  check: (stored: PaymentItem | undefined) => PaymentItem,
  patience = 0,
): Promise<ClaimedPayment | { notClaimable: PaymentItem }> => {
  const until = Date.now() + patience
  return poll(
    async () => {
      const before = check(await getItem(key('payment', { merchant, uuid })))
      const next = nextPayment(before, { is: 'claimed' })
      if ('refused' in next) return next.refused === 'busy' ? undefined : { notClaimable: before }
      const payment = await tryChangePayment(merchant, before, next.set)
      return payment && { payment, before }
    },
    () => {
      if (Date.now() >= until) throw paymentInProgress()
      return 200 + Math.random() * 200
    },
  )
}

/** Writes what a fact makes of a claimed payment, unless another request has taken the claim over. */
export const changeClaimed = async (merchant: MerchantId, payment: PaymentItem, event: PaymentEvent): Promise<void> => {
  const next = nextPayment(payment, event)
  if (!('refused' in next)) await tryChangePayment(merchant, payment, next.set)
}

/** Calls the provider of a claimed payment; if that throws, releases the payment. */
const calling = async (
  merchant: MerchantId,
  payment: PaymentItem,
  claim: Claim,
  call: (provider: Provider) => Promise<PaymentView>,
): Promise<PaymentView> => {
  try {
    return await call(await providerOfPayment(merchant, payment))
  } catch (error) {
    const event =
      error instanceof ProviderRefusal
        ? ({ is: 'refused', reason: error.reason, claim } as const)
        : ({ is: 'unanswered', claim } as const)
    await changeClaimed(merchant, payment, event)
    throw error
  }
}

/** The money arrived or is on its way: what settles the payment. Or why there is none. */
export type CaptureResult = { paid: Next['set'] } | { unpaid: Unpaid }

/**
 * Asks the provider for the state of a claimed payment and, if `mayCapture`, captures an approved payment. Asking first
 * prevents a second capture, a wrong amount and a payer other than `payerId`. Releases the claim if there is no money.
 * Throws what the provider throws.
 */
export const inspectAndCapture = async (
  merchant: MerchantId,
  { payment, before }: ClaimedPayment,
  options: Pick<Claim, 'mayCapture' | 'payerId'>,
): Promise<CaptureResult> => {
  const { uuid, external_id, refusals } = payment
  const ask = async (claim: Claim, call: (provider: Provider) => Promise<PaymentView>): Promise<CaptureResult> => {
    const view = await calling(merchant, payment, claim, call)
    const next = nextPayment(payment, { is: 'reported', view, claim })
    if ('refused' in next) throw new Error(`a claimed payment is ${payment.status}`)
    if (next.todo === 'settle') return { paid: next.set }
    if (next.todo === 'capture') {
      const requestId = requestIdOf(uuid, 'take', refusals)
      return ask({ ...claim, hasRequested: true }, provider => provider.capture(external_id ?? '', requestId))
    }
    await tryChangePayment(merchant, payment, next.set)
    return { unpaid: next.unpaid as Unpaid }
  }
  return ask({ ...options, before: before.status }, provider => provider.inspect(external_id ?? ''))
}
