import { LRUCache } from 'lru-cache'
import { type ItemOf, key, type MerchantId, partition } from '../../platform/table/keys.ts'
import { getItem, query } from '../../platform/table/table.ts'
import { type Action, update } from '../../platform/table/transact.ts'

/** The kinds of records whose lists an instance remembers, each with the name of its version. */
const versionNames = { category: 'categories', winery: 'wineries' } as const
type Kind = keyof typeof versionNames

const versionKey = (kind: Kind, merchant: MerchantId) => key('imports', { merchant, kind: versionNames[kind] })

/** Raises the version of a kind. Whatever writes a record of the kind writes this along. */
export const raiseVersion = (kind: Kind, merchant: MerchantId): Action =>
  update(`version of ${kind}`, versionKey(kind, merchant), { add: { version: 1 } })

/** Records as of a version, and when that was looked at last, in milliseconds. */
type Remembered = { version: number; checked: number; records: readonly unknown[] }

const lists = new LRUCache<string, Remembered>({
  maxSize: 32 * 1024 * 1024,
  // In memory a record takes about three times its JSON.
  sizeCalculation: ({ records }) => 1 + 3 * JSON.stringify(records).length,
  // A tool of an older release raises no version.
  ttl: 5 * 60_000,
  perf: Date,
  ttlResolution: 0,
})

/**
 * All records of a kind, from memory while their version is as it was; that costs one read unit, or none within `lag`
 * milliseconds after another look. With a `lag` of 0 every acknowledged change is in them. They must not be changed.
 */
export const rememberedRecords = async <K extends Kind>(
  kind: K,
  merchant: MerchantId,
  lag = 0,
): Promise<readonly ItemOf<K>[]> => {
  const pk = partition(kind as Kind, { merchant })
  const known = lists.get(pk)
  const now = Date.now()
  if (known && now - known.checked < lag) return known.records as readonly ItemOf<K>[]
  // Before the records: a change that comes in between makes them be read once more.
  const version = (await getItem(versionKey(kind, merchant)))?.version ?? 0
  if (known?.version === version) {
    known.checked = now
    return known.records as readonly ItemOf<K>[]
  }
  const records: readonly unknown[] = await query({ pk })
  lists.set(pk, { version, checked: now, records })
  return records as readonly ItemOf<K>[]
}
