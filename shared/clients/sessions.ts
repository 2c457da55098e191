import { Problem } from '../contract/errors.ts'
import { type Client, presentClient } from '../contract/records/client.ts'
import type { ClientUse } from '../contract/route.ts'
import { digestOf, holderIn } from '../merchants/sessions.ts'
import { readThrough } from '../platform/cache.ts'
import { key, type MerchantId, merchantIdOf } from '../platform/table/keys.ts'
import { deleteItem, getItems } from '../platform/table/table.ts'
import { unixSeconds } from '../values/time.ts'

/**
 * A signed-in client with its merchant, its terms and the digest of its token; `expires` in unix seconds.
 */
export type SignedInClient = Pick<Client, 'id' | 'price_range_id' | 'tax_free'> & {
  merchant: MerchantId
  digest: string
  expires: number
}

const unauthorized = (word: 'client_token_missing' | 'client_token_invalid', because?: string) =>
  new Problem(word, { because, headers: { 'www-authenticate': 'Bearer realm="client"' } })

const invalid = (because: string) => unauthorized('client_token_invalid', because)

const readClient = async (merchant: MerchantId, id: number, digest: string): Promise<SignedInClient> => {
  const [session, access, stored] = await getItems([
    key('clientSession', { merchant, digest }),
    key('clientAccess', { merchant, id }),
    key('client', { merchant, id }),
  ])
  const client = presentClient(stored)
  if (session?.client !== id) throw invalid('there is no such session')
  if (session.generation !== access?.generation) throw invalid('the password changed')
  if (!client?.active) throw invalid('the client is not active')
  const { price_range_id, tax_free } = client
  return { merchant, id, price_range_id, tax_free, digest, expires: session.expires }
}

// As for merchants, the end of a session reaches every instance within a minute.
const clients = readThrough<string, SignedInClient>({ max: 1000, trustedFor: 60_000 })

/** The client that a token belongs to. Throws client_token_invalid. */
export const checkClientSession = async (token: string): Promise<SignedInClient> => {
  const [merchant, id] = (holderIn('wkc', token) ?? '').split('x').map(part => Number.parseInt(part, 16))
  if (!merchant || !id) throw invalid('it is malformed')
  const digest = digestOf(token)
  const client = await clients(digest, () => readClient(merchantIdOf(merchant), id, digest))
  if (client.expires <= unixSeconds(Date.now())) throw invalid('it has expired')
  return client
}

/**
 * Ends a client session: immediately here, within a minute on other instances. Throws client_token_invalid if it has ended
 * already.
 */
export const endClientSession = async ({ merchant, digest }: SignedInClient): Promise<void> => {
  const ended = await deleteItem(key('clientSession', { merchant, digest }))
  clients.forget(digest)
  if (!ended) throw invalid('the session has ended')
}

const isInvalid = (error: unknown): boolean => error instanceof Problem && error.word === 'client_token_invalid'

/**
 * The client of a token that was sent with a merchant's session. A route whose prices alone depend on it ignores an invalid
 * token. Throws client_token_missing, client_token_invalid.
 */
export const clientOf = async (
  merchant: MerchantId,
  reading: Promise<SignedInClient> | undefined,
  use: ClientUse,
): Promise<SignedInClient | undefined> => {
  if (!reading && use === 'required') throw unauthorized('client_token_missing')
  try {
    const client = await reading
    if (client && client.merchant !== merchant) throw invalid('the client is of another merchant')
    return client
  } catch (error) {
    if (use === 'prices' && isInvalid(error)) return undefined
    throw error
  }
}
