import { Problem } from '../../contract/errors.ts'
import type { PaymentView, Provider } from '../../payments/provider.ts'
import { providerFor } from '../../payments/providers.ts'
import { requestIdOf } from '../../payments/record.ts'
import type { PaymentItem } from '../../table/items.ts'
import type { MerchantId } from '../../table/keys.ts'
import { type ClaimedPayment, releasePayment } from './claim.ts'

/** What a capture came to: the money is there, or on its way. */
export type Captured = { status: 'captured' | 'pending'; captureId: string | null }

/** Whether what the provider took is what the order costs. */
const isRightAmount = ({ amount, currency, customId }: PaymentView, payment: PaymentItem): boolean =>
  amount === payment.amount && currency === payment.currency && customId === payment.uuid

/** A try whose outcome is unknown is looked up first, because it may have succeeded. */
const take = async (provider: Provider, { payment, repeated }: ClaimedPayment): Promise<PaymentView> => {
  const externalId = payment.external_id ?? ''
  if (repeated) {
    const view = await provider.inspect(externalId)
    if (view.state === 'captured' || view.state === 'pending') return view
  }
  return provider.capture(externalId, requestIdOf(payment.uuid, 'take'))
}

const askOrRelease = async (
  merchant: MerchantId,
  payment: PaymentItem,
  ask: (provider: Provider) => Promise<PaymentView>,
): Promise<PaymentView> => {
  try {
    return await ask(await providerFor(merchant))
  } catch (error) {
    // Whether the money was taken is not known; the next try asks first.
    await releasePayment(merchant, payment, 'capturing')
    throw error
  }
}

const arrived = async (
  merchant: MerchantId,
  payment: PaymentItem,
  view: PaymentView,
  refused: readonly PaymentView['state'][],
): Promise<Captured | 'review' | 'declined' | 'open'> => {
  const { state, captureId } = view
  if (state === 'captured' || state === 'pending') {
    if (isRightAmount(view, payment)) return { status: state, captureId }
    await releasePayment(merchant, payment, 'review')
    return 'review'
  }
  const status = refused.includes(state) ? 'declined' : 'open'
  await releasePayment(merchant, payment, status)
  return status
}

const refusals = {
  review: 'amount_mismatch',
  declined: 'payment_declined',
  open: 'payment_not_approved',
} as const

/**
 * Takes the money of a claimed payment. Gives the claim back when there is none to take, and throws
 * payment_not_approved, payment_declined, amount_mismatch or what the provider throws.
 */
export const capturePayment = async (merchant: MerchantId, claimed: ClaimedPayment): Promise<Captured> => {
  const { payment } = claimed
  const view = await askOrRelease(merchant, payment, provider => take(provider, claimed))
  const outcome = await arrived(merchant, payment, view, ['declined', 'cancelled', 'refunded', 'missing'])
  if (typeof outcome === 'string') throw new Problem(refusals[outcome])
  return outcome
}

/** Asks the provider of a claimed payment whether money arrived; takes none. Gives the claim back when none did. */
export const inspectPayment = async (
  merchant: MerchantId,
  { payment }: ClaimedPayment,
): Promise<Captured | 'review' | 'declined' | 'open'> =>
  arrived(
    merchant,
    payment,
    await askOrRelease(merchant, payment, provider => provider.inspect(payment.external_id ?? '')),
    ['declined'],
  )
