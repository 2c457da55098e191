import { Problem } from '../contract/errors.ts'
import type { Client } from '../contract/records/client.ts'
import type { ClientUse } from '../contract/route.ts'
import { digestOf, formToken, holderIn } from '../merchants/tokens.ts'
import { readThrough } from '../platform/cache.ts'
import { count } from '../platform/metrics.ts'
import { key, type MerchantId, merchantIdOf } from '../platform/table/keys.ts'
import { deleteItem, getItems, putItem } from '../platform/table/table.ts'
import { timestamp, unixSeconds } from '../values/time.ts'
import { presentClient, readMailOwner } from './mails.ts'
import { isPassword } from './password.ts'
import { inPlace } from './places.ts'
import { countSignIn, rememberCaller } from './tries.ts'

/**
 * A client that is signed in, whose client it is, at which terms, and the digest of its token; `expires` in unix
 * seconds.
 */
export type SignedInClient = Pick<Client, 'id' | 'price_range_id' | 'tax_free'> & {
  merchant: MerchantId
  digest: string
  expires: number
}

const lifetime = 12 * 3600

const unauthorized = (word: 'client_token_missing' | 'client_token_invalid') =>
  new Problem(word, { headers: { 'www-authenticate': 'Bearer realm="client"' } })

/** A token names its client and its client's merchant, so that it is read at once with the merchant's own session. */
const holderOf = (merchant: MerchantId, id: number): string => `${merchant.toString(16)}x${id.toString(16)}`

const readClient = async (merchant: MerchantId, id: number, digest: string): Promise<SignedInClient> => {
  const [session, access, stored] = await getItems([
    key('clientSession', { merchant, digest }),
    key('clientAccess', { merchant, id }),
    key('client', { merchant, id }),
  ])
  const client = presentClient(stored)
  const isOpen = session?.client === id && session.generation === access?.generation
  if (!isOpen || !client?.active) throw unauthorized('client_token_invalid')
  const { price_range_id, tax_free } = client
  return { merchant, id, price_range_id, tax_free, digest, expires: session.expires }
}

// As with merchants: what ends a sign-in reaches every instance within a minute.
const clients = readThrough<string, SignedInClient>({ max: 1000, trustedFor: 60_000 })

/** The client whose token it is. Throws client_token_invalid. */
export const checkClient = async (token: string): Promise<SignedInClient> => {
  const [merchant, id] = (holderIn('wkc', token) ?? '').split('x').map(part => Number.parseInt(part, 16))
  if (!merchant || !id) throw unauthorized('client_token_invalid')
  const digest = digestOf(token)
  const client = await clients(digest, () => readClient(merchantIdOf(merchant), id, digest))
  if (client.expires <= unixSeconds(Date.now())) throw unauthorized('client_token_invalid')
  return client
}

/** Ends the sign-in of a client: at once here, within a minute on other instances. Throws client_token_invalid when it has ended already. */
export const endClientSession = async ({ merchant, digest }: SignedInClient): Promise<void> => {
  const ended = await deleteItem(key('clientSession', { merchant, digest }))
  clients.forget(digest)
  if (!ended) throw unauthorized('client_token_invalid')
}

const isInvalid = (error: unknown): boolean => error instanceof Problem && error.word === 'client_token_invalid'

/**
 * The client whose token was sent with a merchant's session, as a route takes it: where only prices depend on it, a token
 * that does not count is none. Throws the 401 that fits.
 */
export const clientOf = async (
  merchant: MerchantId,
  reading: Promise<SignedInClient> | undefined,
  use: ClientUse,
): Promise<SignedInClient | undefined> => {
  if (!reading && use === 'required') throw unauthorized('client_token_missing')
  try {
    const client = await reading
    if (client && client.merchant !== merchant) throw unauthorized('client_token_invalid')
    return client
  } catch (error) {
    if (use === 'prices' && isInvalid(error)) return undefined
    throw error
  }
}

/** What a sign-in of a client gives: the token, shown here only, and until when it counts (a timestamp). */
export type ClientLogin = { id: number; mail: string; token: string; expires: string }

/** What signs a client in; `caller` is the shop's key of the visitor. */
export type Credentials = { mail: string; password: string; caller: string | null }

/**
 * Signs a client in for 12 hours; `since` is when the request came, in milliseconds. Whatever is wrong, the refusal is one
 * and the same and takes the same time. Throws login_failed, client_login_throttled, Unavailable where too many passwords
 * wait to be computed.
 */
export const loginClient = async (
  merchant: MerchantId,
  { mail, password, caller }: Credentials,
  since: number,
): Promise<ClientLogin> => {
  const owner = await readMailOwner(merchant, mail)
  const takeBack = await countSignIn(merchant, { mail, owner, caller })
  const isRight = await inPlace(merchant, () => isPassword(password, owner.access), since).catch(async error => {
    await takeBack()
    throw error
  })
  const { client, access } = owner
  if (!isRight || !access || !client?.active) {
    count('FailedLogins')
    throw new Problem('login_failed')
  }
  const token = formToken('wkc', holderOf(merchant, client.id))
  const expires = unixSeconds(Date.now()) + lifetime
  const session = { client: client.id, generation: access.generation, expires }
  await Promise.all([
    putItem(key('clientSession', { merchant, digest: digestOf(token) }), session),
    takeBack(),
    caller !== null && rememberCaller(merchant, client.id, caller),
  ])
  return { id: client.id, mail: client.mail ?? mail, token, expires: timestamp(expires * 1000) }
}
