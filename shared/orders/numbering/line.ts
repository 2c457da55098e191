import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '../../platform/log.ts'
import { present } from '../../platform/table/expressions.ts'
import { ConditionFailed, pauseBeforeTry, TransactionRefused, Unavailable } from '../../platform/table/failures.ts'
import type { LeaseItem, WaitingOrderItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId, partition } from '../../platform/table/keys.ts'
import { giveLeaseBack, takeLease } from '../../platform/table/lease.ts'
import { deleteItem, getItems, putItem, queryEntries, updateItem } from '../../platform/table/table.ts'
import { type Action, remove } from '../../platform/table/transact.ts'
import { unixSeconds } from '../../values/time.ts'

/** An order as its request lays it down: `version` tells who can read it. */
export type LaidDown = { uuid: string; doc: Uint8Array; version: string }

/** An order in the line. Whoever commits it takes it out of the line by `leave`, in the same transaction. */
export type Waiting = LaidDown & { leave: Action }

/** An order that its leader cannot commit, and why. */
export type PutOut = { uuid: string; why: string }

/**
 * Commits orders that wait, the first of them at least, in one transaction. Returns those that are to be put out of the
 * line; of the others, what is not committed waits on. Throws TransactionRefused when nothing but others' writes was in the
 * way.
 */
export type Commit = (waiting: readonly Waiting[]) => Promise<readonly PutOut[]>

// Milliseconds between the looks of a request at its order; the last one again and again.
const looks = [30, 100, 250]
// A leader that dies costs so many milliseconds. One that lives stops early enough to end its last transaction.
const leaseMs = 1500
const leadMs = 1000
const mostTogether = 15
// The sweep deletes what a request leaves behind within minutes; this is for what no sweep sees.
const keptSeconds = 3600

/** Where it stands who leads a merchant's line. */
export const leaderKey = (merchant: MerchantId): Key<LeaseItem> => key('leader', { merchant, counter: 'orders' })

/** Whether a request leads at this moment. */
export const isLed = (leader: LeaseItem | undefined): boolean => leader !== undefined && leader.until > Date.now()

const stillWaits = [present, { attribute: 'out', is: 'absent' }] as const

/** Puts an order out of the line; one that is committed or taken back meanwhile has left it already. */
const putOut = async (place: Key<WaitingOrderItem>, why: string): Promise<void> => {
  const change = { set: { out: why }, remove: ['doc'] } as const
  await updateItem(place, change, stillWaits).catch(error => {
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** Commits what waits, group by group, until nothing waits or the time is over. */
const commitAll = async (merchant: MerchantId, commit: Commit): Promise<void> => {
  const pk = partition('waitingOrder', { merchant })
  const end = Date.now() + leadMs
  /** What stands in the line and waits no more. */
  const over = new Set<string>()
  let [together, refused] = [mostTogether, 0]
  while (Date.now() < end) {
    const limit = together + over.size
    const entries = await queryEntries({ pk, limit })
    const now = Date.now()
    const waiting = entries.flatMap(({ sk, item: { uuid, doc, version, until } }) => {
      const place: Key<WaitingOrderItem> = { pk, sk }
      if (doc && until > now) return [{ uuid, doc, version, place }]
      over.add(sk)
      return []
    })
    if (waiting.length === 0 && entries.length < limit) return
    if (waiting.length === 0) continue
    const group = waiting.slice(0, together)
    const outs = await commit(
      group.map(({ place, ...one }) => ({ ...one, leave: remove('waiting', place, stillWaits) })),
    ).catch(async (error): Promise<PutOut[]> => {
      if (error instanceof Unavailable) throw error
      if (error instanceof TransactionRefused) {
        await pauseBeforeTry(++refused)
        return []
      }
      log.error('orders that wait could not be committed', { error, customers_id: merchant, orders: group.length })
      // One of them is to blame. From now on each goes by itself, so that it harms nobody else.
      together = 1
      return group.length === 1 ? group.map(({ uuid }) => ({ uuid, why: 'failed' })) : []
    })
    await Promise.all(
      group.map(({ uuid, place }) => {
        const out = outs.find(one => one.uuid === uuid)
        return out && putOut(place, out.why)
      }),
    )
  }
}

/** Leads the line of a merchant for a while; false where another request does, or the table did not answer. */
export const lead = async (merchant: MerchantId, commit: Commit): Promise<boolean> => {
  const [place, owner] = [leaderKey(merchant), randomUUID()]
  if (!(await takeLease(place, owner, leaseMs))) return false
  try {
    await commitAll(merchant, commit)
    return true
  } catch (error) {
    // What was to be committed is in the line still, or it is not.
    if (!(error instanceof Unavailable)) throw error
    log.warn('a leader got no answer', { error, customers_id: merchant })
    return false
  } finally {
    await giveLeaseBack(place, owner)
  }
}

const look = async (merchant: MerchantId, place: Key<WaitingOrderItem>, commit: Commit, deadline: number) => {
  let hasLed = false
  for (let looked = 0; ; looked++) {
    if (!hasLed) await pause((looks[looked] ?? 250) * (0.5 + Math.random()))
    const [own, leader] = await getItems([place, leaderKey(merchant)] as const)
    if (!own) return 'committed'
    if (own.out !== undefined) return 'put out'
    if (Date.now() > deadline) throw new Unavailable('too many wait for a number')
    // A leader's own order is most often among those that it has committed.
    hasLed = !isLed(leader) && (await lead(merchant, commit))
  }
}

/**
 * Lays an order down and looks after it until it is committed or put out. Where nobody leads, this request does. Throws
 * Unavailable when the time is over, in milliseconds; then nobody commits the order any more.
 */
export const waitInLine = async (
  merchant: MerchantId,
  { uuid, doc, version }: LaidDown,
  commit: Commit,
  deadline: number,
): Promise<'committed' | 'put out'> => {
  const now = Date.now()
  const place = key('waitingOrder', { merchant, moment: now, uuid })
  let isLaidDown = false
  try {
    await putItem(place, { uuid, doc, version, until: deadline, expires: unixSeconds(now) + keptSeconds })
    isLaidDown = true
    const outcome = await look(merchant, place, commit, deadline)
    // What stays is the sweep's.
    if (outcome === 'put out') await deleteItem(place).catch(() => {})
    return outcome
  } catch (error) {
    // Also what got no answer may lie there.
    const left = await deleteItem(place)
    if (left ? left.out === undefined : !isLaidDown) throw error
    return left ? 'put out' : 'committed'
  }
}
