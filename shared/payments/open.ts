import type { MerchantPayment } from '../contract/routes/payments.ts'
import { boundedPage, offsetOf, type Page, type PageRequest } from '../contract/schema/lists.ts'
import type { PaymentItem } from '../platform/table/items.ts'
import { indexKeyPrefix, type MerchantId, partition } from '../platform/table/keys.ts'
import { query } from '../platform/table/table.ts'
import { formatMoney } from '../values/money.ts'
import { isInReview, paymentOf, paymentView } from './record.ts'
import { givenBackOf, isGoingBack } from './refunds.ts'

const waitingFor = async (merchant: MerchantId, task: 'due' | 'review'): Promise<PaymentItem[]> => {
  const prefix = indexKeyPrefix('payment', { task })
  return (await query({ pk: partition('payment', { merchant }), indexed: true, prefix })).map(paymentOf)
}

/** A merchant's payments that are still to be reconciled, and those in review. */
export const unsettledPayments = async (
  merchant: MerchantId,
): Promise<{ waiting: PaymentItem[]; review: PaymentItem[] }> => {
  const [due, review] = await Promise.all([waitingFor(merchant, 'due'), waitingFor(merchant, 'review')])
  // Money of paid orders is only watched.
  const waiting = due.filter(one => one.status !== 'captured' || isGoingBack(one))
  return { waiting, review }
}

/** A payment as its merchant sees it. */
export const merchantPayment = (payment: PaymentItem): MerchantPayment => {
  const { taken, reason, provider, order, order_uuid, crstamp } = payment
  return {
    ...paymentView(payment),
    order_id: order,
    order_uuid,
    provider,
    taken: taken && { amount: formatMoney(taken.amount), currency: taken.currency },
    refunded: formatMoney(givenBackOf(payment)),
    reason,
    review: isInReview(payment) ? 1 : 0,
    crstamp,
  }
}

/** A page of the payments that are not settled, those in review first. */
export const listOpenPayments = async (merchant: MerchantId, request: PageRequest): Promise<Page<MerchantPayment>> => {
  const { review, waiting } = await unsettledPayments(merchant)
  const all = [...review, ...waiting]
  const start = offsetOf(request)
  const page = all.slice(start, start + request.pageSize)
  return boundedPage(request, all.length, page.map(merchantPayment))
}
