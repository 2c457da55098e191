import * as v from 'valibot'
import { described, documented, emptyList, Id, inshop, must, optionalPageSize, paging, scalar } from './wire.ts'

/**
 * Where a page stands in its list: `total` is the number of the last page, `size` how many records a page has. A page
 * that ended early has as many as `size` says, and `next` where the list goes on.
 */
type Pages = { current: number; total: number; size: number; next?: { start: number } }

/** One page of a list, as list routes return it. */
export type Page<T> = { data: T[]; totalCount: number; pages: Pages }

/** Which page of a list is wanted: its number (from 1), or how many records to skip; `pageSize` records at most. */
export type PageRequest = { page: number; pageSize: number; start?: number | null | undefined }

/** How many records of its list stand before a page. */
export const offsetOf = ({ page, pageSize, start }: PageRequest): number => start ?? (page - 1) * pageSize

/** A page of a list of `totalCount` elements. */
export const pageOf = <T>(data: T[], totalCount: number, page: number, pageSize: number): Page<T> => ({
  data,
  totalCount,
  pages: { current: page, total: Math.max(1, Math.ceil(totalCount / pageSize)), size: pageSize },
})

/** A whole list in one page. */
export const wholeList = <T>(data: T[]): Page<T> => pageOf(data, data.length, 1, Math.max(1, data.length))

// A page may hold 2 MB of JSON; what stands around its records takes less than the rest.
const maxBytes = 2_000_000 - 1_000

// Lambda takes 6 MB of an answer as JSON, in which the body's JSON is a text: escaped once more, at most twice as long.
const maxBytesTwice = 1_500_000 - 1_000

/** The records of a page: as many as one response can hold, but at least one. */
export class BoundedRecords<T> {
  readonly data: T[] = []
  /** Whether a record was left out. */
  isFull = false
  private left: number

  /** `isRepeated`: the answer may have the records twice, under another name as well. */
  constructor({ isRepeated = false } = {}) {
    this.left = isRepeated ? maxBytesTwice : maxBytes
  }

  /** Puts a record in if there is room; says whether there was. After one that was left out, all are. */
  take(record: T): boolean {
    if (this.isFull) return false
    // A comma stands between two.
    this.left -= Buffer.byteLength(JSON.stringify(record)) + 1
    if (this.data.length > 0 && this.left < 0) this.isFull = true
    else this.data.push(record)
    return !this.isFull
  }
}

/** A page of a list of `totalCount` elements, of what there was room for. */
export const pageIn = <T>(wanted: PageRequest, totalCount: number, { data, isFull }: BoundedRecords<T>): Page<T> => {
  const { page, pageSize, start } = wanted
  const isByStart = typeof start === 'number'
  const end = offsetOf(wanted) + data.length
  const { pages, ...whole } = pageOf(data, totalCount, isByStart ? Math.floor(start / pageSize) + 1 : page, pageSize)
  // Who goes on by `start` is told so until the list is at its end.
  const goesOn = isFull || (isByStart && data.length > 0 && end < totalCount)
  return {
    ...whole,
    pages: { ...pages, ...(isFull && { size: data.length }), ...(goesOn && { next: { start: end } }) },
  }
}

/**
 * A page of a list of `totalCount` elements, from the records that begin where the page does. It ends early where one
 * more record would make the response too large, and takes no more from `records` then: a generator that reads as it
 * goes holds a few records in memory, not all.
 */
export const boundedPage = async <T>(
  wanted: PageRequest,
  totalCount: number,
  records: AsyncIterable<T> | Iterable<T>,
  room = new BoundedRecords<T>(),
): Promise<Page<T>> => {
  for await (const record of records) if (!room.take(record)) break
  return pageIn(wanted, totalCount, room)
}

/** One key of a sort order. */
export type SortTerm<Field extends string> = { field: Field; descending: boolean }

const maxTerms = 5

const splitTerms = (input: unknown): unknown[] | undefined =>
  typeof input === 'string' ? input.split(',', maxTerms + 1) : undefined

const isOneOf = <Field extends string>(fields: readonly Field[], word: string): word is Field =>
  fields.some(field => field === word)

const termIn =
  <Field extends string>(fields: readonly Field[]) =>
  (input: unknown): SortTerm<Field> | undefined => {
    const [field = '', direction = 'asc', ...rest] = String(input).trim().split(/\s+/, 3)
    const way = direction.toLowerCase()
    if (!isOneOf(fields, field) || rest.length > 0 || (way !== 'asc' && way !== 'desc')) return undefined
    return { field, descending: way === 'desc' }
  }

const isNothing = (input: unknown): boolean => input === null || input === ''

/** Whether no field is named in both directions. */
const isOneWay = (terms: readonly SortTerm<string>[]): boolean =>
  terms.every(({ field, descending }) => terms.every(one => one.field !== field || one.descending === descending))

/** The keyword of the document that lists the fields of an `orderBy`. */
export const sortFieldsKeyword = 'x-sort-fields'

/**
 * A caller's `orderBy`: up to five of `fields`, each optionally followed by ASC or DESC in any case; `usual` where it is left
 * out. `what` names the fields in a refusal, as in "a wine field".
 */
export const sortOrder = <Field extends string>(
  fields: readonly Field[],
  what: string,
  usual: readonly SortTerm<Field>[],
) => {
  const terms = v.pipe(
    scalar('type', 'a text', splitTerms, {
      takes: {
        type: 'string',
        [sortFieldsKeyword]: [...fields],
      },
    }),
    must<unknown[]>('max_terms', String(maxTerms), all => all.length <= maxTerms, {}),
    v.array(scalar('sort_term', `${what}, then nothing, ASC or DESC`, termIn(fields), { takes: { type: 'string' } })),
    must<SortTerm<Field>[]>('one_direction', 'a list that names no field in both directions', isOneWay, {}),
  )
  return v.pipe(
    v.optional(v.unknown(), null),
    v.transform(input => (isNothing(input) ? undefined : input)),
    v.optional(terms),
    v.transform(order => order ?? [...usual]),
    documented({ also: ['', null] }),
    v.description(
      `Sort order: up to ${maxTerms} fields separated by commas, each followed by nothing, ASC or DESC. Allowed: ${fields.join(', ')}.`,
    ),
  )
}

/** What names a record of a kind that has names in URLs. */
export const recordName = {
  id: described(v.nullish(Id), 'Id of the record; `id` or `path_segment` must be given.'),
  path_segment: described(v.nullish(v.string()), 'Name of the record in URLs.'),
}

/** As a merchant placed them; equal places by name. */
export const byPlace = [
  { field: 'sorting', descending: false },
  { field: 'name', descending: false },
] as const

/** A limit for lists that come whole. */
export const max = described(v.nullish(Id), 'Maximum number of records where `pageSize` is not given.')

/** The parameters of a list that comes whole unless a pageSize is given, ordered by some of its records' fields. */
export const listOf = <const Field extends string>(fields: readonly Field[], usual: readonly SortTerm<Field>[]) => ({
  ...paging,
  pageSize: optionalPageSize,
  max,
  orderBy: sortOrder(fields, `one of ${fields.join(', ')}`, usual),
  inshop,
})

const isKnown = (input: unknown, entries: v.ObjectEntries): boolean =>
  typeof input !== 'object' || Object.keys(input ?? {}).every(name => Object.hasOwn(entries, name))

/** An object of which no other fields may be asked; PHP writes [] for an empty one. */
export const onlyFields = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.unknown(),
    v.transform(input => (Array.isArray(input) && input.length === 0 ? {} : (input ?? {}))),
    must<unknown>('unknown_field', `limited to ${Object.keys(entries).join(', ')}`, input => isKnown(input, entries)),
    v.object(entries),
    documented<v.InferOutput<v.ObjectSchema<Entries, undefined>>>({
      also: [null],
      anyOf: [v.strictObject(entries), emptyList],
    }),
  )
