import { LRUCache } from 'lru-cache'
import { ConditionFailed, Unavailable } from '../table/failures.ts'
import type { RateItem } from '../table/items.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { updateItem } from '../table/table.ts'
import { defaults, limitOf, type RateName, tooFast } from './quotas.ts'

// An instance of a function serves one request after the other, so nobody is loud on one alone; and Lambda fills the
// instances that are there before it starts others, so whoever is loud is loud on each it reaches. So an instance counts
// in memory, and only what is more than a few requests in a window it adds to the count of all instances, once a second
// at most, and learns by the same write what the others have counted. A quiet merchant costs nothing.

/** In which windows, in seconds, a rate is counted, and how much a limit allows in one of them. */
const windows: Readonly<Record<RateName, { seconds: number; allows(limit: number): number }>> = {
  requests: { seconds: 10, allows: limit => limit * 10 },
  // A session lives 12 hours, 72 windows.
  sessions: { seconds: 600, allows: limit => Math.ceil(limit / 72) },
}

const quiet = 20
const reportEvery = 1000

/** What an instance knows of a merchant's rate: its own count that is not reported yet, and that of all instances. */
type Tally = { window: number; own: number; all: number; limit: number; reported: number }

const tallies = new LRUCache<string, Tally>({ max: 1000 })

const tallyOf = (id: string, window: number, name: RateName): Tally => {
  const known = tallies.get(id)
  if (known?.window === window) return known
  const tally = { window, own: 0, all: 0, limit: known?.limit ?? defaults[name], reported: 0 }
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
    tally.limit = limitOf(name, item)
  } catch (error) {
    // What only keeps count must not keep a request from being served.
    if (!(error instanceof Unavailable || error instanceof ConditionFailed)) throw error
    tally.own += own
  }
}

/** Counts one of a merchant's requests or sign-ins. Throws quota_exceeded, with the seconds to wait, when it is one too many. */
export const countOne = async (merchant: MerchantId, name: RateName): Promise<void> => {
  const { seconds, allows } = windows[name]
  const now = Date.now()
  const window = Math.floor(now / 1000 / seconds)
  const tally = tallyOf(`${name} ${merchant}`, window, name)
  tally.own++
  const isReporting = tally.reported > 0
  const isDue = isReporting ? now - tally.reported >= reportEvery : tally.own >= Math.min(quiet, allows(tally.limit))
  // Whoever is over the limit asks on as well, and so learns of a limit that was raised.
  if (isDue) await report(merchant, name, tally)
  if (tally.all + tally.own <= allows(tally.limit)) return
  // What is refused does not count against those who wait.
  tally.own = Math.max(0, tally.own - 1)
  throw tooFast(name, tally.limit, Math.max(1, Math.ceil((window + 1) * seconds - now / 1000)))
}
