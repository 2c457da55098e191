import type { Wine } from '../../record.ts'

/** Every field of the wine record that holds one value. */
export type ScalarField = {
  [Field in keyof Wine]: Wine[Field] extends string | number | null ? Field : never
}[keyof Wine]

/** How a field's values are read, compared and sorted; all but text are numeric. */
export type Kind = 'text' | 'id' | 'integer' | 'decimal' | 'flag'

const kinds = {
  id: 'id',
  name: 'text',
  articlenumber: 'text',
  taste_id: 'id',
  vintage: 'integer',
  alcohol: 'decimal',
  sweetness: 'decimal',
  acid: 'decimal',
  bottlesize: 'decimal',
  drinktemperature: 'text',
  gross: 'decimal',
  net: 'decimal',
  tax: 'decimal',
  taxrate: 'integer',
  place: 'text',
  description: 'text',
  image: 'text',
  pdf: 'text',
  active: 'flag',
  type: 'text',
  region: 'id',
  countrycode: 'text',
  cuvee: 'flag',
  nostock: 'flag',
  nostocktext: 'text',
  quality: 'text',
  quality_note: 'text',
  bottling_type: 'text',
  path_segment: 'text',
  customers_id: 'id',
  origin_id: 'id',
  language: 'text',
  cruser_id: 'id',
  crstamp: 'text',
  chstamp: 'text',
  winery_id: 'id',
  weight: 'integer',
  gtin: 'text',
  terroir: 'text',
  maturation: 'text',
  cap: 'text',
  bio: 'flag',
  vegan: 'flag',
  sorting: 'integer',
  topseller: 'flag',
  network: 'flag',
  internal: 'flag',
  public: 'flag',
  shop: 'flag',
  winesearch: 'flag',
  expertisePdf: 'text',
  hash: 'text',
  version: 'integer',
} as const satisfies Record<ScalarField, Kind>

/** The scalar fields in the order in which the index keeps their columns. */
export const scalarFields = Object.keys(kinds) as ScalarField[]

/** The scalar fields that are 0 or 1. */
export type FlagField = { [Field in ScalarField]: (typeof kinds)[Field] extends 'flag' ? Field : never }[ScalarField]

/** The fields that hold ids of related records. */
export const idLists = ['categoryIds', 'allergenIds', 'grapetypeIds'] as const
export type IdList = (typeof idLists)[number]

/**
 * The fields a string query looks into, in the order of their folded text. The long ones come last: a phrase for
 * one field is told from the others by counting separators from the record's start.
 */
export const searchableFields = [
  'name',
  'articlenumber',
  'vintage',
  'type',
  'place',
  'countrycode',
  'quality',
  'quality_note',
  'path_segment',
  'gtin',
  'winery.name',
  'terroir',
  'maturation',
  'description',
] as const satisfies (ScalarField | 'winery.name')[]
export type SearchableField = (typeof searchableFields)[number]

/** The fields that a filter may name and whose distinct values may be asked for. */
export const filterFields = [
  'type',
  'taste_id',
  'vintage',
  'region',
  'countrycode',
  'place',
  'quality',
  'bottling_type',
  'cap',
  'bottlesize',
  'winery_id',
  'bio',
  'vegan',
  'cuvee',
  'topseller',
  'shop',
  'public',
  'language',
  'path_segment',
  ...idLists,
] as const satisfies (ScalarField | IdList)[]
export type FilterField = (typeof filterFields)[number]

const columnNumbers = new Map<string, number>(scalarFields.map((field, number) => [field, number]))

/** Whether a caller's word names a scalar field. */
export const isScalarField = (word: string): word is ScalarField => columnNumbers.has(word)

/** Whether a caller's word names an id list. */
export const isIdList = (word: string): word is IdList => (idLists as readonly string[]).includes(word)

/** Whether a caller's word names a field of the string query. */
export const isSlot = (word: string): word is SearchableField => (searchableFields as readonly string[]).includes(word)

/** Whether a caller's word names a filterable field. */
export const isFilterField = (word: string): word is FilterField => (filterFields as readonly string[]).includes(word)

/** The place of a scalar field's column. */
export const columnOf = (field: ScalarField): number => columnNumbers.get(field) as number

/** The kind of a field; id lists hold ids. */
export const kindOf = (field: ScalarField | IdList): Kind => (isIdList(field) ? 'id' : kinds[field])
