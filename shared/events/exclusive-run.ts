import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { equals } from '../platform/table/expressions.ts'
import type { LeaseItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { acquireLease, releaseLease } from '../platform/table/lease.ts'
import { updateItem } from '../platform/table/table.ts'

// A run that died is waited for so long. One that lives renews its lease long before.
const leaseMs = 15_000
const renewMs = 5000
const waitMs = 200

const take = (place: Key<LeaseItem>, owner: string) => acquireLease(place, owner, leaseMs)

/** Works under a lease that was taken, and gives it back, unless it ran out and is another run's by then. */
const under = async (place: Key<LeaseItem>, owner: string, work: () => Promise<void>): Promise<void> => {
  const isOurs = [equals('owner', owner)] as const
  const renew = () => updateItem(place, { set: { until: Date.now() + leaseMs } }, isOurs)
  // A lease that cannot be renewed ends by itself.
  const timer = setInterval(() => renew().catch(() => {}), renewMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
    await releaseLease(place, owner)
  }
}

/**
 * Does the work of a merchant unless another run is at it. Of the runs that find it so, one waits and works next; the
 * others leave: the one that waits has not looked yet, so it finds what they came for. `stays` keeps a run from leaving, as
 * the two that hold the leases may have died.
 */
export const runExclusively = async (
  merchant: MerchantId,
  work: () => Promise<void>,
  { stays }: { stays: boolean },
): Promise<void> => {
  const owner = randomUUID()
  const [now, next] = [key('telling', { merchant, turn: 'now' }), key('telling', { merchant, turn: 'next' })]
  const waitForNow = async () => {
    while (!(await take(now, owner))) await pause(waitMs)
  }
  while (!(await take(now, owner))) {
    if (await take(next, owner)) {
      await under(next, owner, waitForNow)
      break
    }
    if (!stays) return
    await pause(waitMs)
  }
  await under(now, owner, work)
}
