import { LRUCache } from 'lru-cache'
import { type ErrorWord, Problem } from '../contract/errors.ts'
import { boundedPage, type Page, PageRoom, recordsBefore, type SortTerm } from '../contract/lists.ts'
import { shortText } from '../contract/wire.ts'
import { type ItemOf, key, type MerchantId, partition } from '../platform/table/keys.ts'
import { getItem, query } from '../platform/table/table.ts'
import { type Action, update } from '../platform/table/transact.ts'
import { slug } from '../values/slug.ts'
import { inGerman, withShortTexts } from '../values/text.ts'

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

/** What names a record of a kind that has names in URLs. */
export type RecordName = { id?: number | null | undefined; path_segment?: string | null | undefined }

type Named = { id: number; path_segment: string | null }

/** A record with its name in URLs. One of an older import got none then; its id keeps this one from being another's. */
export const withSegment = <R extends Named & { name: string }>(record: R): R => ({
  ...record,
  path_segment: record.path_segment ?? `${slug(record.name)}-${record.id}`,
})

/** How the records of a kind are read, and the word for one that is not there. */
export type Reading<R> = {
  missing: ErrorWord
  one(id: number): Promise<R | undefined>
  all(): Promise<readonly R[]>
}

/**
 * The record that a request names, read by one request. Throws missing_identifier, identifier_conflict, or that it is
 * missing.
 */
export const findNamed = async <R extends Named>({ id, path_segment }: RecordName, reading: Reading<R>): Promise<R> => {
  if (!id && !path_segment) throw new Problem('missing_identifier', { details: 'id or path_segment is required' })
  const found = path_segment
    ? (await reading.all()).find(one => one.path_segment === path_segment)
    : await reading.one(id ?? 0)
  if (!found) throw new Problem(reading.missing)
  if (id && id !== found.id)
    throw new Problem('identifier_conflict', { details: 'id and path_segment name different records' })
  return found
}

/** Nothing, for a record that is not there; for `catch`. */
export const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof Problem) || error.status !== 404) throw error
}

/** What the list of a few records may be asked; without a pageSize it comes whole, as far as one response holds it. */
export type AskedList<R> = {
  page: number
  pageSize?: number | null | undefined
  start?: number | null | undefined
  max?: number | null | undefined
  short?: 0 | 1 | null | undefined
  orderBy?: readonly SortTerm<Extract<keyof R, string>>[] | undefined
}

const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) ? Number(value) : Number.NaN

/** Ascending: numbers and amounts by size, texts by German collation, nothing last. */
const compare = (one: unknown, other: unknown): number => {
  if (one === other) return 0
  if (one === null || one === undefined) return 1
  if (other === null || other === undefined) return -1
  return numberIn(one) - numberIn(other) || inGerman(String(one), String(other))
}

const inOrder =
  <R extends { id: number }>(order: AskedList<R>['orderBy'] = []) =>
  (one: R, other: R): number => {
    for (const { field, descending } of order) {
      const compared = compare(one[field], other[field])
      if (compared !== 0) return descending ? -compared : compared
    }
    return one.id - other.id
  }

/** A page of a list that is at hand whole; `isRepeated` where the response has the records under another name, too. */
export const listRecords = <R extends { id: number }>(
  all: readonly R[],
  asked: AskedList<R>,
  { isRepeated = false } = {},
): Promise<Page<R>> => {
  const sorted = all.toSorted(inOrder(asked.orderBy)).slice(0, asked.max ?? undefined)
  const wanted = { ...asked, pageSize: asked.pageSize ?? Math.max(1, sorted.length) }
  const before = recordsBefore(wanted)
  const records = sorted.slice(before, before + wanted.pageSize)
  const shown = asked.short ? records.map(one => withShortTexts(one, shortText)) : records
  return boundedPage(wanted, sorted.length, shown, new PageRoom<R>({ isRepeated }))
}
