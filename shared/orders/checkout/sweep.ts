import { Problem } from '../../contract/errors.ts'
import { visitMerchants } from '../../merchants/directory.ts'
import { isProviderFailure } from '../../payments/provider-failure.ts'
import { taskKey } from '../../payments/record.ts'
import { log } from '../../platform/log.ts'
import { ConditionFailed, TransactionRefused } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { indexKeyPrefix, type MerchantId, partition } from '../../platform/table/keys.ts'
import { query, queryEntries } from '../../platform/table/table.ts'
import { type ReconcileResult, reconcilePayment } from './reconcile.ts'

/**
 * What a sweep did, in payments; `failures` tells, one line each, what went wrong and where; `unexpected` of them were
 * no provider's. `skipped` were not reached: the time was over, or their provider did not answer others.
 */
export type SweepResult = Record<ReconcileResult | 'skipped' | 'unexpected', number> & { failures: string[] }

/** What is swept: payments whose next look is due, or with `hours` all that wait, and how long orders may wait. */
export type SweepOptions = { hours?: number; until?: number }

const actor = 'sweep'

// Two answers that did not come are enough to leave a provider alone until the next run.
const mostTimeouts = 2

const farFuture = Date.UTC(9999, 0, 1)

const dueRange = (merchant: MerchantId, now: number) =>
  ({
    pk: partition('payment', { merchant }),
    indexed: true,
    between: [taskKey('look', 0), taskKey('look', now)],
  }) as const

/**
 * Whether payments of a merchant are to be looked after by now (`due`), or wait for later or for a person (`waiting`). Half
 * a read unit: one that began to wait a moment ago may be missing.
 */
export const duePayments = async (merchant: MerchantId, now = Date.now()): Promise<'due' | 'waiting' | 'none'> => {
  // In the index a payment stands by what it waits for: first those that are looked after next, then those in review.
  const pk = partition('payment', { merchant })
  const [first] = await queryEntries({ pk, indexed: true, limit: 1, eventual: true })
  if (!first) return 'none'
  return (first.index ?? '') <= taskKey('look', now) ? 'due' : 'waiting'
}

/** How many of a merchant's payments wait for a person. */
export const countInReview = async (merchant: MerchantId): Promise<number> => {
  const prefix = indexKeyPrefix('payment', { task: 'review' })
  return (await query({ pk: partition('payment', { merchant }), indexed: true, prefix })).length
}

const nothing = (): SweepResult => ({
  paid: 0,
  cancelled: 0,
  refunded: 0,
  review: 0,
  left: 0,
  skipped: 0,
  unexpected: 0,
  failures: [],
})

const isContention = (error: unknown): boolean =>
  error instanceof ConditionFailed ||
  error instanceof TransactionRefused ||
  (error instanceof Problem && error.word === 'payment_in_progress')

/** Counts an error; one payment's must not keep the others waiting. Returns whether the provider did not answer. */
const countError = (swept: SweepResult, merchant: MerchantId, { order }: PaymentItem, error: unknown): boolean => {
  if (isContention(error)) {
    swept.left++
    return false
  }
  const { message } = error as Error
  swept.failures.push(`merchant ${merchant}, order ${order}: ${message}`)
  if (isProviderFailure(error)) return error.word === 'payment_provider_timeout'
  swept.unexpected++
  log.error('a payment could not be looked after', { merchant, order, error })
  return false
}

/**
 * Looks after one merchant's payments, the longest due first, until the moment `until` in milliseconds. Errors are
 * counted, never thrown; a provider that does not answer twice is left alone until the next run.
 */
export const sweepMerchant = async (
  merchant: MerchantId,
  { hours, until = Number.POSITIVE_INFINITY }: SweepOptions = {},
): Promise<SweepResult> => {
  const swept = nothing()
  const timeouts = new Map<string | null, number>()
  const due = await query(dueRange(merchant, hours === undefined ? Date.now() : farFuture))
  for (const payment of due) {
    const isSilent = (timeouts.get(payment.account) ?? 0) >= mostTimeouts
    if (isSilent || Date.now() >= until) {
      swept.skipped++
      continue
    }
    try {
      swept[await reconcilePayment(merchant, payment.uuid, { actor, ...(hours !== undefined && { hours }) })]++
    } catch (error) {
      if (countError(swept, merchant, payment, error))
        timeouts.set(payment.account, (timeouts.get(payment.account) ?? 0) + 1)
    }
  }
  return swept
}

/** Looks after the payments of all merchants in this process. Rejects when the directory cannot be read. */
export const sweep = async (sweeping: SweepOptions = {}): Promise<SweepResult> => {
  const total = nothing()
  const walk = await visitMerchants(async merchant => {
    const { failures, ...counts } = await sweepMerchant(merchant, sweeping)
    for (const [name, count] of Object.entries(counts)) total[name as keyof typeof counts] += count
    total.failures.push(...failures)
  })
  total.unexpected += walk.failures.length
  total.failures.push(
    ...walk.failures.map(({ merchant, error }) => `merchant ${merchant}: ${(error as Error).message}`),
  )
  return total
}
