import { createHash } from 'node:crypto'
import { absent } from '../platform/table/expressions.ts'
import type { IdempotencyItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
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
