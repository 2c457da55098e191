import type { Order } from '../contract/orders.ts'
import { returnUrl } from '../orders/placing/redirects.ts'
import { equals } from '../table/expressions.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { ConditionFailed, updateItem } from '../table/table.ts'
import { settingsOf } from './merchant-provider.ts'
import { providerOf } from './providers.ts'
import { type PaymentItem, paymentOf, requestIdOf } from './record.ts'

/**
 * Opens a payment at the merchant's provider and keeps where the payer approves it. A repeat is the same request to
 * the provider, so it opens nothing twice. Throws payment_provider_error or payment_provider_timeout.
 */
export const openPayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  order: Pick<Order, 'uuid' | 'number'>,
): Promise<PaymentItem> => {
  const { uuid } = payment
  const settings = await settingsOf(merchant)
  const provider = await providerOf(settings)
  const { externalId, targetUrl } = await provider.open({
    payment: uuid,
    order: { uuid: order.uuid, number: order.number },
    merchantName: settings.name,
    amount: payment.amount,
    currency: payment.currency,
    returnUrl: returnUrl(payment.return_url, uuid),
    cancelUrl: payment.cancel_url,
    requestId: requestIdOf(uuid, 'open'),
  })
  const place = key('payment', { merchant, uuid })
  const opened = { status: 'open', external_id: externalId, target_url: targetUrl }
  try {
    return paymentOf(await updateItem<PaymentItem>(place, { set: opened }, [equals('status', 'created')]))
  } catch (error) {
    // Another repeat was faster, or the order was cancelled meanwhile.
    if (error instanceof ConditionFailed && error.item) return error.item as PaymentItem
    throw error
  }
}
