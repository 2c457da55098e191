import { randomBytes } from 'node:crypto'
import { Problem } from '../contract/errors.ts'
import type { Client } from '../contract/records/client.ts'
import { digestOf } from '../merchants/tokens.ts'
import type { ClientHashItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, getItems } from '../platform/table/table.ts'
import { type Action, remove } from '../platform/table/transact.ts'
import { timestamp, unixSeconds } from '../values/time.ts'
import { foldMail, presentClient } from './mails.ts'

const lifetime = 24 * 3600

const hashKey = (merchant: MerchantId, hash: string) => key('clientHash', { merchant, digest: digestOf(hash) })

/** A hash to be mailed to somebody, until when it counts (a timestamp), and where and how it is kept. */
export type NewHash = { hash: string; expire: string; place: Key<ClientHashItem>; item: ClientHashItem }

/** A hash that proves whoever has it to be reached by the mail. It counts for a day, and once. */
export const newHash = (merchant: MerchantId, about: Omit<ClientHashItem, 'expires'>): NewHash => {
  const hash = randomBytes(32).toString('hex')
  const expires = unixSeconds(Date.now()) + lifetime
  const item = { ...about, mail: foldMail(about.mail), expires }
  return { hash, expire: timestamp(expires * 1000), place: hashKey(merchant, hash), item }
}

/** What a hash proves: whose it is, and the generation of the client's account. */
export type Proof = { client: Client & { mail: string }; generation: number; item: ClientHashItem }

/** Reads what a hash proves. Throws hash_invalid when that is nothing any more. */
export const readProof = async (merchant: MerchantId, hash: string): Promise<Proof> => {
  const invalid = new Problem('hash_invalid')
  const item = await getItem(hashKey(merchant, hash))
  if (!item || item.client === null || item.expires <= unixSeconds(Date.now())) throw invalid
  const { client: id } = item
  const [stored, access] = await getItems([key('client', { merchant, id }), key('clientAccess', { merchant, id })])
  const client = presentClient(stored)
  const generation = access?.generation ?? 0
  const mail = client?.mail
  if (!client || !mail || foldMail(mail) !== item.mail || generation !== item.generation) throw invalid
  return { client: { ...client, mail }, generation, item }
}

/** The action that uses a hash up. */
export const useUp = (merchant: MerchantId, hash: string): Action =>
  remove('hash', hashKey(merchant, hash), [{ attribute: 'pk', is: 'present' }])

/** Until when what was read of a hash counts, as a timestamp. */
export const expireOf = ({ item }: Proof): string => timestamp(item.expires * 1000)
