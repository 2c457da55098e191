import { Problem } from '../contract/errors.ts'
import { type Client, completeClient, presentClient } from '../contract/records/client.ts'
import { absent, type Clause, equals, present } from '../platform/table/expressions.ts'
import { ConditionFailed, untilShown } from '../platform/table/failures.ts'
import type { ClientAccessItem, ClientMailItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId, partition } from '../platform/table/keys.ts'
import { getItem, getItems, putItem, queryPages, updateItem } from '../platform/table/table.ts'
import { type Action, put, remove } from '../platform/table/transact.ts'
import { timeOrderedId } from '../values/time.ts'

/** The lookup form of a mail: mails that differ only in case are the same. */
export const foldMail = (mail: string): string => mail.toLowerCase().normalize('NFC')

export const mailKey = (merchant: MerchantId, mail: string): Key<ClientMailItem> =>
  key('clientMail', { merchant, mail: foldMail(mail) })

export const mailTaken = (): Problem =>
  new Problem('mail_taken', {
    fields: [{ path: 'data.mail', rule: 'mail_taken', expected: 'an address that no other account uses' }],
  })

/** The owner of a mail: its pointer, its client unless deleted, and the client's account. */
export type MailOwner = {
  pointer: ClientMailItem | undefined
  client: Client | undefined
  access: ClientAccessItem | undefined
}

/** The condition that the client's mail is unchanged since the read. */
export const hasMail = (mail: string | null): Clause<Client> =>
  mail === null ? { anyOf: [equals('mail', null), { attribute: 'mail', is: 'absent' }] } : equals('mail', mail)

// There is no client 0: an unknown mail costs as many requests as a known mail.
export const unknownClient = 0

export const readMailOwner = async (merchant: MerchantId, mail: string): Promise<MailOwner> => {
  const pointer = await getItem(mailKey(merchant, mail))
  const id = pointer?.id ?? unknownClient
  const place = key('client', { merchant, id })
  const [found, access] = await getItems([place, key('clientAccess', { merchant, id })])
  const client = pointer && !found ? await untilShown(async () => (await getItems([place]))[0]) : found
  return { pointer, client: presentClient(client), access }
}

/** Assigns a mail to a client, if its owner is still `former` (undefined: none). */
export const assignMail = (
  merchant: MerchantId,
  mail: string,
  owner: ClientMailItem,
  former: Pick<ClientMailItem, 'id'> | null | undefined,
): Action => put('client mail', mailKey(merchant, mail), owner, { when: [former ? equals('id', former.id) : absent] })

export const releaseMail = (merchant: MerchantId, mail: string, id: number): Action =>
  remove('former mail', mailKey(merchant, mail), [equals('id', id)])

export const newClient = (merchant: MerchantId, data: Partial<Client>): Client =>
  completeClient({ ...data, id: timeOrderedId(), customers_id: merchant })

/** The actions that store a new client and its mail; `former` is the owner of the mail as it was read. */
export const storeClient = (
  merchant: MerchantId,
  record: Client,
  former: Pick<ClientMailItem, 'id'> | null | undefined,
): Action[] => {
  const { id, mail } = record
  const actions = [put('new client', key('client', { merchant, id }), record, { when: [absent] })]
  return mail ? [...actions, assignMail(merchant, mail, { id }, former)] : actions
}

// Shops have assigned numbers of this form on paper or in other programs: counting continues after them.
const countedNumber = /^K-(\d{1,9})$/
const firstCount = 1000

/** The highest count in customer numbers of the form K-n; 0 if there is none. */
const highestCount = (clients: readonly Pick<Client, 'number'>[]): number =>
  clients.reduce((highest, { number }) => Math.max(highest, Number(countedNumber.exec(number ?? '')?.[1] ?? 0)), 0)

const ignoreFailedCondition = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error
}

/** Creates the counter, after the highest existing number. */
const begin = async (merchant: MerchantId): Promise<void> => {
  let value = firstCount
  for await (const entries of queryPages({ pk: partition('client', { merchant }) })) {
    value = Math.max(value, highestCount(entries.map(({ item }) => item)))
  }
  await putItem(key('clientNumbers', { merchant }), { value }, { when: [absent] }).catch(ignoreFailedCondition)
}

/** Draws the next customer number of a merchant: K-1001, K-1002 … An unused number leaves a gap. */
export const nextClientNumber = async (merchant: MerchantId): Promise<string> => {
  const count = () => updateItem(key('clientNumbers', { merchant }), { add: { value: 1 } }, [present])
  const { value } = await count().catch(async error => {
    ignoreFailedCondition(error)
    await begin(merchant)
    return count()
  })
  return `K-${value}`
}

/** Raises the counter above the numbers of imported clients. */
export const countOnAfter = async (merchant: MerchantId, clients: readonly Pick<Client, 'number'>[]): Promise<void> => {
  const value = highestCount(clients)
  const below = { attribute: 'value', is: '<', value } as const
  await updateItem(key('clientNumbers', { merchant }), { set: { value } }, [below]).catch(ignoreFailedCondition)
}
