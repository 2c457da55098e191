import { Problem } from '../../contract/errors.ts'
import type { Order } from '../../contract/records/order.ts'
import { readMerchant } from '../../merchants/settings.ts'
import { providerOf } from '../../payments/providers.ts'
import { paymentAction, requestIdOf } from '../../payments/record.ts'
import { retrying, TransactionRefused, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { put, transact } from '../../platform/table/transact.ts'
import { cancelById } from '../checkout/cancel.ts'
import { readVersion } from '../store.ts'
import { returnUrlWith } from './redirects.ts'

/** Who cancels an order whose payment could not be opened. */
export const opener = 'payment provider'

/** Opens a payment at the merchant's provider. A repeat is the same request to it, so it opens nothing twice. */
const open = async (
  merchant: MerchantId,
  payment: PaymentItem,
  order: Pick<Order, 'uuid' | 'number'>,
): Promise<PaymentItem> => {
  const { uuid, amount, currency } = payment
  const settings = await readMerchant(merchant)
  const provider = await providerOf(settings)
  const { externalId, targetUrl } = await provider.open({
    payment: uuid,
    order: { uuid: order.uuid, number: order.number },
    merchantName: settings.name,
    amount,
    currency,
    returnUrl: returnUrlWith(payment.return_url, uuid),
    cancelUrl: payment.cancel_url,
    requestId: requestIdOf(uuid, 'open'),
  })
  const set = {
    status: 'open',
    provider: settings.payment_provider ?? 'sandbox',
    account: provider.account,
    external_id: externalId,
    target_url: targetUrl,
  } as const
  const opened: PaymentItem = { ...payment, ...set }
  const actions = [
    paymentAction(merchant, payment, set),
    // Shops come back with the provider's own id, too.
    put('external', key('externalPayment', { merchant, external: externalId }), { uuid }),
  ]
  try {
    await retrying(
      () => transact(actions),
      error => error.contended,
    )
    return opened
  } catch (error) {
    if (!(error instanceof TransactionRefused && error.failed('payment'))) throw error
    // Another repeat was faster, or the order was cancelled meanwhile: that may show a moment later.
    return untilShown(async () => {
      const present = await getItem(key('payment', { merchant, uuid }))
      return present?.status === 'created' ? undefined : present
    })
  }
}

/** Why an order is gone whose payment was just opened: an equal request failed to open it, or somebody cancelled it. */
const whyCancelled = async (merchant: MerchantId, id: number): Promise<Problem> => {
  const { order } = await untilShown(() => readVersion(merchant, id))
  const hasFailed = order.history.at(-1)?.actor === opener
  return new Problem(hasFailed ? 'payment_provider_error' : 'order_cancelled')
}

/**
 * Opens a payment at the merchant's provider and keeps where the payer approves it. When the provider cannot be had the
 * order is cancelled: basket, stock and Idempotency-Key (by its hash) are free again, so that a repeat places anew; and
 * what the provider throws is thrown. Unless an equal request got through meanwhile: then its payment is this one's.
 */
export const openPayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  order: Pick<Order, 'id' | 'uuid' | 'number'>,
  idempotencyKey: string | null,
): Promise<PaymentItem> => {
  try {
    const opened = await open(merchant, payment, order)
    if (opened.status === 'cancelled') throw await whyCancelled(merchant, order.id)
    return opened
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const cancelling = { event: 'cancel', actor: opener, ifUnopened: true, idempotencyKey } as const
    // If even this fails, the sweep ends the order.
    await cancelById(merchant, order.id, cancelling).catch(() => {})
    const present = await getItem(key('payment', { merchant, uuid: payment.uuid }))
    if (present && present.status !== 'created' && present.status !== 'cancelled') return present
    throw error
  }
}
