import { randomBytes } from 'node:crypto'
import { Problem } from '../contract/errors.ts'
import { type Client, presentClient } from '../contract/records/client.ts'
import { withReservation } from '../merchants/reservations.ts'
import { digestOf } from '../merchants/sessions.ts'
import { absent, equals, present } from '../platform/table/expressions.ts'
import { retry, TransactionRefused } from '../platform/table/failures.ts'
import type { ClientHashItem, StoredPassword } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, getItems, putItem } from '../platform/table/table.ts'
import { type Action, check, put, remove, transact, update } from '../platform/table/transact.ts'
import { timestamp, unixSeconds } from '../values/time.ts'
import { storedPassword, withPasswordSlot } from './passwords.ts'
import { foldMail, mailKey, mailTaken, newClient, nextClientNumber, readMailOwner, storeClient } from './store.ts'

const lifetime = 24 * 3600

const oneTimeTokenKey = (merchant: MerchantId, hash: string) => key('clientHash', { merchant, digest: digestOf(hash) })

/** A one-time token to be mailed, its expiry (a timestamp), and the item that stores its digest. */
export type OneTimeToken = { hash: string; expire: string; place: Key<ClientHashItem>; item: ClientHashItem }

/** A one-time token that verifies a mail address; valid for 24 hours. */
const newOneTimeToken = (merchant: MerchantId, about: Omit<ClientHashItem, 'expires'>): OneTimeToken => {
  const hash = randomBytes(32).toString('hex')
  const expires = unixSeconds(Date.now()) + lifetime
  const item = { ...about, mail: foldMail(about.mail), expires }
  return { hash, expire: timestamp(expires * 1000), place: oneTimeTokenKey(merchant, hash), item }
}

/** The client that a valid one-time token was mailed to, and the generation of its account. */
export type Verified = { client: Client & { mail: string }; generation: number; item: ClientHashItem }

const invalid = (because: string) => new Problem('hash_invalid', { because })

/** Throws hash_invalid if the one-time token is expired, used, or superseded by a new mail or password. */
const verifyOneTimeToken = async (merchant: MerchantId, hash: string): Promise<Verified> => {
  const item = await getItem(oneTimeTokenKey(merchant, hash))
  if (!item) throw invalid('it is unknown, used or long expired')
  if (item.client === null) throw invalid('its mail address has no client')
  if (item.expires <= unixSeconds(Date.now())) throw invalid('it has expired')
  const { client: id } = item
  const [stored, access] = await getItems([key('client', { merchant, id }), key('clientAccess', { merchant, id })])
  const client = presentClient(stored)
  const generation = access?.generation ?? 0
  const mail = client?.mail
  if (!client || !mail || foldMail(mail) !== item.mail || generation !== item.generation)
    throw invalid('the mail address or the password changed')
  return { client: { ...client, mail }, generation, item }
}

const deleteOneTimeToken = (merchant: MerchantId, hash: string): Action =>
  remove('hash', oneTimeTokenKey(merchant, hash), [{ attribute: 'pk', is: 'present' }])

export const expiryOf = ({ item }: Verified): string => timestamp(item.expires * 1000)

/** The data of a registration. */
export type Registration = Partial<Client> & { mail: string }

/** A registration whose mail is not verified yet. */
export type PendingRegistration = { id: number; mail: string; lostpassword_hash: string; expire: string }

const withoutNulls = (data: Registration): Registration =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) as Registration

/** As `register`, with a password that is hashed already. */
export const storeRegistration = (
  merchant: MerchantId,
  data: Registration,
  password: StoredPassword,
): Promise<PendingRegistration> => {
  const { mail } = data
  const registered = { password, data: withoutNulls(data) }
  return retry(
    async () => {
      const { pointer, client: known, access } = await readMailOwner(merchant, mail)
      if (known && access) throw mailTaken()
      const number = known ? null : await nextClientNumber(merchant)
      const made = known ? null : newClient(merchant, { ...data, number })
      const { id } = made ?? (known as Client)
      const { hash, expire, place, item } = newOneTimeToken(merchant, { client: id, mail, generation: 0, registered })
      const actions = made && [...storeClient(merchant, made, pointer), put('hash', place, item)]
      if (actions) await withReservation(merchant, { clients: 1 }, () => transact(actions))
      else await putItem(place, item)
      return { id, mail, lostpassword_hash: hash, expire }
    },
    () => true,
  )
}

/**
 * Registers a client: a new client, or the existing client with this mail. The account is inactive, and an existing
 * client unchanged, until `activate` gets the one-time token. Throws mail_taken, quota_exceeded.
 */
export const register = async (
  merchant: MerchantId,
  data: Registration,
  password: string,
): Promise<PendingRegistration> =>
  storeRegistration(merchant, data, await withPasswordSlot(merchant, () => storedPassword(password)))

/** Activates a password; the new generation invalidates all earlier sessions and one-time tokens of the client. */
const accessActions = (
  merchant: MerchantId,
  { client: { id, mail }, generation }: Verified,
  hash: string,
  password: StoredPassword,
): Action[] => [
  deleteOneTimeToken(merchant, hash),
  put(
    'access',
    key('clientAccess', { merchant, id }),
    { ...password, generation: generation + 1 },
    { when: [generation === 0 ? absent : equals('generation', generation)] },
  ),
  // Drops `claimed`: the mail is verified now.
  put('mail', mailKey(merchant, mail), { id }, { when: [equals('id', id)] }),
]

/** Throws hash_invalid if the client or its account changed since the token was read. */
const writeVerified = async (attempt: () => Promise<Action[]>): Promise<void> => {
  await retry(
    async () => transact(await attempt()),
    error => error.contended,
  ).catch(error => {
    throw error instanceof TransactionRefused && !error.contended ? invalid('the client changed meanwhile') : error
  })
}

/** The client of a one-time token. */
export type TokenOwner = { id: number; mail: string }

/** Activates a registration and stores its data in the client. Throws hash_invalid. */
export const activate = async (merchant: MerchantId, hash: string): Promise<TokenOwner> => {
  const verified = await verifyOneTimeToken(merchant, hash)
  const { client, item } = verified
  const { registered } = item
  if (!registered) throw invalid('it is for a new password')
  await writeVerified(async () => [
    ...accessActions(merchant, verified, hash, registered.password),
    update('client', key('client', { merchant, id: client.id }), { set: registered.data }, [present]),
  ])
  return { id: client.id, mail: registered.data.mail ?? client.mail }
}

/** A one-time token for a new password. For an unknown mail it looks the same and is never valid. */
export const forgottenPassword = async (
  merchant: MerchantId,
  mail: string,
): Promise<{ hash: string; expire: string }> => {
  const { client, access } = await readMailOwner(merchant, mail)
  const about = { client: client?.id ?? null, mail, generation: access?.generation ?? 0 }
  const { hash, expire, place, item } = newOneTimeToken(merchant, about)
  await putItem(place, item)
  return { hash, expire }
}

/** The client and the expiry of a one-time token. Throws hash_invalid. */
export const describeOneTimeToken = async (
  merchant: MerchantId,
  hash: string,
): Promise<TokenOwner & { expire: string }> => {
  const verified = await verifyOneTimeToken(merchant, hash)
  return { id: verified.client.id, mail: verified.client.mail, expire: expiryOf(verified) }
}

/**
 * Sets a new password: activates the account, ends all its sessions and verifies a claimed mail. Throws hash_invalid.
 */
export const resetPassword = async (merchant: MerchantId, hash: string, password: string): Promise<TokenOwner> => {
  const verified = await verifyOneTimeToken(merchant, hash)
  const { client, item } = verified
  if (item.registered) throw invalid('it is for a registration')
  const stored = await withPasswordSlot(merchant, () => storedPassword(password))
  await writeVerified(async () => [
    ...accessActions(merchant, verified, hash, stored),
    check('client', key('client', { merchant, id: client.id }), [present]),
  ])
  return { id: client.id, mail: client.mail }
}
