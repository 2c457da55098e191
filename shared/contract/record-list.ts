import * as v from 'valibot'
import { type SortTerm, sortOrder } from './sort-order.ts'
import { documented, emptyList, Flag, Id, must, paging } from './wire.ts'

/** What names a record of a kind that has names in URLs. */
export const recordName = { id: v.nullish(Id), path_segment: v.nullish(v.string()) }

/** As a merchant placed them; equal places by name. */
export const byPlace = [
  { field: 'sorting', descending: false },
  { field: 'name', descending: false },
] as const

/** The parameters of a list that comes whole unless a pageSize is given, ordered by some of its records' fields. */
export const listOf = <const Field extends string>(fields: readonly Field[], usual: readonly SortTerm<Field>[]) => ({
  ...paging,
  pageSize: v.nullish(paging.pageSize.wrapped),
  max: v.nullish(Id),
  orderBy: sortOrder(fields, `one of ${fields.join(', ')}`, usual),
  inshop: v.nullish(Flag),
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
