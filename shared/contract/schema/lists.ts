import * as v from 'valibot'
import { described, documented, emptyList, Id, inshop, must, optionalPageSize, paging, scalar } from './wire.ts'

/**
 * The position of a page in its list: `total` is the number of the last page, `size` the records on a page. A page that
 * ended early, at the limit of its size, has `size` records and `next`, where the list continues.
 */
type Pages = { current: number; total: number; size: number; next?: { start: number } }

export type Page<T> = { data: T[]; totalCount: number; pages: Pages }

/** A page by its number (from 1), or by the number of records to skip (`start`); at most `pageSize` records. */
export type PageRequest = { page: number; pageSize: number; start?: number | null | undefined }

/** The number of records before a page. */
export const offsetOf = ({ page, pageSize, start }: PageRequest): number => start ?? (page - 1) * pageSize

export const pageOf = <T>(data: T[], totalCount: number, page: number, pageSize: number): Page<T> => ({
  data,
  totalCount,
  pages: { current: page, total: Math.max(1, Math.ceil(totalCount / pageSize)), size: pageSize },
})

export const wholeList = <T>(data: T[]): Page<T> => pageOf(data, data.length, 1, Math.max(1, data.length))

// A page may have 2 MB of JSON; 1 KB is for the fields around its records.
const maxBytes = 2_000_000 - 1_000

// Lambda's limit of 6 MB includes the escaping of the body within Lambda's own JSON, which at most doubles it.
const maxBytesTwice = 1_500_000 - 1_000

/** The records of a page, limited to the size of a response, but at least one. */
export class BoundedRecords<T> {
  readonly data: T[] = []
  /** True once a record was left out. */
  isFull = false
  #left: number

  /** `isRepeated`: the response may contain the records twice, under an alias as well. */
  constructor({ isRepeated = false } = {}) {
    this.#left = isRepeated ? maxBytesTwice : maxBytes
  }

  /**
   * Adds a record if it fits, and returns false if not. After a record that did not fit, all further records are
   * refused.
   */
  add(record: T): boolean {
    if (this.isFull) return false
    // One byte for the comma.
    this.#left -= Buffer.byteLength(JSON.stringify(record)) + 1
    if (this.data.length > 0 && this.#left < 0) this.isFull = true
    else this.data.push(record)
    return !this.isFull
  }
}

/** A page of a list of `totalCount` records, with those that fit. */
export const pageIn = <T>(request: PageRequest, totalCount: number, { data, isFull }: BoundedRecords<T>): Page<T> => {
  const { page, pageSize, start } = request
  const isByStart = typeof start === 'number'
  const end = offsetOf(request) + data.length
  const { pages, ...whole } = pageOf(data, totalCount, isByStart ? Math.floor(start / pageSize) + 1 : page, pageSize)
  // A request with `start` gets `next` until the end of the list.
  const hasNext = isFull || (isByStart && data.length > 0 && end < totalCount)
  return {
    ...whole,
    pages: { ...pages, ...(isFull && { size: data.length }), ...(hasNext && { next: { start: end } }) },
  }
}

/**
 * A page of a list of `totalCount` records; `records` begins with the first of the page. It ends early when the response is
 * full, and then reads no more of `records`: a generator need not have all of them in memory.
 */
export const boundedPage = async <T>(
  request: PageRequest,
  totalCount: number,
  records: AsyncIterable<T> | Iterable<T>,
  bounded = new BoundedRecords<T>(),
): Promise<Page<T>> => {
  for await (const record of records) if (!bounded.add(record)) break
  return pageIn(request, totalCount, bounded)
}

/** A page of a list that comes whole without a pageSize, as far as one response can hold it. */
export type WholePaging = Omit<PageRequest, 'pageSize'> & { pageSize?: number | null | undefined }

/** A page of `all` records, each as `show` returns it. */
export const wholePage = <T>(
  all: readonly T[],
  asked: WholePaging,
  show = (record: T): T => record,
  bounded = new BoundedRecords<T>(),
): Promise<Page<T>> => {
  const wanted = { ...asked, pageSize: asked.pageSize ?? Math.max(1, all.length) }
  const before = offsetOf(wanted)
  return boundedPage(wanted, all.length, all.slice(before, before + wanted.pageSize).map(show), bounded)
}

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

/** True if no field is named in both directions. */
const isOneWay = (terms: readonly SortTerm<string>[]): boolean =>
  terms.every(({ field, descending }) => terms.every(one => one.field !== field || one.descending === descending))

/** The keyword of the document that lists the fields of an `orderBy`. */
export const sortFieldsKeyword = 'x-sort-fields'

/**
 * The schema of `orderBy`: up to five of `fields`, each optionally followed by ASC or DESC in any case; `usual` if it is
 * missing. `what` names the fields in a refusal, such as "a wine field".
 */
export const sortOrder = <Field extends string>(
  fields: readonly Field[],
  what: string,
  usual: readonly SortTerm<Field>[],
) => {
  const terms = v.pipe(
    scalar('type', 'a text', splitTerms, {
      input: {
        type: 'string',
        [sortFieldsKeyword]: [...fields],
      },
    }),
    must<unknown[]>('max_terms', String(maxTerms), all => all.length <= maxTerms, {}),
    v.array(
      scalar('sort_term', `${what}, optionally followed by ASC or DESC`, termIn(fields), { input: { type: 'string' } }),
    ),
    must<SortTerm<Field>[]>('one_direction', 'a list that names no field in both directions', isOneWay, {}),
  )
  return v.pipe(
    v.optional(v.unknown(), null),
    v.transform(input => (isNothing(input) ? undefined : input)),
    v.optional(terms),
    v.transform(order => order ?? [...usual]),
    documented({ also: ['', null] }),
    v.description(
      `Sort order: up to ${maxTerms} fields separated by commas, each optionally followed by ASC or DESC. Allowed: ${fields.join(', ')}.`,
    ),
  )
}

/** The parameters that name a record of a kind with names in URLs. */
export const recordName = {
  id: described(v.nullish(Id), 'Id of the record; `id` or `path_segment` must be given.'),
  path_segment: described(v.nullish(v.string()), 'Name of the record in URLs.'),
}

/** By the merchant's own order, then by name. */
export const byPlace = [
  { field: 'sorting', descending: false },
  { field: 'name', descending: false },
] as const

/** A limit for lists that are returned whole. */
export const max = described(v.nullish(Id), 'Maximum number of records where `pageSize` is not given.')

/** The parameters of a list that is returned whole, up to `limit`, unless a pageSize is given. */
export const wholeListParameters = <const Field extends string>(
  fields: readonly Field[],
  usual: readonly SortTerm<Field>[],
  limit: '2 MB' | '1.5 MB' = '2 MB',
) => ({
  ...paging,
  pageSize: optionalPageSize(`Without it the response has all records, at most \`max\` and ${limit}.`),
  max,
  orderBy: sortOrder(fields, `one of ${fields.join(', ')}`, usual),
  inshop,
})

const isKnown = (input: unknown, entries: v.ObjectEntries): boolean =>
  typeof input !== 'object' || Object.keys(input ?? {}).every(name => Object.hasOwn(entries, name))

/** An object without other fields; PHP writes [] for an empty object. */
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
