import * as v from 'valibot'
import { type Visits, visitAll, visitMerchants } from '../merchants/directory.ts'
import { type MerchantId, merchantIdOf } from '../platform/table/keys.ts'
import { runExclusively } from './exclusive-run.ts'
import { hasUnpublishedOrders, publishOrders } from './publish-orders.ts'
import { hasUnpublishedWines, publishWines } from './publish-wines.ts'
import type { EventJobInput } from './start-job.ts'

const StartedFor: v.GenericSchema<EventJobInput> = v.object({ merchants: v.array(v.number()) })

const publishMerchant = async (merchant: MerchantId, until: number): Promise<void> => {
  const ends = await Promise.allSettled([publishOrders(merchant, until), publishWines(merchant, until)])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Publishes for a merchant if eventually consistent reads, at half the cost, show unpublished events. */
const publishIfAny = async (merchant: MerchantId, until: number): Promise<void> => {
  const found = await Promise.all([hasUnpublishedOrders(merchant), hasUnpublishedWines(merchant)])
  if (found.includes(true)) await runExclusively(merchant, () => publishMerchant(merchant, until), { stays: true })
}

// The stream starts runs all the time: with a slow bus, long runs would use up the account's concurrency.
const maxRunMs = 15_000

const publishSoon = (merchant: MerchantId, deadline: number): Promise<void> =>
  runExclusively(merchant, () => publishMerchant(merchant, Math.min(deadline, Date.now() + maxRunMs)), { stays: false })

/**
 * Publishes the events of the merchants that the job's input names, for some seconds each; of all merchants if it names
 * none, until a deadline in epoch milliseconds. The next run without names publishes what is left, has failed, or was
 * written too recently. Of concurrent runs for a merchant the first publishes, the second waits, and the others return.
 */
export const publishEvents = (event: unknown, deadline: number): Promise<Visits> => {
  const named = v.safeParse(StartedFor, event)
  if (!named.success) return visitMerchants(merchant => publishIfAny(merchant, deadline), deadline)
  return visitAll(named.output.merchants.map(merchantIdOf), merchant => publishSoon(merchant, deadline), deadline)
}
