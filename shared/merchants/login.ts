import { Problem } from '../contract/errors.ts'
import { countOne } from '../quotas/rates.ts'
import { absent } from '../table/expressions.ts'
import { ConditionFailed } from '../table/failures.ts'
import type { FailuresItem } from '../table/items.ts'
import { key, merchantIdOf } from '../table/keys.ts'
import { getItem, putItem, updateItem } from '../table/table.ts'
import { unixSeconds } from '../time.ts'
import { openSession } from './sessions.ts'
import { credentialIn, digestOf, sameDigest } from './tokens.ts'

const windowSeconds = 15 * 60
const allowedFailures = 20

const startWindow = async (source: string, now: number): Promise<FailuresItem> => {
  const failures = { count: 1, expires: now + windowSeconds }
  const over = { anyOf: [absent, { attribute: 'expires', is: '<=', value: now }] } as const
  await putItem(key('failures', { source }), failures, { when: [over] })
  return failures
}

/** Counts one failure of a source in its present window of 15 minutes. */
const countFailure = async (source: string): Promise<FailuresItem> => {
  const now = unixSeconds(Date.now())
  const add = () =>
    updateItem(key('failures', { source }), { add: { count: 1 } }, [{ attribute: 'expires', is: '>', value: now }])
  try {
    return await add()
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  try {
    return await startWindow(source, now)
  } catch (error) {
    // Another failure opened the window at the same moment.
    if (error instanceof ConditionFailed) return add()
    throw error
  }
}

const refuse = async (sourceIp: string, authid: string): Promise<never> => {
  const failures = await Promise.all([countFailure(`ip#${sourceIp}`), countFailure(`authid#${authid}`)])
  const worst = failures.reduce((one, other) => (other.count > one.count ? other : one))
  if (worst.count <= allowedFailures) {
    throw new Problem('credentials_invalid', { headers: { 'www-authenticate': 'Bearer' } })
  }
  const wait = Math.max(1, worst.expires - unixSeconds(Date.now()))
  throw new Problem('login_throttled', { headers: { 'retry-after': String(wait) } })
}

/**
 * Opens a session for an AuthID and an API token. Whatever is wrong, the caller gets one identical 401, or 429 after 20
 * failures in 15 minutes; a right credential passes whatever others do, so nobody can lock a shop out. Throws
 * quota_exceeded when the merchant itself opens more sessions than it may.
 */
export const login = async (
  authid: string,
  token: string,
  sourceIp: string,
): Promise<{ token: string; expires: number }> => {
  const id = credentialIn('wka', token)
  const credential = id && (await getItem(key('credential', { id })))
  const right =
    credential && !credential.revoked && credential.authid === authid && sameDigest(credential.digest, digestOf(token))
  if (!right) return refuse(sourceIp, authid)
  await countOne(merchantIdOf(credential.customers_id), 'sessions')
  return openSession(credential)
}
