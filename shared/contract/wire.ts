import * as v from 'valibot'
import { type Cents, formatMoney, parseMoney, parseTotal } from '../values/money.ts'
import type { Rule } from './errors.ts'
import { countryOf, isCountry } from './vocabulary.ts'

/** A JSON Schema, or some of its keywords. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** What a rule means in JSON: of what is sent, and, where that differs, of what is answered. */
export type Written = { takes: JsonSchema; gives?: JsonSchema }

/**
 * A requirement of a schema with its rule as data, which `brokenRule` finds in the issue of valibot. What valibot says
 * itself repeats the received value and is never shown. Documents read `written`; without it they say what is expected.
 */
export const requirement = <Holds extends (value: never) => boolean>(
  rule: string,
  expected: string,
  holds: Holds,
  written?: Written,
): Holds & Rule & { written?: Written } =>
  Object.assign(holds.bind(null) as Holds, { rule, expected, ...(written && { written }) })

/**
 * A named rule over a value: `rule` is the stable word in `fields`, `expected` completes "must be …", `takes` is what it
 * means in JSON Schema, where that has words for it.
 */
export const must = <T>(rule: string, expected: string, holds: (value: T) => boolean, takes?: JsonSchema) =>
  v.check<T, string>(requirement(rule, expected, holds, takes && { takes }), expected)

/**
 * A scalar that accepts several written forms: `read` gives its one inner form, or undefined to refuse. `written` is how
 * it may be sent and how it is answered.
 */
export const scalar = <T>(
  rule: string,
  expected: string,
  read: (input: unknown) => T | undefined,
  written: Written,
) => {
  const isRead = (value: T | undefined): value is T => value !== undefined
  return v.pipe(v.unknown(), v.transform(read), v.guard(requirement(rule, expected, isRead, written), expected))
}

/**
 * What documents cannot read from a schema, put at the end of its pipe: values that may be sent besides, schemas one of
 * which what is sent has to fit, or the members of an object, each with its schema.
 */
export type Documented = {
  also?: readonly unknown[]
  anyOf?: readonly v.GenericSchema[]
  members?: ReadonlyMap<string, v.GenericSchema>
}
export const documented = <T>(documented: Documented): v.MetadataAction<T, { documented: Documented }> =>
  v.metadata({ documented })

/** The schema with a sentence for documents about the field that has it. */
export const described = <Schema extends v.GenericSchema>(schema: Schema, sentence: string): Schema =>
  v.pipe(schema, v.description(sentence)) as unknown as Schema

/** So many characters of a caller's key are repeated at most, so that it cannot fill the response with itself. */
export const maxKeyLength = 100

const wholeNumber = (input: unknown): number | undefined => {
  if (typeof input === 'string' && !/^(0|[1-9]\d{0,15})$/.test(input)) return undefined
  const value = typeof input === 'string' ? Number(input) : input
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined
}

/** A whole number >= 0, as JSON number or numeric string. */
export const Whole = scalar('whole_number', 'a whole number of 0 or more', wholeNumber, {
  takes: {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^(0|[1-9][0-9]{0,15})$',
  },
  gives: { type: 'integer', minimum: 0 },
})

const anId = {
  takes: { type: ['integer', 'string'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER, pattern: '^[1-9][0-9]{0,15}$' },
  gives: { type: 'integer', minimum: 1 },
}

/** A record id: a whole number from 1 to 2^53 - 1, as JSON number or numeric string. */
export const Id = scalar('id', 'a positive whole number', input => wholeNumber(input) || undefined, anId)

/** A record id, or the name of the record, of which `read` makes its id; numbers as text are ids. */
export const idOrName = <T = number>(what: string, read: (name: string) => T | undefined) =>
  scalar<number | T>(
    'id',
    `a positive whole number or the name of ${what}`,
    input => wholeNumber(input) || (typeof input === 'string' ? read(input) : undefined),
    { ...anId, takes: { type: ['integer', 'string'], minimum: 1 } },
  )

/** The version of a record that an edit was made from. */
export const recordVersion = described(
  v.optional(Id),
  'Version that the change was made from; a record with another one is not changed (409 `version_conflict`).',
)

const flag = (input: unknown): 0 | 1 | undefined => {
  if (input === 1 || input === '1' || input === true) return 1
  if (input === 0 || input === '0' || input === false) return 0
  return undefined
}

/** A flag, which is a boolean, 0 or 1, or one of these as text. Documents call it a boolean; answers have 0 and 1. */
export const Flag = scalar('flag', '0 or 1', flag, {
  takes: { type: 'boolean' },
  gives: { enum: [0, 1] },
})

/** A whole number between two bounds, both included. */
export const between = (min: number, max: number) => v.pipe(Whole, v.minValue(min), v.maxValue(max))

const amount = (digits: number) => ({
  takes: { type: ['string', 'number'], pattern: `^-?[0-9]{1,${digits}}\\.[0-9]{2}$` },
  gives: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' },
})

/** A money amount, read into cents; two decimals as text, or a number that is exact to the cent. */
export const Money = scalar<Cents>('money', 'an amount with two decimals such as "12.50"', parseMoney, amount(9))

/** An amount that may be a sum, read into cents: as Money, but as large as cents are exact for. */
export const Total = scalar<Cents>('money', 'an amount with two decimals such as "12.50"', parseTotal, amount(14))

/** A money amount that is kept in its wire form. */
export const MoneyText = v.pipe(Money, v.transform(formatMoney))

const bidiOverrides = /[\u202a-\u202e\u2066-\u2069]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const controls = /[\u0000-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, line feed and tab excepted
const controlsBesideLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

// UAX #15 calls a text stream-safe that has no more; the time of normalizing grows with the square of a run's length.
const tooManyMarks = /\p{M}{31}/u

// What shows: neither blanks nor format characters, fillers, code points without a character, or the blank of Braille.
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v

/** What a text may not exceed, as a refusal says it. */
export const longest = (max: number) => `at most ${max} characters long`

// What holds for each text is said once, and not of each field.
const everyText = {}

const writtenText = (max: number, unprintable: RegExp) =>
  v.pipe(
    v.string(),
    // Before anything that takes time; normalizing and trimming may well bring it below the limit, but not from there.
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

/** One line of text, trimmed and in NFC; at most `max` code points. */
export const text = (max = 255) => writtenText(max, controls)

/** Text of several lines, line ends as \n. */
export const lines = (max: number) =>
  v.pipe(
    v.string(),
    v.transform(value => value.replace(/\r\n?/g, '\n')),
    writtenText(max, controlsBesideLines),
  )

/** A text that must say something. */
export const filled = (max = 255) =>
  v.pipe(
    text(max),
    must<string>('required', 'filled in', value => visible.test(value), { minLength: 1 }),
  )

const orNull = (value: string): string | null => (visible.test(value) ? value : null)

/** An optional text: null and a text in which nothing shows both mean unset. */
export const optionalText = (max = 255) => v.nullable(v.pipe(text(max), v.transform(orNull)))

/** An optional text of several lines. */
export const optionalLines = (max: number) => v.nullable(v.pipe(lines(max), v.transform(orNull)))

const maxMailLength = 254
const aMail = 'a mail address such as name@example.org'
// One @ between a name and a domain with a dot; a space of any kind is in neither.
const mailShape = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u

// Whether one must be there is another rule.
const isMail = (value: string | null): boolean => !value || mailShape.test(value)

/** A mail address, wherever one is given; null and '' mean none. */
export const Mail = v.nullable(
  v.pipe(text(maxMailLength), v.transform(orNull), must<string | null>('mail', aMail, isMail)),
)

/** A mail address that must be there. */
export const FilledMail = v.pipe(filled(maxMailLength), must<string>('mail', aMail, isMail, { format: 'email' }))

/** What a schema takes, or nothing: forms send '' for what was left empty. */
export const nothingAsNull = <T extends v.GenericSchema>(schema: T) =>
  v.pipe(
    v.unknown(),
    v.transform(value => (value === '' || value === undefined ? null : value)),
    v.nullable(schema),
    documented<v.InferOutput<v.NullableSchema<T, undefined>>>({ also: [''] }),
  )

/** Whether a text is a UUID in its usual form. */
export const isUuid = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** A UUID in its usual form, read into lower case. */
export const Uuid = v.pipe(
  v.string(),
  must<string>('uuid', 'a UUID', isUuid, { format: 'uuid' }),
  v.transform(value => value.toLowerCase()),
)

const nestedUuid = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'uuid' in input ? input.uuid : input

/** A UUID, also as the `uuid` of an object: an existing client nests it. */
export const NestedUuid = v.pipe(v.unknown(), v.transform(nestedUuid), Uuid)

const aCountry = 'the code of a country in two letters'

/** A country code of two letters, read in either case and kept in lower case. */
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

const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(Date.parse(value) || 0).toISOString().startsWith(value)

/** A day of the calendar: `YYYY-MM-DD`. */
export const Day = v.pipe(v.string(), must<string>('day', aDay, isDay, { format: 'date' }))

/** A list with a length limit that is checked before its elements are. */
export const list = <T extends v.GenericSchema>(item: T, max: number) =>
  v.pipe(v.array(v.unknown()), v.maxLength(max), v.array(item))

/** How PHP writes an empty object. */
export const emptyList = v.pipe(v.array(v.unknown()), v.maxLength(0))

const pageNumber = scalar('page', 'a whole number of 1 or more', input => wholeNumber(input) || undefined, anId)
const pageLength = v.pipe(
  pageNumber,
  v.transform(size => Math.min(size, 100)),
)

/** How many characters a text has at most in a list that is asked for short ones. */
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

/** The page size of a list that comes whole without it. */
export const optionalPageSize = described(
  v.nullish(pageLength),
  'Records on a page, 1 to 100; a larger number means 100. Without it the answer has all records, up to 2 MB.',
)

/** Limits a list to what a shop may show. */
export const inshop = described(v.nullish(Flag), 'True returns only records that are active and offered in the shop.')

/** Limits what may be ordered to what a shop may show. */
export const saleInShop = described(
  v.nullish(Flag),
  'True refuses goods that are not offered in the shop (their `shop` is 0).',
)

/** A word of a closed list. */
export const word = <const T extends readonly string[]>(words: T) => v.picklist(words)
