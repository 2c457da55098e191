import * as v from 'valibot'
import type { Day as CalendarDay } from '../../values/day.ts'
import { type Cents, formatMoney, parseMoney, parseTotal } from '../../values/money.ts'
import type { Rule } from '../errors.ts'
import { countryOf, isCountry } from '../vocabulary.ts'

/** A JSON Schema, or some of its keywords. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The JSON Schema of a rule for requests (`input`), and for responses (`output`) where it differs. */
export type RuleSchemas = { input: JsonSchema; output?: JsonSchema }

/**
 * A requirement with its rule as data, which `brokenRule` finds in the issue of valibot. Valibot's own messages repeat the
 * received value and are never shown. Documents use `jsonSchema`, or else the sentence `expected`.
 */
export const requirement = <Holds extends (value: never) => boolean>(
  rule: string,
  expected: string,
  holds: Holds,
  jsonSchema?: RuleSchemas,
): Holds & Rule & { jsonSchema?: RuleSchemas } =>
  Object.assign(holds.bind(null) as Holds, { rule, expected, ...(jsonSchema && { jsonSchema }) })

/**
 * A check with a named rule: `rule` is the stable word in `fields`, `expected` completes "must be …", `input` is the JSON
 * Schema of the rule, if it can be expressed, and `output` that of responses.
 */
export const must = <T>(
  rule: string,
  expected: string,
  holds: (value: T) => boolean,
  input?: JsonSchema,
  output = input,
) => v.check<T, string>(requirement(rule, expected, holds, input && output && { input, output }), expected)

/**
 * A scalar with several accepted forms: `read` returns the internal form, or undefined to refuse. `jsonSchema` describes
 * the accepted forms and the returned form.
 */
export const scalar = <T>(
  rule: string,
  expected: string,
  read: (input: unknown) => T | undefined,
  jsonSchema: RuleSchemas,
) => {
  const isRead = (value: T | undefined): value is T => value !== undefined
  return v.pipe(v.unknown(), v.transform(read), v.guard(requirement(rule, expected, isRead, jsonSchema), expected))
}

/**
 * Metadata for documents, at the end of a schema's pipe: further accepted values, alternative schemas of the input, or the
 * members of an object by name.
 */
export type Documented = {
  also?: readonly unknown[]
  anyOf?: readonly v.GenericSchema[]
  members?: ReadonlyMap<string, v.GenericSchema>
}
export const documented = <T>(documented: Documented): v.MetadataAction<T, { documented: Documented }> =>
  v.metadata({ documented })

/** Adds a field's sentence for documents to its schema. */
export const described = <Schema extends v.GenericSchema>(schema: Schema, sentence: string): Schema =>
  v.pipe(schema, v.description(sentence)) as unknown as Schema

/** Responses repeat at most this many characters of a caller's key. */
export const maxKeyLength = 100

const wholeNumber = (input: unknown): number | undefined => {
  if (typeof input === 'string' && !/^(0|[1-9]\d{0,15})$/.test(input)) return undefined
  const value = typeof input === 'string' ? Number(input) : input
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined
}

/** A whole number >= 0, as JSON number or numeric string. */
export const Whole = scalar('whole_number', 'a whole number of 0 or more', wholeNumber, {
  input: {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^(0|[1-9][0-9]{0,15})$',
  },
  output: { type: 'integer', minimum: 0 },
})

const anId = {
  input: { type: ['integer', 'string'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER, pattern: '^[1-9][0-9]{0,15}$' },
  output: { type: 'integer', minimum: 1 },
}

/** A record id: a whole number from 1 to 2^53 - 1, as JSON number or numeric string. */
export const Id = scalar('id', 'a positive whole number', input => wholeNumber(input) || undefined, anId)

/** A record id, or a name that `read` resolves to an id; numbers as text are ids. */
export const idOrName = <T = number>(what: string, read: (name: string) => T | undefined) =>
  scalar<number | T>(
    'id',
    `a positive whole number or the name of ${what}`,
    input => wholeNumber(input) || (typeof input === 'string' ? read(input) : undefined),
    { ...anId, input: { type: ['integer', 'string'], minimum: 1 } },
  )

export const recordVersion = described(
  v.optional(Id),
  'Version that the change was made from; a record with another one is not changed (409 `version_conflict`).',
)

const flag = (input: unknown): 0 | 1 | undefined => {
  if (input === 1 || input === '1' || input === true) return 1
  if (input === 0 || input === '0' || input === false) return 0
  return undefined
}

/** A boolean, 0 or 1, or either as text. Documents call it a boolean; responses have 0 and 1. */
export const Flag = scalar('flag', '0 or 1', flag, {
  input: { type: 'boolean' },
  output: { enum: [0, 1] },
})

/** A whole number between two bounds, both included. */
export const wholeBetween = (min: number, max: number) => v.pipe(Whole, v.minValue(min), v.maxValue(max))

const amount = (digits: number) => ({
  input: { type: ['string', 'number'], pattern: `^-?[0-9]{1,${digits}}\\.[0-9]{2}$` },
  output: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' },
})

/** A money amount, read into cents; two decimals as text, or a number that is exact to the cent. */
export const Money = scalar<Cents>('money', 'an amount with two decimals such as "12.50"', parseMoney, amount(9))

/** As Money, for sums: as large as cents are exact for. */
export const Total = scalar<Cents>('money', 'an amount with two decimals such as "12.50"', parseTotal, amount(14))

/** A money amount in its wire form. */
export const MoneyText = v.pipe(Money, v.transform(formatMoney))

const bidiOverrides = /[\u202a-\u202e\u2066-\u2069]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const controls = /[\u0000-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, line feed and tab excepted
const controlsBesideLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

// The limit of UAX #15's stream-safe format; the time of normalization grows with the square of a run's length.
const tooManyMarks = /\p{M}{31}/u

// A visible character: no blanks, format characters, fillers, unassigned code points or the Braille blank.
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v

/** The limit of a text's length, as a refusal shows it. */
export const longest = (max: number) => `at most ${max} characters long`

// Documents state the rules of all texts once, not for each field.
const everyText = {}

const writtenText = (max: number, unprintable: RegExp) =>
  v.pipe(
    v.string(),
    // Before the expensive steps. The limit itself applies after normalizing and trimming, which may shorten a text.
    must<string>('max_length', longest(max), text => text.length <= 4 * max, everyText),
    must<string>('well_formed', 'well-formed Unicode', text => text.isWellFormed(), everyText),
    must<string>(
      'printable',
      'free of control characters',
      text => !unprintable.test(text) && !bidiOverrides.test(text),
      everyText,
    ),
    must<string>(
      'combining_marks',
      'free of runs of more than 30 combining marks',
      text => !tooManyMarks.test(text),
      everyText,
    ),
    v.transform(text => text.normalize('NFC').trim()),
    must<string>('max_length', longest(max), text => text.length <= max || [...text].length <= max, { maxLength: max }),
  )

/** A line of text, trimmed and in NFC; at most `max` code points. */
export const text = (max = 255) => writtenText(max, controls)

/** Text of several lines, line ends as \n. */
export const lines = (max: number) =>
  v.pipe(
    v.string(),
    v.transform(value => value.replace(/\r\n?/g, '\n')),
    writtenText(max, controlsBesideLines),
  )

/** A text with at least one visible character. */
export const filled = (max = 255) =>
  v.pipe(
    text(max),
    must<string>('required', 'filled in', value => visible.test(value), { minLength: 1 }),
  )

const orNull = (value: string): string | null => (visible.test(value) ? value : null)

/** An optional text: null and a text without visible characters mean unset. */
export const optionalText = (max = 255) => v.nullable(v.pipe(text(max), v.transform(orNull)))

/** An optional text of several lines. */
export const optionalLines = (max: number) => v.nullable(v.pipe(lines(max), v.transform(orNull)))

const maxMailLength = 254
const aMail = 'a mail address such as name@example.org'
// One @ between a name and a domain with a dot, without spaces of any kind.
const mailShape = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u

// An empty mail is valid here; `FilledMail` requires a mail.
const isMail = (value: string | null): boolean => !value || mailShape.test(value)

/** A mail address; null and '' mean none. */
export const Mail = v.nullable(
  v.pipe(text(maxMailLength), v.transform(orNull), must<string | null>('mail', aMail, isMail)),
)

/** A required mail address. */
export const FilledMail = v.pipe(filled(maxMailLength), must<string>('mail', aMail, isMail, { format: 'email' }))

/** Makes a schema nullable: forms send '' for empty fields. */
export const nothingAsNull = <T extends v.GenericSchema>(schema: T) =>
  v.pipe(
    v.unknown(),
    v.transform(value => (value === '' || value === undefined ? null : value)),
    v.nullable(schema),
    documented<v.InferOutput<v.NullableSchema<T, undefined>>>({ also: [''] }),
  )

export const isUuid = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** A UUID, read into lower case. */
export const Uuid = v.pipe(
  v.string(),
  must<string>('uuid', 'a UUID', isUuid, { format: 'uuid' }),
  v.transform(value => value.toLowerCase()),
)

const nestedUuid = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'uuid' in input ? input.uuid : input

/** A UUID, also as the `uuid` of an object: an existing client nests it. */
export const NestedUuid = v.pipe(
  v.unknown(),
  v.transform(nestedUuid),
  Uuid,
  documented({ anyOf: [Uuid, v.object({ uuid: described(Uuid, 'The UUID.') })] }),
)

const aCountry = 'the code of a country in two letters'

/** A country code of two letters in either case, read into lower case. */
export const CountryCode = v.pipe(
  v.string(),
  must<string>('country_code', aCountry, value => /^[a-z]{2}$/i.test(value), { pattern: '^[A-Za-z]{2}$' }),
  v.transform(countryOf),
  must<string>('country_code', aCountry, isCountry),
)

/** A timestamp of the interface: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const Timestamp = v.pipe(
  v.string(),
  must<string>(
    'timestamp',
    'a time such as 2026-01-31 12:00:00, UTC',
    value => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
    { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' },
  ),
)

const aDay = 'a day such as 2026-01-31'

const isDay = (value: string): value is CalendarDay =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(Date.parse(value) || 0).toISOString().startsWith(value)

/** A day of the calendar: `YYYY-MM-DD`. */
export const Day = v.pipe(
  v.string(),
  v.guard(requirement('day', aDay, isDay, { input: { format: 'date' }, output: { format: 'date' } }), aDay),
)

/** A list whose length is checked before its elements are. */
export const list = <T extends v.GenericSchema>(item: T, max: number) =>
  v.pipe(v.array(v.unknown()), v.maxLength(max), v.array(item))

/** An empty object, as PHP writes it. */
export const emptyList = v.pipe(v.array(v.unknown()), v.maxLength(0))

const pageNumber = scalar('page', 'a whole number of 1 or more', input => wholeNumber(input) || undefined, anId)
const pageLength = v.pipe(
  pageNumber,
  v.transform(size => Math.min(size, 100)),
)

/** The maximum length of texts in a list with `short`. */
export const shortText = 2000

/** Paging parameters of a list. */
export const paging = {
  page: described(v.nullish(pageNumber, 1), 'Number of the page, from 1.'),
  pageSize: described(v.nullish(pageLength, 16), 'Records on a page, 1 to 100; a larger number means 100.'),
  start: described(
    v.nullish(Whole),
    'Number of records to skip; overrides `page`. Send `pages.next.start` of one page to get the next.',
  ),
  short: described(v.nullish(Flag), `True cuts texts to ${shortText} characters.`),
}

/** An optional page size; `otherwise` is a sentence about the response without a page size. */
export const optionalPageSize = (otherwise: string) =>
  described(v.nullish(pageLength), `Records on a page, 1 to 100; a larger number means 100. ${otherwise}`)

const { short: _, ...place } = paging

/** Paging parameters of a list of short records, which comes whole without a page size. */
export const wholePaging = {
  ...place,
  pageSize: optionalPageSize('Without it the response has all records, at most 2 MB.'),
}

export const inshop = described(
  v.nullish(Flag),
  'True returns only records that are active, offered in the shop, and have a price.',
)

export const saleInShop = described(
  v.nullish(Flag),
  'True refuses goods that are not offered in the shop (their `shop` is 0).',
)

export const word = <const T extends readonly string[]>(words: T) => v.picklist(words)
