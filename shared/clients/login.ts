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

/** Who attempts to sign in: a mail, whose it is, and the shop's key of the visitor, if it gives one. */
export type SignInAttempt = { mail: string; owner: MailOwner; caller: string | null }

const year = 365 * 24 * 3600

const callerKey = (merchant: MerchantId, client: number, caller: string): Key<ClientCallerItem> =>
  key('clientCaller', { merchant, client, digest: digestOf(caller) })

/** Remembers for a year that a visitor has signed a client in. */
export const rememberCaller = (merchant: MerchantId, client: number, caller: string): Promise<void> =>
  putItem(callerKey(merchant, client, caller), { expires: unixSeconds(Date.now()) + year })

const isRemembered = async (merchant: MerchantId, { owner, caller }: SignInAttempt): Promise<boolean> =>
  caller !== null && (await getItem(callerKey(merchant, owner.client?.id ?? unknownClient, caller))) !== undefined

/**
 * Counts a sign-in as failed before its password is computed, so that any number at once computes no more than is allowed.
 * After 20 failures of a mail in 15 minutes one a minute may go on, and any of a visitor who has signed the client in
 * before, or has itself failed less than 20 times. Returns what takes the count back. Throws client_login_throttled.
 */
export const countSignIn = async (merchant: MerchantId, attempt: SignInAttempt): Promise<() => Promise<unknown>> => {
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

/** A token names its client and its client's merchant, so that it is read at once with the merchant's own session. */
const holderOf = (merchant: MerchantId, id: number): string => `${merchant.toString(16)}x${id.toString(16)}`

/** What a sign-in of a client gives: the token, shown here only, and until when it counts (a timestamp). */
export type ClientLogin = { id: number; mail: string; token: string; expires: string }

/** What signs a client in; `caller` is the shop's key of the visitor. */
export type Credentials = { mail: string; password: string; caller: string | null }

/**
 * Signs a client in for 12 hours; `since` is when the request came, in milliseconds. Whatever is wrong, the refusal is one
 * and the same and takes the same time. Throws login_failed, client_login_throttled, Unavailable where too many passwords
 * wait to be computed.
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
    throw new Problem('login_failed')
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
