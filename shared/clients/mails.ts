import { type Client, completeClient } from '../contract/records/client.ts'
import { absent, type Clause, equals } from '../platform/table/expressions.ts'
import type { ClientAccessItem, ClientMailItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { untilShown } from '../platform/table/shown.ts'
import { getItem, getItems } from '../platform/table/table.ts'
import { type Action, put, remove } from '../platform/table/transact.ts'
import { timeOrderedId } from '../values/ids.ts'

/** A mail as it is looked up: mails that differ by case alone are one. */
export const foldMail = (mail: string): string => mail.toLowerCase().normalize('NFC')

/** The key of what tells whose a mail is. */
export const mailKey = (merchant: MerchantId, mail: string): Key<ClientMailItem> =>
  key('clientMail', { merchant, mail: foldMail(mail) })

/** Whose a mail is: what stands there, the client unless it is gone, and its account. */
export type MailOwner = {
  pointer: ClientMailItem | undefined
  client: Client | undefined
  access: ClientAccessItem | undefined
}

/** A client that is there, with all its fields. */
export const presentClient = (stored: Client | undefined): Client | undefined =>
  stored && !stored.deleted ? completeClient(stored) : undefined

/** The client still has the mail that was read of it. */
export const hasMail = (mail: string | null): Clause<Client> =>
  mail === null ? { anyOf: [equals('mail', null), { attribute: 'mail', is: 'absent' }] } : equals('mail', mail)

// There is no client 0: an unknown mail costs as many requests as a known one.
export const nobody = 0

/** Reads whose a mail is. */
export const readMailOwner = async (merchant: MerchantId, mail: string): Promise<MailOwner> => {
  const pointer = await getItem(mailKey(merchant, mail))
  const id = pointer?.id ?? nobody
  const place = key('client', { merchant, id })
  const [found, access] = await getItems([place, key('clientAccess', { merchant, id })])
  const client = pointer && !found ? await untilShown(async () => (await getItems([place]))[0]) : found
  return { pointer, client: presentClient(client), access }
}

/** Gives a mail to a client, from whoever has it as it was read; nobody, or one that is gone. */
export const takeMail = (
  merchant: MerchantId,
  mail: string,
  owner: ClientMailItem,
  former: Pick<ClientMailItem, 'id'> | null | undefined,
): Action => put('client mail', mailKey(merchant, mail), owner, { when: [former ? equals('id', former.id) : absent] })

/** Sets a mail of a client free. */
export const freeMail = (merchant: MerchantId, mail: string, id: number): Action =>
  remove('former mail', mailKey(merchant, mail), [equals('id', id)])

/** A new client of what is known of it. */
export const newClient = (merchant: MerchantId, data: Partial<Client>): Client =>
  completeClient({ ...data, id: timeOrderedId(), customers_id: merchant })

/** The actions that store a new client and its mail; `former` is who has the mail as it was read. */
export const storeClient = (
  merchant: MerchantId,
  record: Client,
  former: Pick<ClientMailItem, 'id'> | null | undefined,
): Action[] => {
  const { id, mail } = record
  const actions = [put('new client', key('client', { merchant, id }), record, { when: [absent] })]
  return mail ? [...actions, takeMail(merchant, mail, { id }, former)] : actions
}
