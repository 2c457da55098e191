import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Kinds of secrets: an API token that signs in, and the session tokens that merchants and their clients are given. */
export type TokenKind = 'wka' | 'wks' | 'wkc'

// Whose a token is: a credential, or a merchant's client by the ids of both.
const holders: Record<TokenKind, RegExp> = {
  wka: /^[0-9a-f]{12}$/,
  wks: /^[0-9a-f]{12}$/,
  wkc: /^[0-9a-f]{1,14}x[0-9a-f]{1,14}$/,
}

const checksum = (body: string): string => crc32(body).toString(16).padStart(8, '0')

/**
 * A token: `kind_<holder>_<256 random bits>_<crc32>`, all hex. The prefix lets leaks be scanned for, the checksum
 * refuses garbage without a read.
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

/** A new credential's id. */
export const newCredentialId = (): string => randomBytes(6).toString('hex')

/** A new merchant's public AuthID. */
export const newAuthId = (): string => `wk-${randomBytes(8).toString('hex')}`

/** What is kept of a token. 256 random bits need no slow hash. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two digests without telling by its time where they differ. */
export const sameDigest = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
