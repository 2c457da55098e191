import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/errors.ts'
import { readThrough } from '../platform/cache.ts'
import { ConditionFailed, Unavailable } from '../platform/table/failures.ts'
import type { RateItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, updateItem } from '../platform/table/table.ts'
import { defaults, limitOf, type RateName, things, trustedFor } from './quotas.ts'

// An instance serves one request at a time, and Lambda fills existing instances before it starts others: a merchant with
// many requests has many on each instance it reaches. So an instance counts in memory, adds each hundredth of a limit to
// the shared count, and that write returns the counts of the others. A small limit is counted singly that way, and a
// large limit costs about a hundred writes in a window.

/** `wait` in seconds. */
const tooFast = (name: RateName, limit: number, wait: number): Problem =>
  new Problem('quota_exceeded', {
    status: 429,
    details: `The merchant may have at most ${limit} ${things[name]}. Repeat the request later.`,
    headers: { 'retry-after': String(wait) },
  })

/** The counting window of a rate in seconds, and how many a limit allows in a window. */
const windows: Readonly<Record<RateName, { seconds: number; allows(limit: number): number }>> = {
  requests: { seconds: 10, allows: limit => limit * 10 },
  // A session lives 12 hours, 72 windows.
  sessions: { seconds: 600, allows: limit => Math.ceil(limit / 72) },
  uploads: { seconds: 86_400, allows: limit => limit },
}

// An instance reports after this many requests of a window, however large the limit is.
const maxUnreported = 20
const reportEvery = 1000

/** A merchant's rate as this instance knows it: its own unreported count, and the count of all instances. */
type Tally = { window: number; own: number; all: number; limit: number; reported: number }

const tallies = new LRUCache<string, Tally>({ max: 1000 })
const limits = readThrough<string, number>({ max: 1000, trustedFor })

const windowKey = (merchant: MerchantId, name: RateName): string => `${name} ${merchant}`

// A failure of the counting must not refuse a request.
const readLimit = (owner: MerchantId, name: RateName): Promise<number> =>
  limits(windowKey(owner, name), async () =>
    limitOf(name, await getItem(key('rate', { owner, name }), { eventual: true })),
  ).catch(error => {
    if (error instanceof Unavailable) return defaults[name]
    throw error
  })

const tallyOf = async (owner: MerchantId, name: RateName, window: number): Promise<Tally> => {
  const id = windowKey(owner, name)
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
    // Another instance has just begun this window or, by its clock, the next window.
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
    if (limitOf(name, item) !== tally.limit) limits.forget(windowKey(owner, name))
    tally.limit = limitOf(name, item)
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof ConditionFailed)) throw error
    tally.own += own
  }
}

/** Counts a request or sign-in of a merchant. Throws quota_exceeded, with the seconds to wait, over the limit. */
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
