import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/errors.ts'
import { readThrough } from '../platform/cache.ts'
import type { Clause } from '../platform/table/expressions.ts'
import { ConditionFailed, Unavailable } from '../platform/table/failures.ts'
import type { QuotaItem, RateItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, updateItem } from '../platform/table/table.ts'

/**
 * What a merchant may have and do, unless the operator has set another limit: records and bytes at most, live sessions,
 * and requests a second. An honest shop never meets one of them.
 */
export const defaults = {
  wines: 50_000,
  public_bytes: 500_000_000,
  clients: 1_000_000,
  addresses: 1_000_000,
  baskets: 100_000,
  // Shops sign in once a visitor, crawlers included: 46 sign-ins a second.
  sessions: 2_000_000,
  requests: 200,
} as const

export type QuotaName = keyof typeof defaults
export type RateName = 'sessions' | 'requests'
export type AmountName = Exclude<QuotaName, RateName>

/** All amounts, in the order in which they are shown. */
export const amountNames = ['wines', 'public_bytes', 'clients', 'addresses', 'baskets'] as const satisfies AmountName[]

/** What a limit counts, for people. */
export const things: Readonly<Record<QuotaName, string>> = {
  wines: 'wines',
  public_bytes: 'bytes of public wines',
  clients: 'clients',
  addresses: 'addresses',
  baskets: 'open baskets',
  sessions: 'live sessions',
  requests: 'requests a second',
}

/** The limit of a quota, given what the operator has set. */
export const limitOf = (name: QuotaName, set: { limit?: number } | undefined): number => set?.limit ?? defaults[name]

/** The refusal of what would be more than a quota of an amount. */
export const tooMany = (name: AmountName, limit: number): Problem => {
  const expected = `at most ${limit} ${things[name]}`
  return new Problem('quota_exceeded', {
    details: `The merchant may have ${expected}. The operator can raise this quota.`,
    fields: [{ path: 'data', rule: 'quota', expected }],
  })
}

/** The refusal of what comes too fast; `wait` in seconds. */
export const tooFast = (name: RateName, limit: number, wait: number): Problem =>
  new Problem('quota_exceeded', {
    status: 429,
    details: `The merchant may have at most ${limit} ${things[name]}. Repeat the request later.`,
    headers: { 'retry-after': String(wait) },
  })

// An instance of a function serves one request after the other, so nobody is loud on one alone; and Lambda fills the
// instances that are there before it starts others, so whoever is loud is loud on each it reaches. So an instance counts
// in memory, adds each hundredth of a limit to the count of all instances, and learns by the same write what the others
// have counted. A small limit is counted one by one that way, and a large one costs some hundred writes in a window.

/** In which windows, in seconds, a rate is counted, and how much a limit allows in one of them. */
const windows: Readonly<Record<RateName, { seconds: number; allows(limit: number): number }>> = {
  requests: { seconds: 10, allows: limit => limit * 10 },
  // A session lives 12 hours, 72 windows.
  sessions: { seconds: 600, allows: limit => Math.ceil(limit / 72) },
}

// So many requests of a window an instance keeps to itself, however large the limit is.
const quiet = 20
const reportEvery = 1000
// In milliseconds: so late, at most, an instance notices a lower limit, or a quiet one another limit.
const trustedFor = 60_000

/** What an instance knows of a merchant's rate: its own count that is not reported yet, and that of all instances. */
type Tally = { window: number; own: number; all: number; limit: number; reported: number }

const tallies = new LRUCache<string, Tally>({ max: 1000 })
const limits = readThrough<string, number>({ max: 1000, trustedFor })

const idOf = (merchant: MerchantId, name: RateName): string => `${name} ${merchant}`

// What only keeps count must not keep a request from being served.
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
    // Another instance began this window at the same moment, or by its clock the next one.
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

/** Counts one of a merchant's requests or sign-ins. Throws quota_exceeded, with the seconds to wait, when it is one too many. */
export const countOne = async (merchant: MerchantId, name: RateName): Promise<void> => {
  const { seconds, allows } = windows[name]
  const now = Date.now()
  const window = Math.floor(now / 1000 / seconds)
  const tally = await tallyOf(merchant, name, window)
  tally.own++
  const isOver = () => tally.all + tally.own > allows(tally.limit)
  const step = Math.max(1, allows(tally.limit) / 100)
  const isMuch = tally.own >= (tally.reported > 0 ? step : Math.min(quiet, step))
  // Whoever is over the limit asks on as well, once a second, and so learns of a limit that was raised.
  const isLate = tally.reported > 0 && now - tally.reported >= reportEvery
  if (isLate || (isMuch && !isOver())) await report(merchant, name, tally)
  if (!isOver()) return
  // What is refused does not count against those who wait.
  tally.own = Math.max(0, tally.own - 1)
  throw tooFast(name, tally.limit, Math.max(1, Math.ceil((window + 1) * seconds - now / 1000)))
}

// Storing a record is one write, and a count beside it would be a second one. So an instance that stores many takes some
// of a quota ahead, as long as there is plenty, and counts what it stores in memory. What is taken is not less than what
// is stored; it is more by what was not used, what was deleted and what has expired, until all is counted anew.

/** The amounts that are counted so. */
export const reservedNames = ['clients', 'addresses', 'baskets'] as const

type Name = (typeof reservedNames)[number]

/** How many of each amount a request is about to store. */
export type Amounts = Partial<Record<Name, number>>

const maxAhead = 20
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
  Math.max(0, Math.min(maxAhead, 2 * used, Math.floor((limit - taken - count) / 100)))

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

const entriesOf = (wanted: Amounts) =>
  reservedNames.flatMap(name => (wanted[name] ? [[name, wanted[name]] as const] : []))

/** Gives what was reserved and not stored back to the instance. */
export const giveBack = (merchant: MerchantId, wanted: Amounts): void => {
  for (const [name, count] of entriesOf(wanted)) shareOf(merchant, name).spare += count
}

/** Reserves what a request is about to store. Throws quota_exceeded; nothing is reserved then. */
export const reserve = async (merchant: MerchantId, wanted: Amounts): Promise<void> => {
  const reserved: Amounts = {}
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
export const reserving = async <T>(merchant: MerchantId, wanted: Amounts, store: () => Promise<T>): Promise<T> => {
  await reserve(merchant, wanted)
  try {
    return await store()
  } catch (error) {
    // What got no answer may be stored.
    if (!(error instanceof Unavailable)) giveBack(merchant, wanted)
    throw error
  }
}
