import { createHash } from 'node:crypto'
import { Problem } from '../contract/errors.ts'
import { absent } from '../platform/table/expressions.ts'
import type { IdempotencyItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'
import { type Action, put } from '../platform/table/transact.ts'
import { unixSeconds } from '../values/time.ts'

/** The hash of a request, or of an Idempotency-Key. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

// Longer than any shop repeats a request.
const keySeconds = 48 * 3600

/** The action that stores the hash of an Idempotency-Key; refused if it was used. */
export const idempotencyAction = (
  merchant: MerchantId,
  keyHash: string,
  used: Omit<IdempotencyItem, 'expires'>,
): Action =>
  put(
    'idempotency',
    key('idempotency', { merchant, key: keyHash }),
    { ...used, expires: unixSeconds(Date.now()) + keySeconds },
    { when: [absent] },
  )

/** A change of a merchant's records with its Idempotency-Key, if any. */
export type Keyed<Change> = { change: Change; idempotencyKey: string | null }

/**
 * The use of the Idempotency-Key by an earlier request for the same change; undefined if there was none. Throws
 * idempotency_key_reused if it was another change.
 */
export const earlierUse = async (
  merchant: MerchantId,
  { change, idempotencyKey }: Keyed<unknown>,
): Promise<IdempotencyItem | undefined> => {
  if (idempotencyKey === null) return undefined
  const used = await getItem(key('idempotency', { merchant, key: sha256(idempotencyKey) }))
  if (used && used.hash !== sha256(JSON.stringify(change))) throw new Problem('idempotency_key_reused')
  return used
}

/** The result of an earlier request with the same Idempotency-Key, else that of `first`. */
export const earlierOr = async <Result>(
  earlier: () => Promise<Result | undefined>,
  first: () => Promise<Result>,
): Promise<Result> => {
  const found = await earlier()
  if (found) return found
  return first().catch(async error => {
    // A concurrent repeat may have made the change that this request is refused for.
    const since = await earlier()
    if (since) return since
    throw error
  })
}

/** Stores the key, with the id of an added record and the uuid of its order, in the transaction of the change. */
export const useActions = (
  merchant: MerchantId,
  { change, idempotencyKey }: Keyed<unknown>,
  id?: number,
  uuid = '',
): Action[] => {
  if (idempotencyKey === null) return []
  const used = { uuid, hash: sha256(JSON.stringify(change)), ...(id !== undefined && { id }) }
  return [idempotencyAction(merchant, sha256(idempotencyKey), used)]
}
