import { Problem } from '../../contract/errors.ts'
import type { Order } from '../../contract/records/order.ts'
import { defaultProvider } from '../../contract/vocabulary.ts'
import { readMerchant } from '../../merchants/settings.ts'
import { requestIdOf } from '../../payments/provider.ts'
import { providerOf } from '../../payments/providers.ts'
import { paymentAction, readPayment } from '../../payments/record.ts'
import { changed } from '../../payments/refunds.ts'
import { setBy } from '../../payments/states.ts'
import { retry, TransactionRefused, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { put, transact } from '../../platform/table/transact.ts'
import { cancelById } from '../checkout/cancel.ts'
import { readOrderVersion } from '../store.ts'
import { returnUrlWith } from './redirects.ts'

/** The actor that cancels an order whose payment could not be opened. */
export const opener = 'payment provider'

/**
 * Opens a payment at the merchant's provider. A repeat sends the same request id, so that no second payment is opened.
 */
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
  const opened = {
    provider: settings.payment_provider ?? defaultProvider,
    account: provider.account,
    external_id: externalId,
    target_url: targetUrl,
  }
  const set = setBy(payment, { is: 'opened', opened })
  const actions = [
    paymentAction(merchant, payment, set),
    // Shops also name a payment by the provider's id.
    // Stryker disable next-line StringLiteral: Only the log distinguishes this action.
    put('external', key('externalPayment', { merchant, external: externalId }), { uuid }),
  ]
  try {
    await retry(
      () => transact(actions),
      error => error.contended,
    )
    return changed(payment, set)
  } catch (error) {
    if (!(error instanceof TransactionRefused && error.hasFailed('payment'))) throw error
    // Another repeat was faster, or the order was cancelled meanwhile: that may show late.
    return untilShown(async () => {
      const present = await readPayment(merchant, uuid)
      return present?.status === 'created' ? undefined : present
    })
  }
}

/** The reason why an order was cancelled while its payment was opened: an equal request failed to open it, or a user did it. */
const whyCancelled = async (merchant: MerchantId, id: number): Promise<Problem> => {
  const { order } = await untilShown(() => readOrderVersion(merchant, id))
  // Stryker disable next-line UnaryOperator: The history of an order that was never opened is its placing and its end.
  // Stryker disable next-line OptionalChaining: An order always has a history; the types do not know.
  const hasFailed = order.history.at(-1)?.actor === opener
  const because = 'its payment was being opened'
  return new Problem(hasFailed ? 'payment_provider_error' : 'order_cancelled', { because })
}

/**
 * Opens a payment at the merchant's provider and stores the URL at which the payer approves it. If the provider fails, the
 * order is cancelled and the error is thrown: basket, stock and Idempotency-Key (by its hash) are released, so that a repeat
 * places a new order. If an equal request has opened the payment meanwhile, that payment is returned.
 */
export const openPayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  order: Pick<Order, 'id' | 'uuid' | 'number'>,
  idempotencyKey: string | null,
): Promise<PaymentItem> => {
  try {
    const opened = await open(merchant, payment, order)
    // Stryker disable next-line ConditionalExpression: A payment that is open is not cancelled after that, and is found
    // and returned all the same.
    if (opened.status === 'cancelled') throw await whyCancelled(merchant, order.id)
    return opened
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const cancelling = { event: 'cancel', actor: opener, ifUnopened: true, idempotencyKey } as const
    // If even this fails, the sweep ends the order.
    await cancelById(merchant, order.id, cancelling).catch(() => {})
    const present = await readPayment(merchant, payment.uuid)
    if (present && present.status !== 'created' && present.status !== 'cancelled') return present
    throw error
  }
}
