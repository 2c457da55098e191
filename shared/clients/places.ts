import { Unavailable } from '../platform/table/failures.ts'
import type { MerchantId } from '../platform/table/keys.ts'

const mostAtOnce = 4
const patience = 3000

// Each request to Lambda has an instance of its own. Where requests share one, a merchant's flood waits for itself alone.
type Places = { taken: number; waiting: (() => void)[] }
const ofMerchants = new Map<MerchantId, Places>()

// What a request waited for while this instance was starting is no sign of a flood.
const started = Date.now()

const busy = () => new Unavailable('the merchant’s passwords take too long to compute')

const handedOver = ({ waiting }: Places, until: number): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(take), 1)
    reject(busy())
  }, until - Date.now())
  const take = (): void => {
    clearTimeout(timer)
    resolve()
  }
  waiting.push(take)
  return promise
}

/**
 * Computes a password of a merchant's client: four at once at most in this instance, the others in the order in which they
 * came. Throws Unavailable where that would begin later than 3 seconds after `since` (milliseconds).
 */
export const inPlace = async <T>(merchant: MerchantId, compute: () => Promise<T>, since = Date.now()): Promise<T> => {
  const until = Math.max(since, started) + patience
  if (Date.now() > until) throw busy()
  const places = ofMerchants.get(merchant) ?? { taken: 0, waiting: [] }
  ofMerchants.set(merchant, places)
  if (places.taken < mostAtOnce) places.taken++
  else await handedOver(places, until)
  try {
    return await compute()
  } finally {
    const next = places.waiting.shift()
    if (next) next()
    else if (--places.taken === 0) ofMerchants.delete(merchant)
  }
}
