import { LRUCache } from 'lru-cache'
import type { Clause } from '../../platform/table/expressions.ts'
import { ConditionFailed, Unavailable } from '../../platform/table/failures.ts'
import type { QuotaItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../../platform/table/keys.ts'
import { updateItem } from '../../platform/table/table.ts'
import { defaults, limitOf, tooMany } from './quotas.ts'

// Storing a record is one write, and a count beside it would be a second one. So an instance that stores many takes some
// of a quota ahead, as long as there is plenty, and counts what it stores in memory. What is taken is not less than what
// is stored; it is more by what was not used, what was deleted and what has expired, until all is counted anew.

/** The amounts that are counted so. */
export const reservedNames = ['clients', 'addresses', 'baskets'] as const

type Name = (typeof reservedNames)[number]

/** How many of each amount a request is about to store. */
export type Wanted = Partial<Record<Name, number>>

const mostAhead = 20
// In milliseconds: so late, at most, a lower limit is noticed.
const trustedFor = 60_000

/**
 * What an instance knows of a quota, how many it has taken and not used, how many it used of late, and until when, in
 * milliseconds, that may be believed.
 */
type Share = { taken: number; limit: number; spare: number; used: number; until: number }

const shares = new LRUCache<string, Share>({ max: 1000 })

/** Holds while an amount leaves room for so many more; an amount that was never counted is none. */
export const leavesRoom = <const N extends string>(attribute: N, limit: number, more: number) => {
  const below = { attribute, is: '<=', value: limit - more } as const
  return more <= limit ? { anyOf: [{ attribute, is: 'absent' } as const, below] } : below
}

const hasLimit = (name: Name, limit: number): Clause<QuotaItem> => {
  const set = { attribute: 'limit', is: '=', value: limit } as const
  return limit === defaults[name] ? { anyOf: [{ attribute: 'limit', is: 'absent' }, set] } : set
}

const shareOf = (merchant: MerchantId, name: Name): Share => {
  const id = `${name} ${merchant}`
  const share = shares.get(id) ?? {
    taken: Number.POSITIVE_INFINITY,
    limit: defaults[name],
    spare: 0,
    used: 0,
    until: 0,
  }
  shares.set(id, share)
  return share
}

/** How many to take beside `count`: what was used lately tells what will be, and near the limit nobody takes what others need. */
const aheadOf = ({ taken, limit, used }: Share, count: number): number =>
  Math.max(0, Math.min(mostAhead, 2 * used, Math.floor((limit - taken - count) / 100)))

/** Takes some of a quota for an instance, or learns why it cannot. */
const take = async (place: Key<QuotaItem>, name: Name, share: Share, size: number): Promise<void> => {
  try {
    const clauses = [hasLimit(name, share.limit), leavesRoom('taken', share.limit, size)]
    const { taken = 0 } = await updateItem(place, { add: { taken: size } }, clauses)
    share.spare += size
    Object.assign(share, { taken, until: Date.now() + trustedFor })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const present = error.present(place)
    Object.assign(share, { taken: present?.taken ?? 0, limit: limitOf(name, present) })
  }
}

const reserveOne = async (merchant: MerchantId, name: Name, count: number): Promise<void> => {
  const share = shareOf(merchant, name)
  if (share.until <= Date.now()) Object.assign(share, { spare: 0, used: 0 })
  share.used += count
  for (let tried = 0; share.spare < count; tried++) {
    if (tried > 0 && share.taken + count > share.limit) throw tooMany(name, share.limit)
    await take(key('quota', { merchant, name }), name, share, count + aheadOf(share, count))
  }
  share.spare -= count
}

const entriesOf = (wanted: Wanted) =>
  reservedNames.flatMap(name => (wanted[name] ? [[name, wanted[name]] as const] : []))

/** Gives what was reserved and not stored back to the instance. */
export const giveBack = (merchant: MerchantId, wanted: Wanted): void => {
  for (const [name, count] of entriesOf(wanted)) shareOf(merchant, name).spare += count
}

/** Reserves what a request is about to store. Throws quota_exceeded; nothing is reserved then. */
export const reserve = async (merchant: MerchantId, wanted: Wanted): Promise<void> => {
  const reserved: Wanted = {}
  try {
    for (const [name, count] of entriesOf(wanted)) {
      await reserveOne(merchant, name, count)
      reserved[name] = count
    }
  } catch (error) {
    giveBack(merchant, reserved)
    throw error
  }
}

/** Stores what was reserved for it. Throws quota_exceeded before anything is written. */
export const reserving = async <T>(merchant: MerchantId, wanted: Wanted, store: () => Promise<T>): Promise<T> => {
  await reserve(merchant, wanted)
  try {
    return await store()
  } catch (error) {
    // What got no answer may be stored.
    if (!(error instanceof Unavailable)) giveBack(merchant, wanted)
    throw error
  }
}
