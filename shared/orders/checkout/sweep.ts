import { Problem } from '../../contract/errors.ts'
import { providerFor } from '../../payments/providers.ts'
import { requestIdOf, waitingKey } from '../../payments/record.ts'
import { equals } from '../../table/expressions.ts'
import { ConditionFailed, TransactionRefused } from '../../table/failures.ts'
import type { PaymentItem } from '../../table/items.ts'
import { key, type MerchantId, merchantIdOf, partition } from '../../table/keys.ts'
import { query, queryEntries, updateItem } from '../../table/table.ts'
import { timestamp } from '../../time.ts'
import { cancelById } from './cancel.ts'
import { resolvePayment } from './resolve.ts'

/** What a sweep did, in payments; `failures` tells, one line each, where a provider failed. */
export type Swept = { cancelled: number; paid: number; refunded: number; left: number; failures: string[] }

type Outcome = Exclude<keyof Swept, 'failures'>

const actor = 'sweep'
const hour = 3_600_000

const waitingFor = (merchant: MerchantId, task: 'open' | 'refund', until: number): Promise<PaymentItem[]> =>
  query({
    pk: partition('payment', { merchant }),
    indexed: true,
    between: [waitingKey(task, '0'), waitingKey(task, timestamp(until))],
  })

/** Ends an order that nobody paid in time; one that was paid after all, or is about to be, goes on. */
const endUnpaid = async (merchant: MerchantId, payment: PaymentItem): Promise<'cancelled' | 'paid' | 'left'> => {
  const state = await resolvePayment(merchant, payment, actor)
  if (state === 'paid') return 'paid'
  if (state === 'pending') return 'left'
  const expired = await cancelById(merchant, payment.order, 'expire', actor)
  // It waited for a payment that came to nothing.
  const hasFailed = expired.order.header.status === 'need_payment'
  const { order } = hasFailed ? await cancelById(merchant, payment.order, 'cancel', actor) : expired
  return order.header.status === 'cancelled' ? 'cancelled' : 'left'
}

const settleRefund = async (
  merchant: MerchantId,
  payment: PaymentItem,
  status: 'refunded' | 'cancelled',
  captureId: string | null,
) => {
  const change = { set: { status, capture_id: captureId }, index: null }
  await updateItem(key('payment', { merchant, uuid: payment.uuid }), change, [equals('status', payment.status)])
}

/** Pays money of a cancelled order back; looks once more a day later whether any arrived. */
const payBack = async (merchant: MerchantId, payment: PaymentItem): Promise<'refunded' | 'left'> => {
  const { external_id: externalId, uuid, amount, crstamp } = payment
  if (!externalId) {
    await settleRefund(merchant, payment, 'cancelled', null)
    return 'left'
  }
  const provider = await providerFor(merchant)
  const view = await provider.inspect(externalId)
  const captureId = payment.capture_id ?? view.captureId
  if (captureId && (view.state === 'captured' || payment.status === 'refund_due')) {
    await provider.refund(captureId, view.amount ?? amount, requestIdOf(uuid, 'back'))
    await settleRefund(merchant, payment, 'refunded', captureId)
    return 'refunded'
  }
  if (crstamp < timestamp(Date.now() - 24 * hour) && view.state !== 'pending')
    await settleRefund(merchant, payment, 'cancelled', null)
  return 'left'
}

const isOfProvider = ({ word }: Problem): boolean =>
  word === 'payment_provider_error' || word === 'payment_provider_timeout'

const counted = async (
  swept: Swept,
  merchant: MerchantId,
  { order }: PaymentItem,
  work: () => Promise<Outcome>,
): Promise<void> => {
  try {
    swept[await work()]++
  } catch (error) {
    // One payment in somebody's hands, or a provider that fails, must not keep the others waiting.
    const isItsOwn = error instanceof Problem || error instanceof ConditionFailed || error instanceof TransactionRefused
    if (!isItsOwn) throw error
    if (error instanceof Problem && isOfProvider(error))
      swept.failures.push(`merchant ${merchant}, order ${order}: ${error.message}`)
    else swept.left++
  }
}

/** Looks after one merchant's payments: unpaid ones older than `hours`, and money to be paid back. */
export const sweepMerchant = async (merchant: MerchantId, hours = 24): Promise<Swept> => {
  const swept: Swept = { cancelled: 0, paid: 0, refunded: 0, left: 0, failures: [] }
  const now = Date.now()
  for (const payment of await waitingFor(merchant, 'open', now - hours * hour))
    await counted(swept, merchant, payment, () => endUnpaid(merchant, payment))
  for (const payment of await waitingFor(merchant, 'refund', now + hour))
    await counted(swept, merchant, payment, () => payBack(merchant, payment))
  return swept
}

/** Looks after the payments of all merchants. */
export const sweep = async (hours = 24): Promise<Swept> => {
  const merchants = await queryEntries({ pk: partition('directory', {}) })
  const total: Swept = { cancelled: 0, paid: 0, refunded: 0, left: 0, failures: [] }
  for (const { sk } of merchants) {
    const { failures, ...counts } = await sweepMerchant(merchantIdOf(sk), hours)
    for (const [name, count] of Object.entries(counts)) total[name as Outcome] += count
    total.failures.push(...failures)
  }
  return total
}
