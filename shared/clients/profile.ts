import { Problem } from '../contract/errors.ts'
import {
  type Client,
  completeClient,
  presentClient,
  type ShownClient,
  shownClient,
} from '../contract/records/client.ts'
import { equals, present } from '../platform/table/expressions.ts'
import { ConditionFailed, retry } from '../platform/table/failures.ts'
import type { StoredPassword } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, getItems, updateItem } from '../platform/table/table.ts'
import { type Action, check, put, transact, update } from '../platform/table/transact.ts'
import { storedPassword, withPasswordSlot } from './passwords.ts'
import type { SignedInClient } from './sessions.ts'
import { assignMail, foldMail, hasMail, mailKey, mailTaken, readMailOwner, releaseMail } from './store.ts'

const tokenInvalid = () => new Problem('client_token_invalid', { because: 'the client is deleted' })

/** The id of the client with this verified mail; false if no client has verified it. */
export const clientByMail = async (merchant: MerchantId, mail: string | null): Promise<number | false> => {
  if (mail === null) return false
  const { pointer, client } = await readMailOwner(merchant, mail)
  return client && !pointer?.claimed ? client.id : false
}

/** A client as it is shown. Throws client_token_invalid if it is deleted. */
export const getClient = async (merchant: MerchantId, id: number): Promise<ShownClient> => {
  const client = await getItem(key('client', { merchant, id }))
  if (!client) throw tokenInvalid()
  return shownClient(completeClient(client))
}

/** The fields that a client may change of its own record. */
export type ProfileChange = Omit<Partial<Client>, 'mail'> & { mail?: string }

/**
 * The actions that give a client another mail. The new mail is `claimed`, not verified: the client can sign in with it,
 * but a guest's order with this mail is not assigned to the client until a one-time token sent there has set a
 * password.
 */
const mailActions = async (
  merchant: MerchantId,
  { id, mail: former }: Pick<Client, 'id' | 'mail'>,
  mail: string,
): Promise<Action[]> => {
  const [holder, formerHolder] = await getItems([mailKey(merchant, mail), mailKey(merchant, former ?? mail)])
  if (holder && holder.id !== id) {
    const [other] = await getItems([key('client', { merchant, id: holder.id })])
    if (other && !other.deleted) throw mailTaken()
  }
  return [
    assignMail(merchant, mail, { id, claimed: true }, holder),
    ...(former && formerHolder?.id === id ? [releaseMail(merchant, former, id)] : []),
  ]
}

/**
 * Changes a client with its mail or password, if these are unchanged since they were read and the session belongs to the
 * current password: a revoked session, which caches may accept for a minute, cannot take over the account. A new password
 * ends all other sessions.
 */
const editAccount = async (
  merchant: MerchantId,
  { id, digest }: EditingClient,
  data: ProfileChange,
  password: StoredPassword | undefined,
): Promise<void> => {
  const place = key('client', { merchant, id })
  const accessPlace = key('clientAccess', { merchant, id })
  const sessionPlace = key('clientSession', { merchant, digest })
  const [stored, access, session] = await getItems([place, accessPlace, sessionPlace])
  const before = presentClient(stored)
  if (!before || !access || session?.generation !== access.generation) throw tokenInvalid()
  const isSame = [equals('generation', access.generation)]
  const generation = access.generation + 1
  const conditions = [present, hasMail(before.mail)]
  const { mail } = data
  const moves = mail !== undefined && (before.mail === null || foldMail(before.mail) !== foldMail(mail))
  await transact([
    Object.keys(data).length > 0
      ? update('client', place, { set: data }, conditions)
      : check('client', place, conditions),
    ...(password
      ? [
          put('access', accessPlace, { ...password, generation }, { when: isSame }),
          update('session', sessionPlace, { set: { generation } }, [present]),
        ]
      : [check('access', accessPlace, isSame)]),
    ...(moves ? await mailActions(merchant, before, mail) : []),
  ])
}

/** The signed-in client; `digest` is that of its token. */
export type EditingClient = Pick<SignedInClient, 'id' | 'digest'>

/**
 * Changes the given fields and the password of a client and returns the client. Throws nothing_to_change, mail_taken,
 * client_token_invalid.
 */
export const editClient = async (
  merchant: MerchantId,
  client: EditingClient,
  data: ProfileChange,
  password: string | null,
): Promise<ShownClient> => {
  if (Object.keys(data).length === 0 && password === null) throw new Problem('nothing_to_change')
  const { id } = client
  if (data.mail === undefined && password === null) {
    const edited = await updateItem(key('client', { merchant, id }), { set: data }, [present]).catch(error => {
      throw error instanceof ConditionFailed ? tokenInvalid() : error
    })
    return shownClient(completeClient(edited))
  }
  const stored = password === null ? undefined : await withPasswordSlot(merchant, () => storedPassword(password))
  await retry(
    () => editAccount(merchant, client, data, stored),
    () => true,
  )
  return getClient(merchant, id)
}
