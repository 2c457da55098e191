import type { MerchantId } from '../platform/table/keys.ts'
import { type Action, update } from '../platform/table/transact.ts'
import { type CachedKind, versionKey } from './records.ts'

/** Raises the version of a kind. Every transaction that writes a record of the kind includes it. */
export const raiseVersion = (kind: CachedKind, merchant: MerchantId): Action =>
  update(`version of ${kind}`, versionKey(kind, merchant), { add: { version: 1 } })
