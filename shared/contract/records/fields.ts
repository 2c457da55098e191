import * as v from 'valibot'
import { drawnWord, pictureAt } from '../../values/picture-name.ts'
import { described, filled, Id, list, MoneyText, must, optionalText, scalar, Timestamp, Whole } from '../wire.ts'

/** A schema of one value; it reads texts and JSON values into the one form in which the value is stored and shown. */
export type ValueSchema<Value = unknown> = v.BaseSchema<unknown, Value, v.BaseIssue<unknown>>

/** How the search index reads, compares and sorts a field's values; all but text are numeric, `ids` is a list. */
export type FieldKind = 'text' | 'id' | 'integer' | 'decimal' | 'flag' | 'ids'

/** Everything that is to be said of one field of a record. */
export type Field = {
  /** The value as it is stored, and shown to the merchant; a field without it is one of files alone. */
  schema?: ValueSchema
  /** The value as everybody sees it; without it, only the merchant does. */
  public?: ValueSchema
  /** The value as the routes add and edit take it; without it, a merchant cannot set it by them. */
  body?: ValueSchema
  /** The value as files bring it in and take it out; without it, files have no such column. */
  column?: ValueSchema
  /** Whether add and every row of a file must give it. */
  required?: true
  /** What it is in a record that was never told. */
  default?: unknown
  kind?: FieldKind
  /** Whether a string query looks into it; into texts that may be long, last. */
  search?: 'short' | 'long'
  /** Whether a filter may name it. */
  filter?: true
  /** The fields of a record that it embeds. */
  fields?: Fields
  /** What it holds, in which unit: one sentence for documents and for the columns of files. */
  description: string
  /** What files add to that. */
  inFiles?: string
  /** A value it may have; it stands in for what cannot be made up from the kind, a word of a closed list for one. */
  example?: unknown
}

/** The fields of a record, in the order in which the record, its schemas and its files have them. */
export type Fields = Readonly<Record<string, Field>>

/** What the service sets and everybody sees. */
export const shown = <Schema extends ValueSchema>(schema: Schema) => ({ schema, public: schema })

/** What a merchant sets by routes and files, and nobody else sees. */
export const confidential = <Schema extends ValueSchema>(schema: Schema) => ({ schema, body: schema, column: schema })

/** What a merchant sets by routes and files, and everybody sees. */
export const given = <Schema extends ValueSchema>(schema: Schema) => ({ ...shown(schema), ...confidential(schema) })

/** What a merchant sets by files alone. */
export const filed = <Schema extends ValueSchema>(schema: Schema) => ({ schema, column: schema })

/** The names of the fields of which something is so. */
export type NamesWith<All, Trait> = { [Name in keyof All]: All[Name] extends Trait ? Name : never }[keyof All] & string

/** The names of the fields of which one of some things is so, in order: `namesWith(wineFields, { filter: true })`. */
export const namesWith = <const All extends Fields, const Traits extends readonly Partial<Field>[]>(
  fields: All,
  ...traits: Traits
): NamesWith<All, Traits[number]>[] => {
  const isNamed = (name: string): name is NamesWith<All, Traits[number]> => {
    const field: Readonly<Record<string, unknown>> = fields[name] ?? {}
    return traits.some(trait => Object.entries(trait).every(([part, value]) => field[part] === value))
  }
  return Object.keys(fields).filter(isNamed)
}

/** The names of the fields that files have a column for and the record itself holds. */
export const storedColumns = <const All extends Fields>(
  fields: All,
): NamesWith<All, { schema: ValueSchema; column: ValueSchema }>[] => {
  const isStored = (name: string): name is NamesWith<All, { schema: ValueSchema; column: ValueSchema }> =>
    fields[name]?.schema !== undefined && fields[name].column !== undefined
  return Object.keys(fields).filter(isStored)
}

type SchemaName = 'schema' | 'public' | 'body' | 'column'

/** One of the schemas of each field that has it, by name. */
export type EntriesOf<All, P extends SchemaName> = {
  -readonly [Name in keyof All as All[Name] extends Record<P, ValueSchema> ? Name : never]: All[Name] extends Record<
    P,
    infer Schema extends ValueSchema
  >
    ? Schema
    : never
}

type GivenEntries<Entries, Needed> = {
  [Name in keyof Entries as Name extends Needed ? Name : never]: Entries[Name]
} & {
  [Name in keyof Entries as Name extends Needed ? never : Name]: Entries[Name] extends ValueSchema
    ? v.OptionalSchema<Entries[Name], undefined>
    : never
}

/** One of the schemas of each field that has it, by name: the entries of an object's schema. */
export const entriesOf = <const All extends Fields, P extends SchemaName>(fields: All, part: P): EntriesOf<All, P> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const schema = field[part]
      if (!schema) return []
      // A column is explained by its field.
      return [[name, part === 'column' ? schema : described(schema, field.description)]]
    }),
  ) as EntriesOf<All, P>

/** The same of what need not all be given: first the needed fields, then the others as optional ones. */
export const givenEntries = <
  const All extends Fields,
  P extends SchemaName,
  const Needed extends keyof EntriesOf<All, P>,
>(
  fields: All,
  part: P,
  needed: readonly Needed[],
): GivenEntries<EntriesOf<All, P>, Needed> => {
  const entries = Object.entries<ValueSchema>(entriesOf(fields, part))
  const isNeeded = ([name]: [string, ValueSchema]) => needed.some(one => one === name)
  return Object.fromEntries([
    ...entries.filter(isNeeded),
    ...entries.filter(entry => !isNeeded(entry)).map(([name, schema]) => [name, v.optional(schema)]),
  ]) as GivenEntries<EntriesOf<All, P>, Needed>
}

/** A record as files give it: the needed columns, and any of the others. */
export type RowOf<All, Needed> = v.InferOutput<
  v.ObjectSchema<GivenEntries<EntriesOf<All, 'column'>, Needed>, undefined>
>

type ValuesOf<All, P extends SchemaName> = v.InferOutput<v.ObjectSchema<EntriesOf<All, P>, undefined>>
type Incomplete<All, P extends SchemaName> = Partial<ValuesOf<All, P>> &
  Omit<ValuesOf<All, P>, NamesWith<All, { default: unknown }>>

/**
 * Makes whole records: the values in the order of the fields, the default where a record was never told (an older one
 * lacks a younger field). What no field names is left out.
 */
export const completing = <const All extends Fields, P extends 'schema' | 'public'>(fields: All, part: P) => {
  const wanted = Object.entries(fields).filter(([, field]) => field[part])
  // Copied and then filled: a record of a merchant's catalogue is made so with every read.
  const defaults = Object.fromEntries(wanted.map(([name, field]) => [name, field.default]))
  const names = Object.keys(defaults)
  return (values: Incomplete<All, P>): ValuesOf<All, P> => {
    const told: Readonly<Record<string, unknown>> = values
    const record = { ...defaults }
    for (const name of names) if (told[name] !== undefined) record[name] = told[name]
    return record as ValuesOf<All, P>
  }
}

/** What an object says, without the keys whose value is undefined. */
export const givenOnly = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>

/** Some values of an object, in the order of their names. */
export const pick = <Values extends object, const Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> => Object.fromEntries(names.map(name => [name, values[name]])) as Pick<Values, Name>

/** A word of a closed list. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  scalar<Words[number]>('one_of', words.join(', '), input => words.find(word => word === input), {
    takes: { enum: [...words] },
  })

/** An id of a closed list. */
export const idOf = (ids: readonly number[]) =>
  v.pipe(
    Id,
    must<number>('one_of', ids.join(', '), id => ids.includes(id), { enum: [...ids, ...ids.map(String)] }),
  )

/** A whole number between two bounds, both included. */
export const whole = (min: number, max: number) =>
  v.pipe(
    Whole,
    must<number>('min_value', String(min), value => value >= min, { minimum: min }),
    must<number>('max_value', String(max), value => value <= max, { maximum: max }),
  )

/** A number from 0 to `max`, kept as text with so many decimals. */
export const decimal = (places: number, max: number) => {
  const shape = new RegExp(`^[0-9]{1,6}(\\.[0-9]{1,${places}})?$`)
  const read = (input: unknown): string | undefined => {
    const text = typeof input === 'number' ? String(input) : input
    return typeof text === 'string' && shape.test(text) && Number(text) <= max
      ? Number(text).toFixed(places)
      : undefined
  }
  return scalar('decimal', `a number from 0 to ${max} with at most ${places} decimals`, read, {
    takes: { type: ['string', 'number'], minimum: 0, maximum: max, pattern: shape.source },
    gives: { type: 'string', pattern: `^[0-9]+\\.[0-9]{${places}}$` },
  })
}

/** An amount of 0.00 or more, kept as text with two decimals. */
export const Price = v.pipe(
  MoneyText,
  must<string>('min_value', '0.00', amount => !amount.startsWith('-'), { minimum: 0, pattern: '^[0-9]+\\.[0-9]{2}$' }),
)

/** A tax rate in whole percent. */
export const TaxRate = whole(0, 100)

/** Up to 100 items, of which no two have the same key. */
export const listOf = <Item>(item: ValueSchema<Item>, keyOf: (item: Item) => unknown = itself => itself) =>
  v.pipe(
    list(item, 100),
    must<Item[]>('unique', 'free of repetitions', items => new Set(items.map(keyOf)).size === items.length, {
      uniqueItems: true,
    }),
  )

/** An optional text of one line. */
export const OneLine = optionalText()

const isShowable = (image: string | null): boolean =>
  image === null || image === drawnWord || pictureAt(image) !== undefined

/** A picture as a merchant sets it: nothing, a link that the service gave, or the word that asks for a drawn one. */
export const Image = v.pipe(
  OneLine,
  must<string | null>(
    'image',
    `null, ${drawnWord}, or a link /Images/… that the service gave; pictures themselves are supplied by the merchant tool (images)`,
    isShowable,
  ),
)

const inUrls = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** A name in URLs: lower-case letters, digits and hyphens. */
export const PathSegment = v.pipe(
  filled(),
  must<string>('path_segment', 'lower-case letters, digits and hyphens', text => inUrls.test(text), {
    pattern: inUrls.source,
  }),
)

/** A language code. */
export const Language = v.pipe(
  filled(2),
  must<string>('language', 'a language code of two lower-case letters', code => /^[a-z]{2}$/.test(code), {
    pattern: '^[a-z]{2}$',
  }),
)

/** A record's price for one price range, as it is stored and shown; amounts are strings with two decimals. */
export const rangePrice = {
  price_range_id: described(v.number(), 'Id of the price range.'),
  priceRangeName: described(v.string(), 'Name of the price range.'),
  taxrate: described(v.number(), 'Tax rate in percent.'),
  net: described(v.string(), 'Price without tax, in euros.'),
  tax: described(v.string(), 'Tax in the price, in euros.'),
  gross: described(v.string(), 'Price with tax, in euros.'),
}

/** Fields of many records, which the service sets. */
export const common = {
  customers_id: { schema: v.number(), description: 'Id of the merchant that owns the record.' },
  cruser_id: {
    schema: v.number(),
    description: 'Number of the API token, counted per merchant, that created the record; 0 where none did.',
  },
  crstamp: { schema: Timestamp, description: 'Time of creation, as `2026-01-31 12:00:00`, UTC.' },
  chstamp: { schema: Timestamp, description: 'Time of the last change, as `2026-01-31 12:00:00`, UTC.' },
} as const

/** The schemas of those fields, for records without a table. */
export const commonEntries = entriesOf(common, 'schema')

const FiledRangePrice = v.strictObject({ priceRange: filled(), gross: Price })

/** A price as files give it: for a price range known by its name, and taxed like the record it belongs to. */
export type FiledRangePrice = v.InferOutput<typeof FiledRangePrice>

/** The prices of a record for price ranges, as files give them. */
export const FiledRangePrices = listOf<FiledRangePrice>(FiledRangePrice, ({ priceRange }) => priceRange)
