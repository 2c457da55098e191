import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '../../platform/log.ts'
import { present } from '../../platform/table/expressions.ts'
import {
  ConditionFailed,
  pauseBeforeTry,
  poll,
  TransactionRefused,
  Unavailable,
} from '../../platform/table/failures.ts'
import type { LeaseItem, QueuedOrderItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId, partition } from '../../platform/table/keys.ts'
import { acquireLease, releaseLease } from '../../platform/table/lease.ts'
import { deleteItem, getItems, putItem, queryEntries, queryPages, updateItem } from '../../platform/table/table.ts'
import { type Action, remove } from '../../platform/table/transact.ts'
import { unixSeconds } from '../../values/time.ts'

/** A draft as it is stored in the queue; `version` is that of its schema. */
export type QueuedDraft = { uuid: string; doc: Uint8Array; version: string }

/** A draft in the queue; `dequeue` belongs into the transaction that writes its order. */
export type QueuedOrder = QueuedDraft & { dequeue: Action }

/** An order that the leader cannot commit. */
export type Rejected = { uuid: string; why: string }

/**
 * Commits at least the first of some queued orders in one transaction, and returns those that are to be rejected; the others
 * stay queued. Throws TransactionRefused when only other requests' writes were in the way.
 */
export type Commit = (queued: readonly QueuedOrder[]) => Promise<readonly Rejected[]>

// Milliseconds before each poll of a request for its order; the last is repeated.
const pollPausesMs = [30, 100, 250]
// A leader that dies costs so many milliseconds. A live leader stops early enough to end its last transaction.
const leaseMs = 1500
const leadMs = 1000
const maxTogether = 15
// The sweep deletes what a request leaves behind within minutes; this is for what no sweep sees.
const storedSeconds = 3600

/** The key of the lease of a merchant's leader. */
export const leaderKey = (merchant: MerchantId): Key<LeaseItem> => key('leader', { merchant, counter: 'orders' })

/** True while a request leads the queue. */
export const hasLeader = (leader: LeaseItem | undefined): boolean => leader !== undefined && leader.until > Date.now()

const isQueued = [present, { attribute: 'rejected', is: 'absent' }] as const

/** Marks an order as rejected, unless it was committed or withdrawn meanwhile. */
const reject = async (place: Key<QueuedOrderItem>, why: string): Promise<void> => {
  const change = { set: { rejected: why }, remove: ['doc'] } as const
  await updateItem(place, change, isQueued).catch(error => {
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** Commits queued orders, group by group, until the queue is empty or the time is over. */
const commitAll = async (merchant: MerchantId, commit: Commit): Promise<void> => {
  const pk = partition('queuedOrder', { merchant })
  const end = Date.now() + leadMs
  /** Sort keys of orders that are rejected or expired, but still stored. */
  const over = new Set<string>()
  let [together, refused] = [maxTogether, 0]
  while (Date.now() < end) {
    const limit = together + over.size
    const entries = await queryEntries({ pk, limit })
    const now = Date.now()
    const queued = entries.flatMap(({ sk, item: { uuid, doc, version, until } }) => {
      const place: Key<QueuedOrderItem> = { pk, sk }
      if (doc && until > now) return [{ place, uuid, doc, version, dequeue: remove('waiting', place, isQueued) }]
      over.add(sk)
      return []
    })
    if (queued.length === 0 && entries.length < limit) return
    if (queued.length === 0) continue
    const group = queued.slice(0, together)
    const rejected = await commit(group).catch(async (error): Promise<Rejected[]> => {
      if (error instanceof Unavailable) throw error
      if (error instanceof TransactionRefused) {
        await pauseBeforeTry(++refused)
        return []
      }
      log.error('queued orders could not be committed', { error, merchant, orders: group.length })
      // A single order is to blame. From now on each is committed alone, so that it harms no other.
      together = 1
      return group.length === 1 ? group.map(({ uuid }) => ({ uuid, why: 'failed' })) : []
    })
    const whyOf = new Map(rejected.map(({ uuid, why }) => [uuid, why]))
    await Promise.all(
      group.map(async ({ uuid, place }) => {
        const why = whyOf.get(uuid)
        if (why) await reject(place, why)
      }),
    )
  }
}

/** Leads a merchant's queue for up to a second; false if another request leads, or the table did not answer. */
export const lead = async (merchant: MerchantId, commit: Commit): Promise<boolean> => {
  const [place, owner] = [leaderKey(merchant), randomUUID()]
  if (!(await acquireLease(place, owner, leaseMs))) return false
  try {
    await commitAll(merchant, commit)
    return true
  } catch (error) {
    // The last group is committed as a whole, or still queued.
    if (!(error instanceof Unavailable)) throw error
    log.warn('a leader got no answer', { error, merchant })
    return false
  } finally {
    await releaseLease(place, owner)
  }
}

/** Polls a queued order until it is committed or rejected. */
const outcomeOf = async (merchant: MerchantId, place: Key<QueuedOrderItem>, commit: Commit, deadline: number) => {
  let hasLed = false
  const pauseAfter = (looked: number) => (hasLed ? 0 : (pollPausesMs[looked] ?? 250) * (0.5 + Math.random()))
  await pause(pauseAfter(0))
  return poll(async () => {
    const [own, leader] = await getItems([place, leaderKey(merchant)] as const)
    if (!own) return 'committed'
    if (own.rejected !== undefined) return 'rejected'
    if (Date.now() > deadline) throw new Unavailable('too many wait for a number')
    // A leader's own order is usually among those that it has committed.
    hasLed = !hasLeader(leader) && (await lead(merchant, commit))
    return undefined
  }, pauseAfter)
}

/**
 * Queues an order and polls it until it is committed or rejected; leads the queue while no other request does. Throws
 * Unavailable after `deadline` (epoch milliseconds): the order is withdrawn then.
 */
export const waitInQueue = async (
  merchant: MerchantId,
  { uuid, doc, version }: QueuedDraft,
  commit: Commit,
  deadline: number,
): Promise<'committed' | 'rejected'> => {
  const now = Date.now()
  const place = key('queuedOrder', { merchant, moment: now, uuid })
  let isStored = false
  try {
    await putItem(place, { uuid, doc, version, until: deadline, expires: unixSeconds(now) + storedSeconds })
    isStored = true
    const outcome = await outcomeOf(merchant, place, commit, deadline)
    // If this fails, the sweep deletes it.
    if (outcome === 'rejected') await deleteItem(place).catch(() => {})
    return outcome
  } catch (error) {
    // A write that got no answer may have stored it all the same.
    const left = await deleteItem(place)
    if (left ? left.rejected === undefined : !isStored) throw error
    return left ? 'rejected' : 'committed'
  }
}

// Milliseconds after which the request that queued an order has ended.
const abandonedMs = 60_000

/** Deletes queued orders whose requests died: they hold names and addresses. */
export const deleteAbandoned = async (merchant: MerchantId): Promise<void> => {
  const pk = partition('queuedOrder', { merchant })
  const before = Date.now() - abandonedMs
  for await (const entries of queryPages({ pk, eventual: true })) {
    const abandoned = entries.filter(({ item }) => item.until < before)
    await Promise.all(abandoned.map(({ sk }) => deleteItem({ pk, sk })))
  }
}
