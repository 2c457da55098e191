import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Unavailable } from '../platform/table/failures.ts'
import type { StoredPassword } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** What OWASP asks of scrypt where 16 MB are what a try may take. Kept beside each password, so that it can be raised. */
export const cost = { n: 2 ** 14, r: 8, p: 5 }
const length = 32

const derived = (password: string, salt: Buffer, { n, r, p }: typeof cost): Promise<Buffer> =>
  derive(password, salt, length, { N: n, r, p, maxmem: 256 * r * (n + p) })

/** What is kept of a password, at the usual cost unless told otherwise. */
export const storedPassword = async (password: string, costs = cost): Promise<StoredPassword> => {
  const salt = randomBytes(16)
  const hash = await derived(password, salt, costs)
  return { hash: hash.toString('base64'), salt: salt.toString('base64'), ...costs }
}

const unmatchable = (): StoredPassword => ({
  hash: Buffer.alloc(length).toString('base64'),
  salt: Buffer.alloc(16).toString('base64'),
  ...cost,
})

/** Whether a password is the one that was kept; without one it is not, and that takes as long to find out. */
export const isPassword = async (password: string, kept: StoredPassword | undefined): Promise<boolean> => {
  const { salt, hash, ...present } = kept ?? unmatchable()
  const given = await derived(password, Buffer.from(salt, 'base64'), present)
  return timingSafeEqual(given, Buffer.from(hash, 'base64')) && kept !== undefined
}

const maxConcurrent = 4
/** For how many milliseconds a request waits at most for its password to be computed. */
export const patience = { ms: 3000 }

// Each request to Lambda has an instance of its own. Where requests share one, a merchant's flood waits for itself alone.
type Slots = { taken: number; waiting: (() => void)[] }
const slotsByMerchant = new Map<MerchantId, Slots>()

// What a request waited for while this instance was starting is no sign of a flood.
const started = Date.now()

const busy = () => new Unavailable('the merchant’s passwords take too long to compute')

const nextSlot = ({ waiting }: Slots, until: number): Promise<void> => {
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
export const withPasswordSlot = async <T>(
  merchant: MerchantId,
  compute: () => Promise<T>,
  since = Date.now(),
): Promise<T> => {
  const until = Math.max(since, started) + patience.ms
  if (Date.now() > until) throw busy()
  const slots = slotsByMerchant.get(merchant) ?? { taken: 0, waiting: [] }
  slotsByMerchant.set(merchant, slots)
  if (slots.taken < maxConcurrent) slots.taken++
  else await nextSlot(slots, until)
  try {
    return await compute()
  } finally {
    const next = slots.waiting.shift()
    if (next) next()
    else if (--slots.taken === 0) slotsByMerchant.delete(merchant)
  }
}
