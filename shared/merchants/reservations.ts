import { LRUCache } from 'lru-cache'
import type { Clause } from '../platform/table/expressions.ts'
import { ConditionFailed, Unavailable } from '../platform/table/failures.ts'
import type { QuotaItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { updateItem } from '../platform/table/table.ts'
import { defaults, leavesRoom, limitOf, tooMany, trustedFor } from './quotas.ts'

// Storing a record is one write, and counting it would be a second write. So an instance that stores many reserves some
// of a quota ahead, as long as there is plenty, and counts in memory. `taken` is never less than the stored records; it
// includes unused reservations and deleted and expired records until the job counts all again.

/** The amounts that are reserved ahead. */
export const reservedNames = ['clients', 'addresses', 'baskets'] as const

type Name = (typeof reservedNames)[number]

/** How many of each amount a request is about to store. */
export type Amounts = Partial<Record<Name, number>>

const maxAhead = 20
/**
 * A quota as this instance knows it: `spare` is reserved and not used, `used` was used lately; trusted `until`, in epoch
 * milliseconds.
 */
type Share = { taken: number; limit: number; spare: number; used: number; until: number }

const shares = new LRUCache<string, Share>({ max: 1000 })

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

/** How many to reserve in addition to `count`: by recent use, and less near the limit, where other instances need them. */
const aheadOf = ({ taken, limit, used }: Share, count: number): number =>
  Math.max(0, Math.min(maxAhead, 2 * used, Math.floor((limit - taken - count) / 100)))

/** Reserves `size` for this instance, or updates `share` if the quota has changed or has too few left. */
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

const entriesOf = (amounts: Amounts) =>
  reservedNames.flatMap(name => (amounts[name] ? [[name, amounts[name]] as const] : []))

/** Returns an unused reservation to this instance. */
export const giveBack = (merchant: MerchantId, amounts: Amounts): void => {
  for (const [name, count] of entriesOf(amounts)) shareOf(merchant, name).spare += count
}

/** Reserves the amounts that a request is about to store. Throws quota_exceeded, and reserves none, if any exceeds its quota. */
export const reserve = async (merchant: MerchantId, amounts: Amounts): Promise<void> => {
  const reserved: Amounts = {}
  try {
    for (const [name, count] of entriesOf(amounts)) {
      await reserveOne(merchant, name, count)
      reserved[name] = count
    }
  } catch (error) {
    giveBack(merchant, reserved)
    throw error
  }
}

/** Runs `store` with a reservation. Throws quota_exceeded before it. */
export const withReservation = async <T>(
  merchant: MerchantId,
  amounts: Amounts,
  store: () => Promise<T>,
): Promise<T> => {
  await reserve(merchant, amounts)
  try {
    return await store()
  } catch (error) {
    // A write without an answer may have succeeded.
    if (!(error instanceof Unavailable)) giveBack(merchant, amounts)
    throw error
  }
}
