import { Problem } from '../contract/errors.ts'
import { countTry } from '../merchants/failures.ts'
import { digestOf } from '../merchants/tokens.ts'
import { count } from '../platform/metrics.ts'
import type { ClientCallerItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, putItem } from '../platform/table/table.ts'
import { unixSeconds } from '../values/time.ts'
import { foldMail, type MailOwner, nobody } from './mails.ts'

/** Who tries to sign in: a mail, whose it is, and the shop's key of the visitor, if it gives one. */
export type Trying = { mail: string; owner: MailOwner; caller: string | null }

const year = 365 * 24 * 3600

const callerKey = (merchant: MerchantId, client: number, caller: string): Key<ClientCallerItem> =>
  key('clientCaller', { merchant, client, digest: digestOf(caller) })

/** Remembers for a year that a visitor has signed a client in. */
export const rememberCaller = (merchant: MerchantId, client: number, caller: string): Promise<void> =>
  putItem(callerKey(merchant, client, caller), { expires: unixSeconds(Date.now()) + year })

const isRemembered = async (merchant: MerchantId, { owner, caller }: Trying): Promise<boolean> =>
  caller !== null && (await getItem(callerKey(merchant, owner.client?.id ?? nobody, caller))) !== undefined

/**
 * Counts a sign-in as failed before its password is computed, so that any number at once computes no more than is allowed.
 * After 20 failures of a mail in 15 minutes one a minute may go on, and any of a visitor who has signed the client in
 * before, or has itself failed less than 20 times. Returns what takes the count back. Throws client_login_throttled.
 */
export const countSignIn = async (merchant: MerchantId, trying: Trying): Promise<() => Promise<unknown>> => {
  const { mail, caller } = trying
  const tries = await Promise.all([
    countTry(`client#${merchant}#${digestOf(foldMail(mail))}`, { eachMinute: true }),
    ...(caller === null ? [] : [countTry(`caller#${merchant}#${digestOf(caller)}`)]),
  ])
  const [{ wait }] = tries
  if (tries.every(({ wait }) => wait > 0) && !(await isRemembered(merchant, trying))) {
    count('FailedLogins')
    throw new Problem('client_login_throttled', { headers: { 'retry-after': String(wait) } })
  }
  return () => Promise.all(tries.map(({ takeBack }) => takeBack()))
}
