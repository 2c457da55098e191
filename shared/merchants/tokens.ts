import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Kinds of secrets: an API token that signs in, and the session token that signing in gives. */
export type TokenKind = 'wka' | 'wks'

const checksum = (body: string): string => crc32(body).toString(16).padStart(8, '0')

/**
 * A token: `kind_<credential id>_<256 random bits>_<crc32>`, all hex. The prefix lets leaks be scanned for, the checksum
 * refuses garbage without a read.
 */
export const formToken = (kind: TokenKind, credential: string, secret: Buffer = randomBytes(32)): string => {
  const body = `${kind}_${credential}_${secret.toString('hex')}`
  return `${body}_${checksum(body)}`
}

/** The credential's id in a well-formed token of the kind; undefined for anything else. */
export const credentialIn = (kind: TokenKind, token: string): string | undefined => {
  const parts = /^(wk[as]_([0-9a-f]{12})_[0-9a-f]{64})_([0-9a-f]{8})$/.exec(token)
  if (!parts?.[1]?.startsWith(`${kind}_`) || checksum(parts[1]) !== parts[3]) return undefined
  return parts[2]
}

/** A new credential's id. */
export const newCredentialId = (): string => randomBytes(6).toString('hex')

/** A new merchant's public AuthID. */
export const newAuthId = (): string => `wk-${randomBytes(8).toString('hex')}`

/** What is kept of a token. 256 random bits need no slow hash. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two digests without telling by its time where they differ. */
export const sameDigest = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
