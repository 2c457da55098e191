import * as v from 'valibot'
import { visitMerchants, visitSome, type Walk } from '../merchants/directory.ts'
import { type MerchantId, merchantIdOf } from '../platform/table/keys.ts'
import { runExclusively } from './exclusive-run.ts'
import { hasUnpublishedOrders, publishOrders } from './publish-orders.ts'
import { hasUnpublishedWines, publishWines } from './publish-wines.ts'
import type { Changed } from './start-job.ts'

const StartedFor: v.GenericSchema<Changed> = v.object({ merchants: v.array(v.number()) })

const tellMerchant = async (merchant: MerchantId, until: number): Promise<void> => {
  const ends = await Promise.allSettled([publishOrders(merchant, until), publishWines(merchant, until)])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Tells of a merchant where an eventually consistent look, at half the price, shows something. */
const tellWhereUntold = async (merchant: MerchantId, until: number): Promise<void> => {
  const looks = await Promise.all([hasUnpublishedOrders(merchant), hasUnpublishedWines(merchant)])
  if (looks.includes(true)) await runExclusively(merchant, () => tellMerchant(merchant, until), { stays: true })
}

// Changes start runs without end: beside a slow bus, those that last would take the place of functions that answer.
const startedMs = 15_000

const tellSoon = (merchant: MerchantId, deadline: number): Promise<void> =>
  runExclusively(merchant, () => tellMerchant(merchant, Math.min(deadline, Date.now() + startedMs)), { stays: false })

/**
 * Tells the bus of what happened at the merchants that an event names, for some seconds each, and without names at all, until
 * a deadline in epoch milliseconds. The next call without names tells what is left then, fails, or was written a moment ago.
 * Of calls at once one tells of a merchant, one waits for its end, and the others leave it to that one.
 */
export const publishEvents = (event: unknown, deadline: number): Promise<Walk> => {
  const named = v.safeParse(StartedFor, event)
  if (!named.success) return visitMerchants(merchant => tellWhereUntold(merchant, deadline), deadline)
  return visitSome(named.output.merchants.map(merchantIdOf), merchant => tellSoon(merchant, deadline), deadline)
}
