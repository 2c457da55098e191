import { visitMerchants, type Walk } from '../../merchants/directory.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { putItem } from '../../platform/table/table.ts'
import { shardOf } from '../wines/stored.ts'
import { hasUnpublished, publishNext } from './publish.ts'

/** What is said where something could not be published. */
export const unpublished = 'a merchant’s changes could not be published'

/** What could not be published. */
export type Failure = { merchant: MerchantId; error: unknown }

// A change of this item starts the job again, after those that wait already.
const leave = (merchant: MerchantId): Promise<void> => putItem(key('backlog', { merchant }), { since: Date.now() })

/** Publishes for merchants of one partition in turns, one step each, until the time is over, and leaves what is left. */
const publishLane = async (lane: readonly MerchantId[], until: number): Promise<Failure[]> => {
  const failures: Failure[] = []
  const trying = async <T>(merchant: MerchantId, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act()
    } catch (error) {
      failures.push({ merchant, error })
      return undefined
    }
  }
  let waiting = [...lane]
  const unsure: MerchantId[] = []
  do {
    const more: MerchantId[] = []
    for (const merchant of waiting) {
      const left = await trying(merchant, () => publishNext(merchant))
      if (left === 'more') more.push(merchant)
      if (left === 'unsure') unsure.push(merchant)
    }
    waiting = more
  } while (waiting.length > 0 && Date.now() < until)
  for (const merchant of [...waiting, ...unsure]) await trying(merchant, () => leave(merchant))
  return failures
}

/**
 * Publishes what changed in the catalogues of some merchants. Each gets at least one step, and as many in turn as there
 * is time for until `until` (epoch milliseconds), so that no catalogue keeps others waiting; what is left starts the job
 * anew. One that fails stops no other one.
 */
export const publishChanges = async (merchants: Iterable<MerchantId>, until: number): Promise<Failure[]> => {
  // Those of one partition raise the same version, and would only be in one another's way.
  const lanes = Map.groupBy(new Set(merchants), shardOf)
  const failures = await Promise.all([...lanes.values()].map(lane => publishLane(lane, until)))
  return failures.flat()
}

/**
 * Publishes what no run has published: compares the counters of all merchants, from a random one on, until the deadline
 * (epoch milliseconds). The next call publishes what is left then, or was written a moment ago. Returns the walk with how
 * many merchants seemed to be behind.
 */
export const publishMissed = async (deadline: number): Promise<Walk & { behind: number }> => {
  let behind = 0
  const walk = await visitMerchants(async merchant => {
    if (!(await hasUnpublished(merchant))) return
    behind++
    while ((await publishNext(merchant)) === 'more' && Date.now() < deadline);
  }, deadline)
  return { ...walk, behind }
}
