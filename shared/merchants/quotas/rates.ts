import { LRUCache } from 'lru-cache'
import { readThrough } from '../../platform/cache.ts'
import { ConditionFailed, Unavailable } from '../../platform/table/failures.ts'
import type { RateItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, updateItem } from '../../platform/table/table.ts'
import { defaults, limitOf, type RateName, tooFast } from './quotas.ts'

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
// In milliseconds: so late, at most, an instance that a merchant is quiet on notices another limit.
const trustedFor = 60_000

/** What an instance knows of a merchant's rate: its own count that is not reported yet, and that of all instances. */
type Tally = { window: number; own: number; all: number; limit: number; reported: number }

const tallies = new LRUCache<string, Tally>({ max: 1000 })
const limits = readThrough<string, number>({ max: 1000, trustedFor })

const idOf = (merchant: MerchantId, name: RateName): string => `${name} ${merchant}`

// What only keeps count must not keep a request from being served.
const readLimit = (owner: MerchantId, name: RateName): Promise<number> =>
  limits(idOf(owner, name), async () =>
    limitOf(name, await getItem(key('rate', { owner, name }), { mayLag: true })),
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
