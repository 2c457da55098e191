import * as v from 'valibot'
import { Problem } from '../../contract/errors.ts'
import { Id } from '../../contract/schema/wire.ts'
import { visitMerchants } from '../../merchants/directory.ts'
import { isProviderFailure } from '../../payments/provider-failure.ts'
import { paymentOf, taskKey } from '../../payments/record.ts'
import { log } from '../../platform/log.ts'
import { isRace } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { indexKeyPrefix, type MerchantId, merchantIdOf, partition } from '../../platform/table/keys.ts'
import { query, queryEntries } from '../../platform/table/table.ts'
import { type ReconcileResult, reconcilePayment } from './reconcile.ts'

/** The event that starts the sweep of one merchant. */
export type SweepEvent = { merchant: MerchantId }

const Event = v.object({ merchant: Id })

/** Throws a ValiError if the event names no merchant. */
export const readSweepEvent = (event: unknown): SweepEvent => ({
  merchant: merchantIdOf(v.parse(Event, event).merchant),
})

/**
 * Numbers of payments by result. `skipped`: not reached in time, or left because their provider did not answer twice;
 * `unexpected`: failures that are not a provider's. `failures` has one line for each failure.
 */
type SweepResult = Record<ReconcileResult | 'skipped' | 'unexpected', number> & { failures: string[] }

/** With `hours` all waiting payments are reconciled, else those that are due; orders expire after so many hours. */
type SweepOptions = { hours?: number; until?: number }

const actor = 'sweep'

// A provider that timed out twice is not asked again before the next run.
const maxTimeouts = 2

const farFuture = Date.UTC(9999, 0, 1)

const dueRange = (merchant: MerchantId, now: number) =>
  ({
    pk: partition('payment', { merchant }),
    indexed: true,
    between: [taskKey('due', 0), taskKey('due', now)],
  }) as const

/**
 * `due` if a payment of the merchant is to be reconciled by now, `waiting` if a payment is due later or in review. Half
 * a read unit: an eventually consistent read.
 */
export const duePayments = async (merchant: MerchantId, now = Date.now()): Promise<'due' | 'waiting' | 'none'> => {
  // The index lists the payments to be reconciled first (`due#time`), then those in review.
  const pk = partition('payment', { merchant })
  const [first] = await queryEntries({ pk, indexed: true, limit: 1, eventual: true })
  if (!first) return 'none'
  return (first.index ?? '') <= taskKey('due', now) ? 'due' : 'waiting'
}

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
  isRace(error) || (error instanceof Problem && error.word === 'payment_in_progress')

/** Counts an error, so that the other payments are reconciled all the same. Returns true if the provider timed out. */
const countError = (swept: SweepResult, merchant: MerchantId, { order }: PaymentItem, error: unknown): boolean => {
  if (isContention(error)) {
    swept.left++
    return false
  }
  const { message } = error as Error
  swept.failures.push(`merchant ${merchant}, order ${order}: ${message}`)
  if (isProviderFailure(error)) return error.word === 'payment_provider_timeout'
  swept.unexpected++
  log.error('a payment could not be reconciled', { merchant, order, error })
  return false
}

/** Reconciles one merchant's payments, the longest due first, until `until` in epoch milliseconds. Errors are counted. */
export const sweepMerchant = async (
  merchant: MerchantId,
  { hours, until = Number.POSITIVE_INFINITY }: SweepOptions = {},
): Promise<SweepResult> => {
  const swept = nothing()
  const timeouts = new Map<string | null, number>()
  const due = await query(dueRange(merchant, hours === undefined ? Date.now() : farFuture))
  for (const payment of due.map(paymentOf)) {
    const isSilent = (timeouts.get(payment.account) ?? 0) >= maxTimeouts
    if (isSilent || Date.now() >= until) {
      swept.skipped++
      continue
    }
    try {
      // Stryker disable next-line ConditionalExpression: A key without a value is read as no key.
      const result = await reconcilePayment(merchant, payment.uuid, { actor, ...(hours !== undefined && { hours }) })
      // Money of a paid order was there before.
      if (result !== 'paid' || payment.status !== 'captured') swept[result]++
    } catch (error) {
      if (countError(swept, merchant, payment, error))
        timeouts.set(payment.account, (timeouts.get(payment.account) ?? 0) + 1)
    }
  }
  return swept
}

/** Reconciles the payments of all merchants in this process. Rejects if the directory cannot be read. */
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
