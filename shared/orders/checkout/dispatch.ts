import { visitMerchants, type Walk } from '../../merchants/directory.ts'
import { startJob } from '../../platform/jobs/start.ts'
import { deleteAbandoned } from '../numbering/queue.ts'
import { countInReview, duePayments } from './sweep.ts'
import type { SweepEvent } from './sweep-event.ts'

/**
 * Starts a sweep of its own for each merchant that has a payment due, until the deadline, in epoch milliseconds, and
 * waits for none of them. Payments that began to wait a moment ago are left to the next run. Returns the walk through the
 * directory with how many sweeps were started, and how many payments wait for a person. On its way it deletes the orders
 * that requests laid down and then died.
 *
 * Nothing keeps two sweeps of one merchant apart when the first one is slow or Lambda delivers an event twice; nothing
 * has to. Both claim a payment before they ask about it, write under the condition that it is still as they read it,
 * and give money back under one request id: the second one finds the work done, or leaves it to the first.
 */
export const dispatchSweeps = async (deadline: number): Promise<Walk & { started: number; inReview: number }> => {
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
