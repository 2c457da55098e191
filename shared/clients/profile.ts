import { Problem } from '../contract/errors.ts'
import { type Client, completeClient, type ShownClient, shownClient } from '../contract/records/client.ts'
import { present } from '../table/expressions.ts'
import { ConditionFailed } from '../table/failures.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { retrying } from '../table/retry.ts'
import { getItem, getItems, updateItem } from '../table/table.ts'
import { transact, update } from '../table/transact.ts'
import { foldMail, freeMail, mailKey, readMailOwner, takeMail } from './mails.ts'

const gone = () => new Problem('client_token_invalid')

/** The id of the client whose mail it is; false for one that nobody has, or only says to have. */
export const clientByMail = async (merchant: MerchantId, mail: string | null): Promise<number | false> => {
  if (mail === null) return false
  const { pointer, client } = await readMailOwner(merchant, mail)
  return client && !pointer?.claimed ? client.id : false
}

/** A client as it is shown. Throws client_token_invalid when it is gone. */
export const getClient = async (merchant: MerchantId, id: number): Promise<ShownClient> => {
  const client = await getItem(key('client', { merchant, id }))
  if (!client) throw gone()
  return shownClient(completeClient(client))
}

/** What a client may change of itself. */
export type ProfileChange = Omit<Partial<Client>, 'mail'> & { mail?: string }

const taken = (): Problem =>
  new Problem('mail_taken', {
    fields: [{ path: 'data.mail', rule: 'mail_taken', expected: 'one that no other client has' }],
  })

/**
 * Changes a client with its mail. Nobody has proved the new one: it signs the client in, but until a password was set by a
 * hash sent there, guests who type it are nobody's, for it may be theirs.
 */
const editMail = async (
  merchant: MerchantId,
  before: Client,
  data: ProfileChange & { mail: string },
): Promise<void> => {
  const { id, mail: former } = before
  const { mail } = data
  const [holder, formerHolder] = await getItems([mailKey(merchant, mail), mailKey(merchant, former ?? mail)])
  if (holder && holder.id !== id) {
    const [other] = await getItems([key('client', { merchant, id: holder.id })])
    if (other && !other.deleted) throw taken()
  }
  await transact([
    update('client', key('client', { merchant, id }), { set: data }, [present]),
    takeMail(merchant, mail, { id, claimed: true }, holder),
    ...(former && formerHolder?.id === id ? [freeMail(merchant, former, id)] : []),
  ])
}

/** Changes the given fields of a client and returns it. Throws nothing_to_change, mail_taken, client_token_invalid. */
export const editClient = async (merchant: MerchantId, id: number, data: ProfileChange): Promise<ShownClient> => {
  if (Object.keys(data).length === 0) throw new Problem('nothing_to_change')
  const place = key('client', { merchant, id })
  const { mail } = data
  if (mail === undefined) {
    const edited = await updateItem(place, { set: data }, [present]).catch(error => {
      throw error instanceof ConditionFailed ? gone() : error
    })
    return shownClient(completeClient(edited))
  }
  await retrying(
    async () => {
      const before = await getItem(place)
      if (!before) throw gone()
      const isSame = before.mail !== null && foldMail(before.mail) === foldMail(mail)
      if (isSame) await updateItem(place, { set: data }, [present])
      else await editMail(merchant, before, { ...data, mail })
    },
    () => true,
  )
  return getClient(merchant, id)
}
