import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Problem } from '../contract/errors.ts'
import type { Role } from '../contract/vocabulary.ts'
import { readThrough } from '../platform/cache.ts'
import type { CredentialItem } from '../platform/table/items.ts'
import { key, type MerchantId, merchantIdOf } from '../platform/table/keys.ts'
import { deleteItem, getItems, putItem } from '../platform/table/table.ts'
import { unixSeconds } from '../values/time.ts'

/** Kinds of tokens: API tokens, and the session tokens of merchants and clients. */
export type TokenKind = 'wka' | 'wks' | 'wkc'

// The holder of a token: a credential's id, or the ids of a merchant and its client.
const holders: Record<TokenKind, RegExp> = {
  wka: /^[0-9a-f]{12}$/,
  wks: /^[0-9a-f]{12}$/,
  wkc: /^[0-9a-f]{1,14}x[0-9a-f]{1,14}$/,
}

const checksum = (body: string): string => crc32(body).toString(16).padStart(8, '0')

/**
 * A token: `kind_<holder>_<256 random bits>_<crc32>`, all hex. The prefix makes leaks detectable by scanners; the
 * checksum rejects garbage without a read.
 */
export const formToken = (kind: TokenKind, holder: string, secret: Buffer = randomBytes(32)): string => {
  const body = `${kind}_${holder}_${secret.toString('hex')}`
  return `${body}_${checksum(body)}`
}

/** The holder in a well-formed token of the kind; undefined for anything else. */
export const holderIn = (kind: TokenKind, token: string): string | undefined => {
  const [, body, given, holder = '', sum] =
    /^((wk[a-z])_([0-9a-fx]{1,29})_[0-9a-f]{64})_([0-9a-f]{8})$/.exec(token) ?? []
  return body && given === kind && holders[kind].test(holder) && checksum(body) === sum ? holder : undefined
}

export const newCredentialId = (): string => randomBytes(6).toString('hex')

/** A new merchant's public AuthID. */
export const newAuthId = (): string => `wk-${randomBytes(8).toString('hex')}`

/** The digest of a token, as the table stores it. 256 random bits need no slow hash. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two digests in constant time. */
export const sameDigest = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** The API token that the session was opened with. */
type User = { id: number; name: string }

/** A checked session; `expires` in unix seconds. */
export type SignedIn = { merchant: MerchantId; user: User; role: Role; expires: number }

const lifetime = 12 * 3600

const unauthorized = (
  word: 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired',
  because?: string,
) =>
  new Problem(word, {
    because,
    headers: { 'www-authenticate': word === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"' },
  })

const readSession = async (digest: string, credentialId: string): Promise<SignedIn> => {
  const [session, credential] = await getItems([key('session', { digest }), key('credential', { id: credentialId })])
  if (session?.credential !== credentialId) throw unauthorized('token_invalid', 'there is no such session')
  if (!credential || credential.revoked) throw unauthorized('token_invalid', 'its API token is revoked')
  return {
    merchant: merchantIdOf(session.customers_id),
    user: { id: credential.number, name: credential.name },
    role: credential.role ?? 'shop',
    expires: session.expires,
  }
}

// A valid session is cached for a minute: a revocation reaches every instance within that time.
const sessions = readThrough<string, SignedIn>({ max: 1000, trustedFor: 60_000 })

const parseToken = (authorization: string | undefined): { digest: string; credentialId: string } => {
  if (!authorization) throw unauthorized('token_missing')
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  const credentialId = holderIn('wks', token)
  if (!credentialId) throw unauthorized('token_malformed')
  return { digest: digestOf(token), credentialId }
}

/** The session of an Authorization header. Throws token_missing, token_malformed, token_invalid or token_expired. */
export const checkSession = async (authorization: string | undefined): Promise<SignedIn> => {
  const { digest, credentialId } = parseToken(authorization)
  const session = await sessions(digest, () => readSession(digest, credentialId))
  if (session.expires <= unixSeconds(Date.now())) throw unauthorized('token_expired')
  return session
}

/** Opens a session of 12 hours. The table stores only the token's digest. */
export const openSession = async (credential: CredentialItem): Promise<{ token: string; expires: number }> => {
  const token = formToken('wks', credential.id)
  const expires = unixSeconds(Date.now()) + lifetime
  const session = { credential: credential.id, customers_id: credential.customers_id, expires }
  await putItem(key('session', { digest: digestOf(token) }), session)
  return { token, expires }
}

/**
 * Ends the session of an Authorization header: immediately here, within a minute on other instances. Throws token_invalid
 * if it has ended already.
 */
export const endSession = async (authorization: string | undefined): Promise<void> => {
  const { digest } = parseToken(authorization)
  const ended = await deleteItem(key('session', { digest }))
  sessions.forget(digest)
  if (!ended) throw unauthorized('token_invalid', 'the session has ended')
}
