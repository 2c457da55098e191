import type { Order } from '../contract/records/order.ts'
import { readMerchant } from '../merchants/settings.ts'
import { equals } from '../table/expressions.ts'
import { ConditionFailed } from '../table/failures.ts'
import type { PaymentItem } from '../table/items.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { updateItem } from '../table/table.ts'
import { providerOf } from './providers.ts'
import { requestIdOf } from './record.ts'

/** The return address with the payment's id, as shops read it there. */
const returnUrlOf = ({ return_url, uuid }: PaymentItem): string => {
  const url = new URL(return_url)
  url.searchParams.set('pid', uuid)
  return url.href
}

/**
 * Opens a payment at the merchant's provider and keeps where the payer approves it. A repeat is the same request to
 * the provider, so it opens nothing twice. Throws payment_provider_error or payment_provider_timeout.
 */
export const openPayment = async (
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
    returnUrl: returnUrlOf(payment),
    cancelUrl: payment.cancel_url,
    requestId: requestIdOf(uuid, 'open'),
  })
  const place = key('payment', { merchant, uuid })
  const opened = { status: 'open', external_id: externalId, target_url: targetUrl } as const
  try {
    return await updateItem(place, { set: opened }, [equals('status', 'created')])
  } catch (error) {
    // Another repeat was faster, or the order was cancelled meanwhile.
    const present = error instanceof ConditionFailed ? error.present(place) : undefined
    if (present) return present
    throw error
  }
}
