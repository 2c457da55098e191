import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/errors.ts'
import { readThrough } from '../platform/cache.ts'
import type { Clause } from '../platform/table/expressions.ts'
import { ConditionFailed, Unavailable } from '../platform/table/failures.ts'
import type { QuotaItem, RateItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, updateItem } from '../platform/table/table.ts'

/**
 * The default quotas of a merchant: maximum records and bytes, live sessions, requests a second, and uploads a day. An honest
 * shop never reaches one of them.
 */
export const defaults = {
  wines: 50_000,
  public_bytes: 500_000_000,
  clients: 1_000_000,
  addresses: 1_000_000,
  baskets: 100_000,
  products: 5000,
  categories: 1000,
  price_ranges: 200,
  // Shops sign in once for each visitor, crawlers included: 46 sign-ins a second.
  sessions: 2_000_000,
  requests: 200,
  // Each may be 20 MB, and is stored for a day if it is never committed.
  uploads: 5000,
} as const

export type QuotaName = keyof typeof defaults
export type RateName = 'sessions' | 'requests' | 'uploads'

/** The amounts whose use is counted and stored, in display order. */
export const amountNames = ['wines', 'public_bytes', 'clients', 'addresses', 'baskets'] as const
export type AmountName = (typeof amountNames)[number]

/** The amounts without a stored count: each addition reads all records of the kind. */
export const listedNames = ['products', 'categories', 'price_ranges'] as const
export type ListedName = (typeof listedNames)[number]

/** The unit of a limit, for error texts. */
export const things: Readonly<Record<QuotaName, string>> = {
  wines: 'wines',
  public_bytes: 'bytes of public wines',
  clients: 'clients',
  addresses: 'addresses',
  baskets: 'open baskets',
  products: 'products',
  categories: 'categories',
  price_ranges: 'price ranges',
  sessions: 'live sessions',
  requests: 'requests a second',
  uploads: 'uploads a day',
}

/** The limit of a quota, given what the operator has set. */
export const limitOf = (name: QuotaName, set: { limit?: number } | undefined): number => set?.limit ?? defaults[name]

export const tooMany = (name: Exclude<QuotaName, RateName>, limit: number): Problem => {
  const expected = `at most ${limit} ${things[name]}`
  return new Problem('quota_exceeded', {
    details: `The merchant may have ${expected}. The operator can raise this quota.`,
    fields: [{ path: 'data', rule: 'quota', expected }],
  })
}

/**
 * Throws quota_exceeded if `added` records do not fit beside the present ones. The transaction that adds them depends on the
 * version of their kind, so that no concurrent addition is missed.
 */
export const checkRoom = async (
  merchant: MerchantId,
  name: ListedName,
  present: readonly unknown[],
  added = 1,
): Promise<void> => {
  if (added === 0) return
  const limit = limitOf(name, await getItem(key('quota', { merchant, name })))
  if (present.length + added > limit) throw tooMany(name, limit)
}

/** `wait` in seconds. */
export const tooFast = (name: RateName, limit: number, wait: number): Problem =>
  new Problem('quota_exceeded', {
    status: 429,
    details: `The merchant may have at most ${limit} ${things[name]}. Repeat the request later.`,
    headers: { 'retry-after': String(wait) },
  })

// An instance serves one request at a time, and Lambda fills existing instances before it starts others: a merchant with
// many requests has many on each instance it reaches. So an instance counts in memory, adds each hundredth of a limit to
// the shared count, and that write returns the counts of the others. A small limit is counted one by one that way, and a
// large one costs about a hundred writes in a window.

/** The counting window of a rate in seconds, and how many a limit allows in one window. */
const windows: Readonly<Record<RateName, { seconds: number; allows(limit: number): number }>> = {
  requests: { seconds: 10, allows: limit => limit * 10 },
  // A session lives 12 hours, 72 windows.
  sessions: { seconds: 600, allows: limit => Math.ceil(limit / 72) },
  uploads: { seconds: 86_400, allows: limit => limit },
}

// An instance reports after this many requests of a window, however large the limit is.
const maxUnreported = 20
const reportEvery = 1000
// In milliseconds: the longest time until an instance notices that a limit has changed.
const trustedFor = 60_000

/** A merchant's rate as this instance knows it: its own unreported count, and the count of all instances. */
type Tally = { window: number; own: number; all: number; limit: number; reported: number }

const tallies = new LRUCache<string, Tally>({ max: 1000 })
const limits = readThrough<string, number>({ max: 1000, trustedFor })

const idOf = (merchant: MerchantId, name: RateName): string => `${name} ${merchant}`

// A failure of the counting must not refuse a request.
const readLimit = (owner: MerchantId, name: RateName): Promise<number> =>
  limits(idOf(owner, name), async () =>
    limitOf(name, await getItem(key('rate', { owner, name }), { eventual: true })),
  ).catch(error => {
    if (error instanceof Unavailable) return defaults[name]
    throw error
  })

const tallyOf = async (owner: MerchantId, name: RateName, window: number): Promise<Tally> => {
  const id = idOf(owner, name)
  const limit = await readLimit(owner, name)
  const known = tallies.get(id)
  if (known?.window === window) return known
  const tally = { window, own: 0, all: 0, limit, reported: 0 }
  tallies.set(id, tally)
  return tally
}

const addToAll = async (owner: MerchantId, name: RateName, window: number, count: number): Promise<RateItem> => {
  const place = key('rate', { owner, name })
  const add = () => updateItem(place, { add: { count } }, [{ attribute: 'window', is: '=', value: window }])
  try {
    return await add()
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  const isOver = {
    anyOf: [
      { attribute: 'window', is: 'absent' },
      { attribute: 'window', is: '<', value: window },
    ],
  } as const
  try {
    return await updateItem(place, { set: { window, count } }, [isOver])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // Another instance has just begun this window or, by its clock, the next one.
    const present = error.present(place)
    return present?.window === window ? add() : { ...present, count }
  }
}

const report = async (owner: MerchantId, name: RateName, tally: Tally): Promise<void> => {
  const { own, window } = tally
  tally.own = 0
  tally.reported = Date.now()
  try {
    const item = await addToAll(owner, name, window, own)
    tally.all = item.count ?? 0
    if (limitOf(name, item) !== tally.limit) limits.forget(idOf(owner, name))
    tally.limit = limitOf(name, item)
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof ConditionFailed)) throw error
    tally.own += own
  }
}

/** Counts one of a merchant's requests or sign-ins. Throws quota_exceeded, with the seconds to wait, over the limit. */
export const countOne = async (merchant: MerchantId, name: RateName): Promise<void> => {
  const { seconds, allows } = windows[name]
  const now = Date.now()
  const window = Math.floor(now / 1000 / seconds)
  const tally = await tallyOf(merchant, name, window)
  tally.own++
  const isOver = () => tally.all + tally.own > allows(tally.limit)
  const step = Math.max(1, allows(tally.limit) / 100)
  const isMuch = tally.own >= (tally.reported > 0 ? step : Math.min(maxUnreported, step))
  // Over the limit it still reports once a second, and so notices a raised limit.
  const isLate = tally.reported > 0 && now - tally.reported >= reportEvery
  if (isLate || (isMuch && !isOver())) await report(merchant, name, tally)
  if (!isOver()) return
  // Refused requests do not count.
  tally.own = Math.max(0, tally.own - 1)
  throw tooFast(name, tally.limit, Math.max(1, Math.ceil((window + 1) * seconds - now / 1000)))
}

// Storing a record is one write, and counting it would be a second one. So an instance that stores many reserves some of a
// quota ahead, as long as there is plenty, and counts in memory. `taken` is never less than the stored records; it includes
// unused reservations and deleted and expired records until the job counts all again.

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

/** The condition that `more` fit below the limit; an amount that was never counted is 0. */
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

/** Reserves the amounts that a request is about to store. If one exceeds its quota, throws quota_exceeded and reserves none. */
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
export const reserving = async <T>(merchant: MerchantId, amounts: Amounts, store: () => Promise<T>): Promise<T> => {
  await reserve(merchant, amounts)
  try {
    return await store()
  } catch (error) {
    // A write without an answer may have succeeded.
    if (!(error instanceof Unavailable)) giveBack(merchant, amounts)
    throw error
  }
}
