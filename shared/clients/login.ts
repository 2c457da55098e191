import { Problem } from '../contract/errors.ts'
import { countAttempt } from '../merchants/failures.ts'
import { digestOf, formToken } from '../merchants/sessions.ts'
import { count } from '../platform/log.ts'
import type { ClientCallerItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, putItem } from '../platform/table/table.ts'
import { timestamp, unixSeconds } from '../values/time.ts'
import { isPassword, withPasswordSlot } from './passwords.ts'
import { foldMail, type MailOwner, readMailOwner, unknownClient } from './store.ts'

/** An attempt to sign in; `caller` is the key of the visitor that the shop sent, if any. */
export type SignInAttempt = { mail: string; owner: MailOwner; caller: string | null }

const year = 365 * 24 * 3600

const callerKey = (merchant: MerchantId, client: number, caller: string): Key<ClientCallerItem> =>
  key('clientCaller', { merchant, client, digest: digestOf(caller) })

/** Remembers for a year that a visitor signed in as the client. */
const rememberCaller = (merchant: MerchantId, client: number, caller: string): Promise<void> =>
  putItem(callerKey(merchant, client, caller), { expires: unixSeconds(Date.now()) + year })

const isRemembered = async (merchant: MerchantId, { owner, caller }: SignInAttempt): Promise<boolean> =>
  caller !== null && (await getItem(callerKey(merchant, owner.client?.id ?? unknownClient, caller))) !== undefined

/**
 * Counts a sign-in as failed before its password is hashed, so that concurrent attempts cannot exceed the limit. After 20
 * failures of a mail in 15 minutes it allows one attempt a minute, and any from a visitor who signed in as the client
 * before or who failed less than 20 times. Returns a function that undoes the count. Throws client_login_throttled.
 */
const countSignIn = async (merchant: MerchantId, attempt: SignInAttempt): Promise<() => Promise<unknown>> => {
  const { mail, caller } = attempt
  const attempts = await Promise.all([
    countAttempt(`client#${merchant}#${digestOf(foldMail(mail))}`, { eachMinute: true }),
    ...(caller === null ? [] : [countAttempt(`caller#${merchant}#${digestOf(caller)}`)]),
  ])
  const [{ wait }] = attempts
  if (attempts.every(({ wait }) => wait > 0) && !(await isRemembered(merchant, attempt))) {
    count('FailedLogins')
    throw new Problem('client_login_throttled', { headers: { 'retry-after': String(wait) } })
  }
  return () => Promise.all(attempts.map(({ undo }) => undo()))
}

const lifetime = 12 * 3600

/** A token contains its client and merchant, so that it can be read in parallel with the merchant's session. */
const holderOf = (merchant: MerchantId, id: number): string => `${merchant.toString(16)}x${id.toString(16)}`

/** A client's new session; `expires` is a timestamp. The table stores only the token's digest. */
export type ClientLogin = { id: number; mail: string; token: string; expires: string }

/** `caller` is the shop's key of the visitor. */
export type Credentials = { mail: string; password: string; caller: string | null }

/**
 * Opens a client session of 12 hours; `since` is the arrival of the request in epoch milliseconds. Every failed sign-in
 * gets the same refusal after the same time. Throws login_failed, client_login_throttled, Unavailable if too many
 * passwords wait to be hashed.
 */
export const loginClient = async (
  merchant: MerchantId,
  { mail, password, caller }: Credentials,
  since: number,
): Promise<ClientLogin> => {
  const owner = await readMailOwner(merchant, mail)
  const undo = await countSignIn(merchant, { mail, owner, caller })
  const isRight = await withPasswordSlot(merchant, () => isPassword(password, owner.access), since).catch(
    async error => {
      await undo()
      throw error
    },
  )
  const { client, access } = owner
  if (!isRight || !access || !client?.active) {
    count('FailedLogins')
    const because = !access ? 'there is no account' : client?.active ? 'wrong password' : 'the client is not active'
    throw new Problem('login_failed', { because })
  }
  const token = formToken('wkc', holderOf(merchant, client.id))
  const expires = unixSeconds(Date.now()) + lifetime
  const session = { client: client.id, generation: access.generation, expires }
  await Promise.all([
    putItem(key('clientSession', { merchant, digest: digestOf(token) }), session),
    undo(),
    caller !== null && rememberCaller(merchant, client.id, caller),
  ])
  return { id: client.id, mail: client.mail ?? mail, token, expires: timestamp(expires * 1000) }
}
