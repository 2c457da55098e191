import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { equals } from '../platform/table/expressions.ts'
import type { LeaseItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { acquireLease, releaseLease } from '../platform/table/lease.ts'
import { updateItem } from '../platform/table/table.ts'

// A crashed run blocks others for this long. A live run renews its lease long before.
const leaseMs = 15_000
const renewMs = 5000
const waitMs = 200

const acquire = (place: Key<LeaseItem>, owner: string) => acquireLease(place, owner, leaseMs)

/** Works under an acquired lease, and releases it unless it has expired and is another run's. */
const withLease = async (place: Key<LeaseItem>, owner: string, work: () => Promise<void>): Promise<void> => {
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
 * Runs work for a merchant, one run at a time. During a run, a second waits to run next, and the others return: the
 * waiting run has not read yet, so it does their work too. With `stays` a run waits as well, as the two with leases may
 * have crashed.
 */
export const runExclusively = async (
  merchant: MerchantId,
  work: () => Promise<void>,
  { stays }: { stays: boolean },
): Promise<void> => {
  const owner = randomUUID()
  const [now, next] = [
    key('publisherLease', { merchant, turn: 'now' }),
    key('publisherLease', { merchant, turn: 'next' }),
  ]
  const waitForNow = async () => {
    while (!(await acquire(now, owner))) await pause(waitMs)
  }
  while (!(await acquire(now, owner))) {
    if (await acquire(next, owner)) {
      await withLease(next, owner, waitForNow)
      break
    }
    if (!stays) return
    await pause(waitMs)
  }
  await withLease(now, owner, work)
}
