import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Unavailable } from '../platform/table/failures.ts'
import type { StoredPassword } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** OWASP's scrypt parameters for 16 MB a hash. Stored with each password, so that they can be raised. */
export const cost = { n: 2 ** 14, r: 8, p: 5 }
const length = 32

const deriveHash = (password: string, salt: Buffer, { n, r, p }: typeof cost): Promise<Buffer> =>
  derive(password, salt, length, { N: n, r, p, maxmem: 256 * r * (n + p) })

/** The salted scrypt hash of a password, as it is stored. */
export const storedPassword = async (password: string, costs = cost): Promise<StoredPassword> => {
  const salt = randomBytes(16)
  const hash = await deriveHash(password, salt, costs)
  return { hash: hash.toString('base64'), salt: salt.toString('base64'), ...costs }
}

const unmatchable = (): StoredPassword => ({
  hash: Buffer.alloc(length).toString('base64'),
  salt: Buffer.alloc(16).toString('base64'),
  ...cost,
})

/** True if the password matches. Without a stored password it is false after the same time. */
export const isPassword = async (password: string, stored: StoredPassword | undefined): Promise<boolean> => {
  const { salt, hash, ...present } = stored ?? unmatchable()
  const given = await deriveHash(password, Buffer.from(salt, 'base64'), present)
  return timingSafeEqual(given, Buffer.from(hash, 'base64')) && stored !== undefined
}

const maxConcurrent = 4
/** Maximum wait of a request for a slot, in milliseconds. */
export const patience = { ms: 3000 }

// On Lambda every request has its own instance. Where requests share an instance, each merchant has its own slots, so
// that a merchant's flood does not delay another's requests.
type Slots = { taken: number; waiting: (() => void)[] }
const slotsByMerchant = new Map<MerchantId, Slots>()

// The time that a request waited for this instance to start does not count.
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
 * Limits password hashing to four at a time for each merchant in this instance, in the order of arrival. Throws
 * Unavailable if it would begin later than 3 seconds after `since` (epoch milliseconds).
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
