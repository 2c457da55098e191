import { LRUCache } from 'lru-cache'
import { type ErrorWord, Problem } from '../contract/errors.ts'
import { BoundedRecords, type Page, type SortTerm, type WholePaging, wholePage } from '../contract/schema/lists.ts'
import { shortText } from '../contract/schema/wire.ts'
import { type ItemOf, type MerchantId, partition } from '../platform/table/keys.ts'
import { getItem, query } from '../platform/table/table.ts'
import { slug } from '../values/slug.ts'
import { inGerman, withShortTexts } from '../values/text.ts'
import { untilShownWhole, versionKey } from './versions.ts'

/** The kinds of records whose lists an instance caches, each with the name of its version. */
const versionNames = { category: 'categories', winery: 'wineries' } as const
export type CachedKind = keyof typeof versionNames

/** The records at a version, and the time of the last look at that version, in milliseconds. */
type CachedList = { version: number; checked: number; records: readonly unknown[] }

const lists = new LRUCache<string, CachedList>({
  maxSize: 32 * 1024 * 1024,
  // In memory a record takes about three times its JSON.
  sizeCalculation: ({ records }) => 1 + 3 * JSON.stringify(records).length,
  // A tool of an older release raises no version.
  ttl: 5 * 60_000,
  perf: Date,
  ttlResolution: 0,
})

/**
 * All records of a kind, from the cache while their version is unchanged. Reading the version costs one read unit;
 * within `lag` milliseconds after another look there is none. With a `lag` of 0 every acknowledged change is included.
 * The records must not be changed.
 */
export const cachedRecords = async <K extends CachedKind>(
  kind: K,
  merchant: MerchantId,
  lag = 0,
): Promise<readonly ItemOf<K>[]> => {
  const pk = partition(kind as CachedKind, { merchant })
  const known = lists.get(pk)
  const now = Date.now()
  if (known && now - known.checked < lag) return known.records as readonly ItemOf<K>[]
  // Before the records: after a change in between they are read once more.
  const item = await getItem(versionKey(merchant, versionNames[kind]))
  const version = item?.version ?? 0
  if (known?.version === version) {
    known.checked = now
    return known.records as readonly ItemOf<K>[]
  }
  await untilShownWhole(item)
  const records: readonly unknown[] = await query({ pk })
  lists.set(pk, { version, checked: now, records })
  return records as readonly ItemOf<K>[]
}

/** The identifiers of a record of a kind with path_segments. */
export type RecordName = { id?: number | null | undefined; path_segment?: string | null | undefined }

type NamedInUrls = { id: number; path_segment: string | null }

/** A record with its path_segment. Older imports stored none; the id makes the derived name unique. */
export const withSegment = <R extends NamedInUrls & { name: string }>(record: R): R => ({
  ...record,
  path_segment: record.path_segment ?? `${slug(record.name)}-${record.id}`,
})

/** Readers of a kind's records, and the error word for a missing record. */
export type RecordReader<R> = {
  missing: ErrorWord
  one(id: number): Promise<R | undefined>
  all(): Promise<readonly R[]>
}

/** Reads a record by its identifiers, in one request. Throws missing_identifier, identifier_conflict or `missing`. */
export const findNamed = async <R extends NamedInUrls>(
  { id, path_segment }: RecordName,
  { missing, one, all }: RecordReader<R>,
): Promise<R> => {
  if (!id && !path_segment) throw new Problem('missing_identifier', { details: '`id` or `path_segment` is required.' })
  const found = path_segment ? (await all()).find(record => record.path_segment === path_segment) : await one(id ?? 0)
  if (!found) throw new Problem(missing)
  if (id && id !== found.id)
    throw new Problem('identifier_conflict', { details: '`id` and `path_segment` identify different records.' })
  return found
}

/** For `catch`: undefined for a record that does not exist; rethrows anything else. */
export const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof Problem) || error.status !== 404) throw error
}

/** The parameters of a list of few records; without a pageSize it comes whole, as far as one response can hold it. */
export type RecordList<R> = WholePaging & {
  max?: number | null | undefined
  short?: 0 | 1 | null | undefined
  orderBy?: readonly SortTerm<Extract<keyof R, string>>[] | undefined
}

const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) ? Number(value) : Number.NaN

/** Ascending: numbers and amounts by size, texts by German collation, null last. */
const compare = (one: unknown, other: unknown): number => {
  if (one === other) return 0
  if (one === null || one === undefined) return 1
  if (other === null || other === undefined) return -1
  return numberIn(one) - numberIn(other) || inGerman(String(one), String(other))
}

const inOrder =
  <R extends { id: number }>(order: RecordList<R>['orderBy'] = []) =>
  (one: R, other: R): number => {
    for (const { field, descending } of order) {
      const compared = compare(one[field], other[field])
      if (compared !== 0) return descending ? -compared : compared
    }
    return one.id - other.id
  }

/** A page of records; `isRepeated` if the response has them under a second name as well. */
export const listRecords = <R extends { id: number }>(
  all: readonly R[],
  asked: RecordList<R>,
  { isRepeated = false } = {},
): Promise<Page<R>> => {
  const sorted = all.toSorted(inOrder(asked.orderBy)).slice(0, asked.max ?? undefined)
  const show = (one: R): R => (asked.short ? withShortTexts(one, shortText) : one)
  return wholePage(sorted, asked, show, new BoundedRecords<R>({ isRepeated }))
}
