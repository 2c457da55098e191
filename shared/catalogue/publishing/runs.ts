import { type Visits, visitMerchants } from '../../merchants/directory.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { putItem } from '../../platform/table/table.ts'
import { shardOf } from '../wines/stored.ts'
import { hasUnpublished, publishNext } from './publish.ts'

export const unpublished = 'a merchant’s changes could not be published'

export type Failure = { merchant: MerchantId; error: unknown }

// A change of this item starts the job again, after the merchants that wait already.
const enqueue = (merchant: MerchantId): Promise<void> => putItem(key('backlog', { merchant }), { since: Date.now() })

/** Publishes for merchants of one partition in turns, one step each, until the deadline; enqueues those with a rest. */
const publishShard = async (all: readonly MerchantId[], until: number): Promise<Failure[]> => {
  const failures: Failure[] = []
  const collectFailure = async <T>(merchant: MerchantId, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act()
    } catch (error) {
      failures.push({ merchant, error })
      return undefined
    }
  }
  let waiting = [...all]
  const unsure: MerchantId[] = []
  do {
    const more: MerchantId[] = []
    for (const merchant of waiting) {
      const left = await collectFailure(merchant, () => publishNext(merchant))
      if (left === 'more') more.push(merchant)
      if (left === 'unsure') unsure.push(merchant)
    }
    waiting = more
  } while (waiting.length > 0 && Date.now() < until)
  for (const merchant of [...waiting, ...unsure]) await collectFailure(merchant, () => enqueue(merchant))
  return failures
}

/**
 * Publishes the changes of some merchants. Each gets at least one step, and further steps in turns until `until` (epoch
 * milliseconds), so that no catalogue blocks others; a rest starts the job again. A failure does not stop the others.
 */
export const publishChanges = async (merchants: Iterable<MerchantId>, until: number): Promise<Failure[]> => {
  // Merchants of one partition raise the same version: concurrent writes would only conflict.
  const shards = Map.groupBy(new Set(merchants), shardOf)
  const failures = await Promise.all([...shards.values()].map(all => publishShard(all, until)))
  return failures.flat()
}

/**
 * Publishes changes that no run has published: compares the counters of all merchants, from a random merchant on, until
 * the deadline (epoch milliseconds). Changes that it does not reach, or were just written, are left to the next call.
 * Returns the walk with the number of merchants that seemed to be behind.
 */
export const publishMissed = async (deadline: number): Promise<Visits & { behind: number }> => {
  let behind = 0
  const walk = await visitMerchants(async merchant => {
    if (!(await hasUnpublished(merchant))) return
    behind++
    while ((await publishNext(merchant)) === 'more' && Date.now() < deadline);
  }, deadline)
  return { ...walk, behind }
}
