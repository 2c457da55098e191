import * as v from 'valibot'
import { drawnWord, pictureAt } from '../../values/picture-name.ts'
import {
  described,
  filled,
  Id,
  list,
  MoneyText,
  must,
  nothingAsNull,
  optionalText,
  requirement,
  scalar,
  Timestamp,
  Whole,
} from './wire.ts'

/** The schema of a value; it reads texts and JSON values into the stored and shown form. */
export type ValueSchema<Value = unknown> = v.BaseSchema<unknown, Value, v.BaseIssue<unknown>>

/** How the search index reads, compares and sorts a field's values; all but text are numeric, `ids` is a list. */
export type FieldKind = 'text' | 'id' | 'integer' | 'decimal' | 'flag' | 'ids'

/** The definition of a record's field. */
export type Field = {
  /** The value as it is stored and shown to the merchant; missing for fields of files alone. */
  schema?: ValueSchema
  /** The public value; missing for fields that only the merchant sees. */
  public?: ValueSchema
  /** The input of the routes add and edit; missing for fields that these cannot set. */
  body?: ValueSchema
  /** The value in files; missing for fields without a column. */
  column?: ValueSchema
  /** True if add and every row of a file require it. */
  required?: true
  /** Its value in a record that lacks it. */
  default?: unknown
  kind?: FieldKind
  /** Set if string queries search it; `long` texts are searched last. */
  search?: 'short' | 'long'
  /** True if filters may name it. */
  filter?: true
  /** The fields of its embedded record. */
  fields?: FieldTable
  /** Its content and unit: a sentence for documents and for the columns of files. */
  description: string
  /** An addition to the description for files. */
  inFiles?: string
  /** An example value, where none can be derived from the kind, such as a word of a closed list. */
  example?: unknown
}

/** The fields of a record, in the order of the record, its schemas and its files. */
export type FieldTable = Readonly<Record<string, Field>>

/** A public field that the service sets. */
export const shown = <Schema extends ValueSchema>(schema: Schema) => ({ schema, public: schema })

/** A field that a merchant sets by routes and files, and only the merchant sees. */
export const confidential = <Schema extends ValueSchema>(schema: Schema) => ({ schema, body: schema, column: schema })

/** A public field that a merchant sets by routes and files. */
export const given = <Schema extends ValueSchema>(schema: Schema) => ({ ...shown(schema), ...confidential(schema) })

/** A field that a merchant sets by files alone. */
export const filed = <Schema extends ValueSchema>(schema: Schema) => ({ schema, column: schema })

/** The names of the fields with a trait. */
export type NamesWith<All, Trait> = { [Name in keyof All]: All[Name] extends Trait ? Name : never }[keyof All] & string

/** The names of the fields with any of the traits, in order: `namesWith(wineFields, { filter: true })`. */
export const namesWith = <const All extends FieldTable, const Traits extends readonly Partial<Field>[]>(
  fields: All,
  ...traits: Traits
): NamesWith<All, Traits[number]>[] => {
  const isNamed = (name: string): name is NamesWith<All, Traits[number]> => {
    const field: Readonly<Record<string, unknown>> = fields[name] ?? {}
    return traits.some(trait => Object.entries(trait).every(([part, value]) => field[part] === value))
  }
  return Object.keys(fields).filter(isNamed)
}

/** The names of the stored fields with a column. */
export const storedColumns = <const All extends FieldTable>(
  fields: All,
): NamesWith<All, { schema: ValueSchema; column: ValueSchema }>[] => {
  const isStored = (name: string): name is NamesWith<All, { schema: ValueSchema; column: ValueSchema }> =>
    fields[name]?.schema !== undefined && fields[name].column !== undefined
  return Object.keys(fields).filter(isStored)
}

type SchemaName = 'schema' | 'public' | 'body' | 'column'

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

/** The entries of an object schema: one of the schemas of each field that has it, by name. */
export const entriesOf = <const All extends FieldTable, P extends SchemaName>(
  fields: All,
  part: P,
): EntriesOf<All, P> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const schema = field[part]
      if (!schema) return []
      // The description of a column comes from its field.
      return [[name, part === 'column' ? schema : described(schema, field.description)]]
    }),
  ) as EntriesOf<All, P>

/** As `entriesOf`, with the needed fields first and the others optional. */
export const givenEntries = <
  const All extends FieldTable,
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

/** A row of a file: the needed columns, and any of the others. */
export type RowOf<All, Needed> = v.InferOutput<
  v.ObjectSchema<GivenEntries<EntriesOf<All, 'column'>, Needed>, undefined>
>

type ValuesOf<All, P extends SchemaName> = v.InferOutput<v.ObjectSchema<EntriesOf<All, P>, undefined>>
type Incomplete<All, P extends SchemaName> = Partial<ValuesOf<All, P>> &
  Omit<ValuesOf<All, P>, NamesWith<All, { default: unknown }>>

/**
 * Returns a function that completes records: the values in the order of the fields, with defaults for missing values
 * (older records lack newer fields). Values without a field are dropped.
 */
export const createCompletion = <const All extends FieldTable, P extends 'schema' | 'public'>(fields: All, part: P) => {
  const included = Object.entries(fields).filter(([, field]) => field[part])
  // Copied and then filled, for speed: every read of a catalogue completes its records.
  const defaults = Object.fromEntries(included.map(([name, field]) => [name, field.default]))
  const names = Object.keys(defaults)
  return (values: Incomplete<All, P>): ValuesOf<All, P> => {
    const given: Readonly<Record<string, unknown>> = values
    const record = { ...defaults }
    for (const name of names) if (given[name] !== undefined) record[name] = given[name]
    return record as ValuesOf<All, P>
  }
}

/** An object without the keys whose value is undefined. */
export const givenOnly = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>

/** Some values of an object, in the order of `names`. */
export const pick = <Values extends object, const Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> => Object.fromEntries(names.map(name => [name, values[name]])) as Pick<Values, Name>

export const oneOfWords = <const Words extends readonly string[]>(words: Words) =>
  scalar<Words[number]>('one_of', words.join(', '), input => words.find(word => word === input), {
    input: { enum: [...words] },
  })

export const oneOfIds = (ids: readonly number[]) =>
  v.pipe(
    Id,
    must<number>(
      'one_of',
      ids.join(', '),
      id => ids.includes(id),
      { enum: [...ids, ...ids.map(String)] },
      { enum: ids },
    ),
  )

/** A whole number between two bounds, both included. */
export const boundedWhole = (min: number, max: number) =>
  v.pipe(
    Whole,
    must<number>('min_value', String(min), value => value >= min, { minimum: min }),
    must<number>('max_value', String(max), value => value <= max, { maximum: max }),
  )

/** A number from 0 to `max`, stored as text with `places` decimals. */
export const decimal = (places: number, max: number) => {
  const shape = new RegExp(`^[0-9]{1,6}(\\.[0-9]{1,${places}})?$`)
  const read = (input: unknown): string | undefined => {
    const text = typeof input === 'number' ? String(input) : input
    return typeof text === 'string' && shape.test(text) && Number(text) <= max
      ? Number(text).toFixed(places)
      : undefined
  }
  return scalar('decimal', `a number from 0 to ${max} with at most ${places} decimals`, read, {
    input: { type: ['string', 'number'], minimum: 0, maximum: max, pattern: shape.source },
    output: { type: 'string', pattern: `^[0-9]+\\.[0-9]{${places}}$` },
  })
}

/** An amount of 0.00 or more, stored as text with two decimals. */
export const Price = v.pipe(
  MoneyText,
  must<string>('min_value', '0.00', amount => !amount.startsWith('-'), {
    minimum: 0,
    pattern: '^([0-9]+\\.[0-9]{2}|-0+\\.00)$',
  }),
)

/** A price that a request gives; null and '' mean none. */
export const PriceOrNone = nothingAsNull(Price)

type GivenPrice = { gross?: string | undefined; net?: string | undefined }

/** The rule that a new record has a price. */
export const hasPrice = requirement(
  'required',
  'given, or net',
  ({ gross, net }: GivenPrice) => (gross ?? net) !== undefined,
)

/** A tax rate in whole percent. */
export const TaxRate = boundedWhole(0, 100)

/** Up to 100 items, or `max`, with different keys. */
export const uniqueList = <Item>(
  item: ValueSchema<Item>,
  keyOf: (item: Item) => unknown = itself => itself,
  max = 100,
) =>
  v.pipe(
    list(item, max),
    must<Item[]>('unique', 'free of duplicates', items => new Set(items.map(keyOf)).size === items.length, {
      uniqueItems: true,
    }),
  )

export const OneLine = optionalText()

const isShowable = (image: string | null): boolean =>
  image === null || image === drawnWord || pictureAt(image) !== undefined

/** A picture as a merchant sets it: null, a link from the service, or the word for a drawn picture. */
export const Image = v.pipe(
  OneLine,
  must<string | null>(
    'image',
    `null, ${drawnWord}, or a path /Images/… from a record (files/add uploads pictures)`,
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

export const Language = v.pipe(
  filled(2),
  must<string>('language', 'a language code of two lower-case letters', code => /^[a-z]{2}$/.test(code), {
    pattern: '^[a-z]{2}$',
  }),
)

/** A field that follows from others: clients that read a record, change it and write it whole send it. */
export const asRead = described(v.optional(v.unknown()), 'Ignored; it may be sent back as it was read.')

/** A record's price for a price range, as it is stored and shown; amounts are strings with two decimals. */
export const rangePrice = {
  price_range_id: described(v.number(), 'Id of the price range.'),
  priceRangeName: described(v.string(), 'Name of the price range.'),
  taxrate: described(v.number(), 'Tax rate in percent.'),
  net: described(v.string(), 'Price without tax, in euros.'),
  tax: described(v.string(), 'Tax in the price, in euros.'),
  gross: described(v.string(), 'Price with tax, in euros.'),
}

/** The input of a price for a price range; its default tax rate is that of the record, such as "wine". */
export const givenRangePrice = (record: string) => ({
  price_range_id: described(Id, 'Id of the price range.'),
  gross: described(v.optional(Price), 'Price with tax, in euros.'),
  net: described(v.optional(Price), 'Price without tax, in euros; follows from gross and taxrate if left out.'),
  tax: described(v.optional(Price), 'Tax in the price, in euros; follows from gross and taxrate if left out.'),
  taxrate: described(v.optional(TaxRate), `Tax rate in percent; the ${record}'s if left out.`),
  priceRangeName: asRead,
})

/** Fields of many records that the service sets. */
export const common = {
  customers_id: { schema: v.number(), description: 'Id of the merchant that owns the record.' },
  cruser_id: {
    schema: v.number(),
    description: 'Number of the API token, counted per merchant, that created the record; 0 where none did.',
  },
  crstamp: { schema: Timestamp, description: 'Time of creation, as `2026-01-31 12:00:00`, UTC.' },
  chstamp: { schema: Timestamp, description: 'Time of the last change, as `2026-01-31 12:00:00`, UTC.' },
} as const

/** Their schemas, for records without a field table. */
export const commonEntries = entriesOf(common, 'schema')

const FiledRangePrice = v.strictObject({ priceRange: filled(), gross: Price })

/** A price in files: for a price range by its name, with the tax rate of its record. */
export type FiledRangePrice = v.InferOutput<typeof FiledRangePrice>

export const FiledRangePrices = uniqueList<FiledRangePrice>(FiledRangePrice, ({ priceRange }) => priceRange)
