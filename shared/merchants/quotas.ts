import { Problem } from '../contract/errors.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'

/**
 * The default quotas of a merchant: maximum records and bytes, live sessions, requests a second, and uploads a day. An honest
 * shop never reaches any of them.
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

/** In milliseconds: the longest time until an instance notices that a limit has changed. */
export const trustedFor = 60_000

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
 * Throws quota_exceeded if `added` records do not fit beside the present records. The transaction that adds them
 * depends on the version of their kind, so that no concurrent addition is missed.
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

/** The condition that `more` fit below the limit; an amount that was never counted is 0. */
export const leavesRoom = <const N extends string>(attribute: N, limit: number, more: number) => {
  const below = { attribute, is: '<=', value: limit - more } as const
  return more <= limit ? { anyOf: [{ attribute, is: 'absent' } as const, below] } : below
}
