import * as v from 'valibot'
import { fold } from '../../values/text.ts'
import { wineFields } from '../records/wine.ts'
import {
  type FilterField,
  filterFields,
  type IdList,
  idLists,
  isFilterField,
  isIdList,
  type Kind,
  type ScalarField,
  type SearchableField,
  scalarFields,
  searchableFields,
  valueKindOf,
} from '../records/wine-fields.ts'
import { wineryFields } from '../records/winery.ts'
import { sortOrder } from './lists.ts'
import { type Condition, defaultSortOrder, type Filter, type Phrase, type Query } from './wine-query.ts'
import { described, documented, emptyList, list, longest, maxKeyLength, must, scalar } from './wire.ts'

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

// PHP writes [] for an empty object.
const isEmpty = (input: unknown): boolean => input === null || (Array.isArray(input) && input.length === 0)

/** An optional parameter; `isNothing` recognizes further values that mean undefined. */
export const optional = <T>(schema: v.GenericSchema<unknown, T>, isNothing = isEmpty) =>
  v.pipe(
    v.optional(v.unknown()),
    v.transform(input => (isNothing(input) ? undefined : input)),
    v.optional(schema),
    documented({ also: [null], anyOf: [schema, emptyList] }),
  )

/**
 * An object of at most `max` keys, each read by its own schema or by `unknown`, as the list of their values. Unlike a strict
 * object it reports every unknown key.
 */
const members = <T>(
  max: number,
  schemas: ReadonlyMap<string, v.GenericSchema<unknown, T>>,
  unknown: v.GenericSchema<unknown, T>,
) =>
  v.pipe(
    scalar('type', 'an object', input => (isObject(input) ? Object.entries(input) : undefined), {
      input: { type: 'object' },
    }),
    must('max_fields', String(max), entries => entries.length <= max, { maxProperties: max }),
    v.transform(entries => Object.fromEntries(entries.map(([key, value]) => [key.slice(0, maxKeyLength), value]))),
    v.lazy(given =>
      v.object(Object.fromEntries(Object.keys(given ?? {}).map(key => [key, schemas.get(key) ?? unknown]))),
    ),
    v.transform(read => Object.values(read)),
    documented({ members: schemas }),
  )

/** Refuses every value, as an unknown field. */
const unknownField = (expected: string) => scalar<never>('unknown_field', expected, () => undefined, { input: {} })

const wholeNumber = (input: unknown): number | undefined => {
  const value = typeof input === 'string' && /^\d{1,16}$/.test(input) ? Number(input) : input
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

const decimal = (input: unknown): number | undefined => {
  const value = typeof input === 'string' && /^\d{1,12}(\.\d{1,12})?$/.test(input) ? Number(input) : input
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

const flag = (input: unknown): number | undefined => {
  const value = typeof input === 'boolean' ? Number(input) : wholeNumber(input)
  return value === 0 || value === 1 ? value : undefined
}

const maxTextLength = 255

const shortText = (input: unknown): string | undefined => {
  const value = typeof input === 'number' ? String(input) : input
  return typeof value === 'string' && value.length <= maxTextLength ? value : undefined
}

const anId = scalar('type', 'an id', input => wholeNumber(input) || undefined, {
  input: { type: ['integer', 'string'], minimum: 1, pattern: '^[0-9]{1,16}$' },
})

/** The schema of a filter's values by the field's kind; it returns sort keys. */
const keys: Record<Kind, v.GenericSchema<unknown, string | number>> = {
  text: scalar('type', `a text of at most ${maxTextLength} characters`, shortText, {
    input: { type: ['string', 'number'], maxLength: maxTextLength },
  }),
  id: anId,
  integer: scalar('type', 'an integer of at least 0', wholeNumber, {
    input: { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,16}$' },
  }),
  decimal: scalar('type', 'a number of at least 0', decimal, {
    input: { type: ['number', 'string'], minimum: 0, pattern: '^[0-9]{1,12}(\\.[0-9]{1,12})?$' },
  }),
  flag: scalar('type', '0 or 1', flag, { input: { type: 'boolean' } }),
}

// More than the table of grapes has.
const maxValues = 1000

const sentenceOf = (field: ScalarField | SearchableField | IdList | 'winery'): string =>
  field === 'winery' || field === 'winery.name' ? wineryFields.name.description : wineFields[field].description

const conditionOf = (field: FilterField): v.GenericSchema<unknown, Condition> => {
  const key = v.nullable(keys[valueKindOf(field)])
  // Only the first bad value of a list is reported.
  const several = v.config(list(key, maxValues), { abortEarly: true })
  const one = v.pipe(
    key,
    v.transform(only => [only]),
  )
  return v.pipe(
    v.lazy(input => (Array.isArray(input) ? several : one)),
    v.transform(keys => ({ field, keys })),
    documented({ anyOf: [key, several] }),
  )
}

const aFilterField = `one of ${filterFields.join(', ')}`

/** The schema of `filter`: equality by field; a list means any of its values. */
export const SearchFilter = v.pipe(
  optional<Filter>(
    members(
      20,
      new Map(filterFields.map(field => [field, described(conditionOf(field), sentenceOf(field))])),
      unknownField(aFilterField),
    ),
  ),
  v.transform(filter => filter ?? []),
)

const maxQueryLength = 200

const writtenText = (input: unknown): string | undefined => {
  if (typeof input === 'string') return input
  if (typeof input === 'number') return String(input)
  return typeof input === 'boolean' ? String(Number(input)) : undefined
}

const isShort = (text: string): boolean => {
  if (text.length > 2 * maxQueryLength) return false
  return text.length <= maxQueryLength || [...text].length <= maxQueryLength
}

/** A folded search text; undefined if folding leaves nothing. */
const searchText = (expected: string) =>
  v.pipe(
    scalar('type', expected, writtenText, { input: { type: ['string', 'number', 'boolean'] } }),
    must('max_length', longest(maxQueryLength), isShort, { maxLength: maxQueryLength }),
    v.transform(text => fold(text) || undefined),
  )

type Phrased = v.GenericSchema<unknown, Phrase | undefined>

const queryFields = [...new Set([...scalarFields, ...searchableFields, ...idLists, 'winery' as const])]

const phraseOf = (name: (typeof queryFields)[number]): Phrased => {
  const field = name === 'winery' ? 'winery.name' : name
  const phrase: Phrased = isIdList(field)
    ? v.pipe(
        anId,
        v.transform(id => ({ field, id })),
      )
    : v.pipe(
        searchText('a text'),
        v.transform(text => (text === undefined ? undefined : { field, text })),
      )
  return v.pipe(
    v.nullable(phrase),
    v.transform(read => read ?? undefined),
  )
}

const phrases = v.pipe(
  members(
    10,
    new Map(queryFields.map(name => [name, described(phraseOf(name), sentenceOf(name))])),
    unknownField('a field of the wine'),
  ),
  v.transform(all => all.filter(phrase => phrase !== undefined)),
  v.transform(all => (all.length === 0 ? undefined : { phrases: all })),
)

const anywhere = v.pipe(
  searchText('a text or an object of texts'),
  v.transform(text => (text === undefined ? undefined : { anywhere: text })),
)

/** The schema of `query`: a text for any field, or an object of phrases by field; undefined if it is empty. */
export const SearchQuery = optional<Query | undefined>(
  v.pipe(
    v.lazy(input => (isObject(input) ? phrases : anywhere)),
    documented({ anyOf: [anywhere, phrases] }),
  ),
)

/** The schema of `orderBy`: wine fields, each optionally followed by ASC or DESC. */
export const SearchOrder = sortOrder(scalarFields, 'a wine field', defaultSortOrder)

/** The sort fields of public lists. Each costs time and memory once it is used. */
export const publicSortFields = [
  ...(['id', 'name', 'type', 'countrycode', 'region', 'place', 'vintage', 'quality', 'bottlesize', 'gross'] as const),
  ...(['winery_id', 'topseller', 'sorting', 'crstamp', 'chstamp'] as const),
] satisfies readonly ScalarField[]

/** The `orderBy` of public lists. */
export const PublicOrder = sortOrder<ScalarField>(
  publicSortFields,
  `one of ${publicSortFields.join(', ')}`,
  defaultSortOrder,
)

export const maxFields = filterFields.length

const fieldIn = (name: unknown): FilterField | undefined =>
  typeof name === 'string' && isFilterField(name) ? name : undefined

/** The fields whose distinct values are requested, without duplicates. */
export const FieldNames = v.pipe(
  scalar(
    'type',
    'a list of field names',
    (input): unknown[] | undefined => (Array.isArray(input) ? input : undefined),
    {
      input: { type: 'array' },
    },
  ),
  must('max_fields', String(maxFields), names => names.length <= maxFields, { maxItems: maxFields }),
  v.array(scalar('unknown_field', aFilterField, fieldIn, { input: { enum: [...filterFields] } })),
  v.transform(names => [...new Set(names)]),
)
