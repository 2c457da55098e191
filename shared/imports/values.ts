import * as v from 'valibot'
import { brokenRule } from '../contract/refusal.ts'
import { filled, Id, MoneyText, must, optionalText, scalar, Whole } from '../contract/wire.ts'

/** A schema of one value of an import; it reads texts and JSON values into the wire form. */
export type FieldSchema<Value> = v.BaseSchema<unknown, Value, v.BaseIssue<unknown>>

/** The schemas of a record's keys. */
export type Fields = Readonly<Record<string, FieldSchema<unknown>>>

/** A broken rule of one value: `rule` is a stable word, `expected` says what it asks for. */
export type Broken = { rule: string; expected: string }

/** A word of a closed list. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  scalar<Words[number]>('one_of', words.join(', '), input => words.find(word => word === input))

/** An id of a closed list. */
export const idOf = (ids: readonly number[]) =>
  v.pipe(
    Id,
    must<number>('one_of', ids.join(', '), id => ids.includes(id)),
  )

/** A whole number between two bounds, both included. */
export const whole = (min: number, max: number) =>
  v.pipe(
    Whole,
    must<number>('min_value', String(min), value => value >= min),
    must<number>('max_value', String(max), value => value <= max),
  )

/** A number from 0 to `max`, kept as text with so many decimals. */
export const decimal = (places: number, max: number) =>
  scalar<string>('decimal', `a number from 0 to ${max} with at most ${places} decimals`, input => {
    const text = typeof input === 'number' ? String(input) : input
    const shape = new RegExp(`^\\d{1,6}(\\.\\d{1,${places}})?$`)
    return typeof text === 'string' && shape.test(text) && Number(text) <= max
      ? Number(text).toFixed(places)
      : undefined
  })

/** An amount of 0.00 or more, kept as text. */
export const Price = v.pipe(
  MoneyText,
  must<string>('min_value', '0.00', amount => !amount.startsWith('-')),
)

/** Up to 100 items, of which no two have the same key. */
export const listOf = <Item>(item: FieldSchema<Item>, keyOf: (item: Item) => unknown) =>
  v.pipe(
    v.array(item),
    must<Item[]>('max_items', '100', items => items.length <= 100),
    must<Item[]>('unique', 'free of repetitions', items => new Set(items.map(keyOf)).size === items.length),
  )

/** An optional text of one line. */
export const OneLine = optionalText()

/** A language code. */
export const Language = v.pipe(
  filled(2),
  must<string>('language', 'a language code of two lower-case letters', code => /^[a-z]{2}$/.test(code)),
)

/** A price for a price range, known by its name; it is taxed like the record it belongs to. */
export type RangePrice = { priceRange: string; gross: string }

/** The prices of a record for price ranges. */
export const RangePrices = listOf<RangePrice>(
  v.strictObject({ priceRange: filled(), gross: Price }),
  ({ priceRange }) => priceRange,
)

/** Whether null clears the field. */
export const isNullable = (schema: FieldSchema<unknown>): boolean => v.is(schema, null)

const kinds: Readonly<Record<string, string>> = { string: 'text', Array: 'a list', Object: 'an object' }

// Never valibot's own messages: they repeat the received value.
const brokenBy = (issue: v.BaseIssue<unknown>): Broken => {
  if (issue.kind === 'schema') return { rule: 'type', expected: kinds[issue.expected ?? ''] ?? 'of known keys only' }
  return brokenRule(issue)
}

/** The value in its wire form, or the first rule it breaks. */
export const readValue = (schema: FieldSchema<unknown>, input: unknown): { value: unknown } | Broken => {
  const result = v.safeParse(schema, input)
  return result.success ? { value: result.output } : brokenBy(result.issues[0])
}
