import { Problem } from '../contract/errors.ts'
import { type Client, completeClient, type ShownClient, shownClient } from '../contract/records/client.ts'
import { equals, present } from '../table/expressions.ts'
import { ConditionFailed } from '../table/failures.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { retrying } from '../table/retry.ts'
import { getItem, getItems, updateItem } from '../table/table.ts'
import { type Action, check, transact, update } from '../table/transact.ts'
import { foldMail, freeMail, hasMail, mailKey, presentClient, readMailOwner, takeMail } from './mails.ts'
import type { SignedInClient } from './sessions.ts'

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
 * What gives a client another mail. Nobody has proved the new one: it signs the client in, but until a password was set by
 * a hash sent there, guests who type it are nobody's, for it may be theirs.
 */
const movingMail = async (
  merchant: MerchantId,
  { id, mail: former }: Pick<Client, 'id' | 'mail'>,
  mail: string,
): Promise<Action[]> => {
  const [holder, formerHolder] = await getItems([mailKey(merchant, mail), mailKey(merchant, former ?? mail)])
  if (holder && holder.id !== id) {
    const [other] = await getItems([key('client', { merchant, id: holder.id })])
    if (other && !other.deleted) throw taken()
  }
  return [
    takeMail(merchant, mail, { id, claimed: true }, holder),
    ...(former && formerHolder?.id === id ? [freeMail(merchant, former, id)] : []),
  ]
}

/**
 * Changes a client with its mail, if nobody changed that since it was read, and no password was set since the client
 * signed in: a session that is still believed, for a minute, must not take the account along to another mail.
 */
const editWithMail = async (
  merchant: MerchantId,
  { id, generation }: EditingClient,
  data: ProfileChange & { mail: string },
): Promise<void> => {
  const [place, accessPlace] = [key('client', { merchant, id }), key('clientAccess', { merchant, id })]
  const [stored, access] = await getItems([place, accessPlace])
  const before = presentClient(stored)
  if (!before || access?.generation !== generation) throw gone()
  const isSame = before.mail !== null && foldMail(before.mail) === foldMail(data.mail)
  await transact([
    update('client', place, { set: data }, [present, hasMail(before.mail)]),
    check('access', accessPlace, [equals('generation', generation)]),
    ...(isSame ? [] : await movingMail(merchant, before, data.mail)),
  ])
}

/** A client who changes itself; `generation` is that of the account when it signed in. */
export type EditingClient = Pick<SignedInClient, 'id' | 'generation'>

/** Changes the given fields of a client and returns it. Throws nothing_to_change, mail_taken, client_token_invalid. */
export const editClient = async (
  merchant: MerchantId,
  client: EditingClient,
  data: ProfileChange,
): Promise<ShownClient> => {
  if (Object.keys(data).length === 0) throw new Problem('nothing_to_change')
  const { id } = client
  const { mail } = data
  if (mail === undefined) {
    const edited = await updateItem(key('client', { merchant, id }), { set: data }, [present]).catch(error => {
      throw error instanceof ConditionFailed ? gone() : error
    })
    return shownClient(completeClient(edited))
  }
  await retrying(
    () => editWithMail(merchant, client, { ...data, mail }),
    () => true,
  )
  return getClient(merchant, id)
}
