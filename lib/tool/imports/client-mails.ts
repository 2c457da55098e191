import { assignMail, foldMail, releaseMail } from '../../../shared/clients/store.ts'
import type { Client } from '../../../shared/contract/records/client.ts'
import { type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { queryEntries } from '../../../shared/platform/table/table.ts'
import type { Action } from '../../../shared/platform/table/transact.ts'

/** The ids of clients by their folded mail. */
export type MailHolders = ReadonlyMap<string, number>

export const readMailHolders = async (merchant: MerchantId): Promise<MailHolders> => {
  const entries = await queryEntries({ pk: partition('clientMail', { merchant }) })
  return new Map(entries.map(({ sk, item }) => [sk, item.id]))
}

/**
 * The owner of each mail after a change of clients: the present owner if it still has the mail, else the first client with
 * it. An owner that is not among the clients was added concurrently, and stays.
 */
export const holdersAfter = (
  holders: MailHolders,
  clients: readonly Pick<Client, 'id' | 'mail' | 'deleted'>[],
): MailHolders => {
  const mails = new Map(clients.map(({ id, mail, deleted }) => [id, mail && !deleted ? foldMail(mail) : null]))
  const after = new Map([...holders].filter(([mail, id]) => !mails.has(id) || mails.get(id) === mail))
  for (const [id, mail] of mails) if (mail !== null && !after.has(mail)) after.set(mail, id)
  return after
}

/** The actions that assign mails to their new owners, by client. */
export const mailActions = (
  merchant: MerchantId,
  before: MailHolders,
  after: MailHolders,
): ReadonlyMap<number, readonly Action[]> => {
  const gained = [...after].filter(([mail, id]) => before.get(mail) !== id)
  const lost = [...before].filter(([mail]) => !after.has(mail))
  const taking = gained.map(([mail, id]) => {
    const former = before.get(mail)
    return { id, action: assignMail(merchant, mail, { id }, former === undefined ? undefined : { id: former }) }
  })
  const freeing = lost.map(([mail, id]) => ({ id, action: releaseMail(merchant, mail, id) }))
  const byClient = Map.groupBy([...taking, ...freeing], ({ id }) => id)
  return new Map([...byClient].map(([id, all]) => [id, all.map(({ action }) => action)]))
}
