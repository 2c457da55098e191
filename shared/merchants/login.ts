import { Problem } from '../contract/errors.ts'
import { log } from '../platform/log.ts'
import { key, merchantIdOf } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'
import { countFailures } from './failures.ts'
import { countOne } from './rates.ts'
import { digestOf, holderIn, openSession, sameDigest } from './sessions.ts'

const refuse = async (sourceIp: string, authid: string, because: string): Promise<never> => {
  log.warn('sign-in refused', { address: sourceIp })
  const wait = await countFailures([`ip#${sourceIp}`, `authid#${authid}`])
  if (!wait) throw new Problem('credentials_invalid', { because, headers: { 'www-authenticate': 'Bearer' } })
  throw new Problem('login_throttled', { because, headers: { 'retry-after': String(wait) } })
}

/**
 * Opens a session for an AuthID and an API token. All wrong credentials get the same 401, or 429 after 20 failures in 15
 * minutes; a correct token always passes, so that no attacker can lock a shop out. Throws quota_exceeded if the merchant
 * opens more sessions than its quota allows.
 */
export const login = async (
  authid: string,
  token: string,
  sourceIp: string,
): Promise<{ token: string; expires: number }> => {
  const id = holderIn('wka', token)
  const credential = id && (await getItem(key('credential', { id })))
  if (!credential) return refuse(sourceIp, authid, 'there is no such API token')
  if (credential.revoked) return refuse(sourceIp, authid, 'the API token is revoked')
  if (credential.authid !== authid) return refuse(sourceIp, authid, 'the API token has another AuthID')
  if (!sameDigest(credential.digest, digestOf(token)))
    return refuse(sourceIp, authid, 'the API token has another secret')
  await countOne(merchantIdOf(credential.customers_id), 'sessions')
  return openSession(credential)
}
