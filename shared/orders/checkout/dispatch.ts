import { type Visits, visitMerchants } from '../../merchants/directory.ts'
import { startJob } from '../../platform/jobs/start.ts'
import { deleteAbandoned } from '../numbering/queue.ts'
import { countInReview, duePayments, type SweepEvent } from './sweep.ts'

/**
 * Starts a sweep for each merchant with a due payment, until the deadline in epoch milliseconds, and waits for none of
 * them. Deletes abandoned drafts of orders as well. Returns the walk through the directory, the number of started sweeps
 * and the number of payments in review.
 *
 * Two sweeps of one merchant may overlap, if the first is slow or Lambda delivers an event twice. Both claim a payment
 * before they ask the provider, write only if it is unchanged, and refund under one request id.
 */
export const dispatchSweeps = async (deadline: number): Promise<Visits & { started: number; inReview: number }> => {
  let [started, inReview] = [0, 0]
  const walk = await visitMerchants(async merchant => {
    const payments = await duePayments(merchant)
    if (payments === 'due') {
      await startJob({ merchant } satisfies SweepEvent)
      started++
    }
    const waiting = payments === 'none' ? 0 : await countInReview(merchant)
    inReview += waiting
    await deleteAbandoned(merchant)
  }, deadline)
  return { ...walk, started, inReview }
}
