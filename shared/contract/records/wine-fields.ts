import { type FieldKind, type NamesWith, namesWith } from './fields.ts'
import { wineFields } from './wine.ts'

type Wines = typeof wineFields

/** How a scalar field's values are read, compared and sorted; all but text are numeric. */
export type Kind = Exclude<FieldKind, 'ids'>

/** Every field of the wine record that holds one value. */
export type ScalarField = NamesWith<Wines, { kind: Kind }>

/** The scalar fields that are 0 or 1. */
export type FlagField = NamesWith<Wines, { kind: 'flag' }>

/** The fields that hold ids of related records. */
export type IdList = NamesWith<Wines, { kind: 'ids' }>

/** The fields a string query looks into. */
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

/** The scalar fields in the order in which the index keeps their columns. */
export const scalarFields = namesWith(wineFields, ...scalarKinds)

/** The flags. */
export const flagFields = namesWith(wineFields, { kind: 'flag' })

/** The id lists in the order in which the index keeps them. */
export const idLists = namesWith(wineFields, { kind: 'ids' })

/**
 * The fields a string query looks into, in the order of their folded text. The long ones come last: a phrase for
 * one field is told from the others by counting separators from the record's start.
 */
export const searchableFields: readonly SearchableField[] = [
  ...namesWith(wineFields, { search: 'short' }),
  'winery.name',
  ...namesWith(wineFields, { search: 'long' }),
]

/** The fields that a filter may name, in the order in which a caller is told of them. */
export const filterFields = namesWith(wineFields, { filter: true })

const among = <Word extends string>(words: readonly Word[]) => {
  const known = new Set<string>(words)
  return (word: string): word is Word => known.has(word)
}

/** Whether a caller's word names an id list. */
export const isIdList = among(idLists)

/** Whether a caller's word names a field of the string query. */
export const isSearchableField = among(searchableFields)

/** Whether a caller's word names a filterable field. */
export const isFilterField = among(filterFields)

/** The place of a scalar field's column. */
export const columnOf = (field: ScalarField): number => scalarFields.indexOf(field)

/** The kind of a field; id lists hold ids. */
export const kindOf = (field: ScalarField | IdList): Kind => {
  const { kind } = wineFields[field]
  return kind === 'ids' ? 'id' : kind
}
