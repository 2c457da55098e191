import { type FieldKind, type NamesWith, namesWith } from '../schema/fields.ts'
import { wineFields } from './wine.ts'

type Wines = typeof wineFields

/** The comparison and sorting of a scalar field; all but text are numeric. */
export type Kind = Exclude<FieldKind, 'ids'>

/** The fields of the wine record with a single value. */
export type ScalarField = NamesWith<Wines, { kind: Kind }>

/** A column of the index that no record shows: 1 for a wine whose price was given. */
type HiddenField = 'priced'

/** The fields with a column in the index. */
export type IndexedField = ScalarField | HiddenField

export type FlagField = NamesWith<Wines, { kind: 'flag' }> | HiddenField

/** The fields with ids of related records. */
export type IdList = NamesWith<Wines, { kind: 'ids' }>

/** The fields that string queries search. */
export type SearchableField = NamesWith<Wines, { search: 'short' | 'long' }> | 'winery.name'

/** The fields that a filter may name and whose distinct values may be asked for. */
export type FilterField = NamesWith<Wines, { filter: true }>

const scalarKinds = [
  { kind: 'text' },
  { kind: 'id' },
  { kind: 'integer' },
  { kind: 'decimal' },
  { kind: 'flag' },
] as const

export const scalarFields = namesWith(wineFields, ...scalarKinds)

/** The fields in the order of the index's columns. */
export const indexedFields: readonly IndexedField[] = [...scalarFields, 'priced']

export const flagFields: readonly FlagField[] = [...namesWith(wineFields, { kind: 'flag' }), 'priced']

/** The id lists in the order of the index. */
export const idLists = namesWith(wineFields, { kind: 'ids' })

/**
 * The searchable fields in the order of their folded text. Long fields come last: the field of a match is found by
 * counting separators from the record's start.
 */
export const searchableFields: readonly SearchableField[] = [
  ...namesWith(wineFields, { search: 'short' }),
  'winery.name',
  ...namesWith(wineFields, { search: 'long' }),
]

/** The fields that a filter may name, in the order of error texts. */
export const filterFields = namesWith(wineFields, { filter: true })

const among = <Word extends string>(words: readonly Word[]) => {
  const known = new Set<string>(words)
  return (word: string): word is Word => known.has(word)
}

export const isIdList = among(idLists)

export const isSearchableField = among(searchableFields)

export const isFilterField = among(filterFields)

/** The place of a field's column in the index. */
export const columnOf = (field: IndexedField): number => indexedFields.indexOf(field)

/** The kind of a field; that of id lists is `id`. */
export const valueKindOf = (field: IndexedField | IdList): Kind => {
  if (field === 'priced') return 'flag'
  const { kind } = wineFields[field]
  return kind === 'ids' ? 'id' : kind
}
