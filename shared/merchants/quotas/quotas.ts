import { Problem } from '../../contract/errors.ts'

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
