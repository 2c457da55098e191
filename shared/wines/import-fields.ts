import * as v from 'valibot'
import {
  CountryCode,
  Flag,
  filled,
  Id,
  MoneyText,
  must,
  optionalLines,
  optionalText,
  scalar,
  Whole,
} from '../contract/wire.ts'
import type { ImportRow, ImportWinery } from './import-row.ts'
import { allergenIds, bottlingTypes, caps, isGtin, tasteIds, wineTypes } from './values.ts'

type FieldSchema<Value> = v.BaseSchema<unknown, Value, v.BaseIssue<unknown>>

/** A broken rule of one value: `rule` is a stable word, `expected` says what it asks for. */
export type Broken = { rule: string; expected: string }

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  scalar<Words[number]>('one_of', words.join(', '), input => words.find(word => word === input))

const idOf = (ids: readonly number[]) =>
  v.pipe(
    Id,
    must<number>('one_of', ids.join(', '), id => ids.includes(id)),
  )

const whole = (min: number, max: number) =>
  v.pipe(
    Whole,
    must<number>('min_value', String(min), value => value >= min),
    must<number>('max_value', String(max), value => value <= max),
  )

const decimal = (places: number, max: number) =>
  scalar<string>('decimal', `a number from 0 to ${max} with at most ${places} decimals`, input => {
    const text = typeof input === 'number' ? String(input) : input
    const shape = new RegExp(`^\\d{1,6}(\\.\\d{1,${places}})?$`)
    return typeof text === 'string' && shape.test(text) && Number(text) <= max
      ? Number(text).toFixed(places)
      : undefined
  })

const Price = v.pipe(
  MoneyText,
  must<string>('min_value', '0.00', amount => !amount.startsWith('-')),
)

const listOf = <Item>(item: FieldSchema<Item>, keyOf: (item: Item) => unknown) =>
  v.pipe(
    v.array(item),
    must<Item[]>('max_items', '100', items => items.length <= 100),
    must<Item[]>('unique', 'free of repetitions', items => new Set(items.map(keyOf)).size === items.length),
  )

const itself = (item: unknown) => item
const OneLine = optionalText()
const Language = v.pipe(
  filled(2),
  must<string>('language', 'a language code of two lower-case letters', code => /^[a-z]{2}$/.test(code)),
)
const Gtin = v.pipe(
  OneLine,
  must<string | null>('gtin', '8, 12, 13 or 14 digits with their check digit', text => text === null || isGtin(text)),
)

/** The schema of every key of an import row but the winery; each reads texts and JSON values into the wire form. */
export const fields: {
  [Key in Exclude<keyof ImportRow, 'winery'>]-?: FieldSchema<Exclude<ImportRow[Key], undefined>>
} = {
  articlenumber: filled(),
  name: filled(),
  type: oneOf(wineTypes),
  countrycode: CountryCode,
  region: Id,
  vintage: v.nullable(whole(1000, 9999)),
  place: OneLine,
  quality: OneLine,
  quality_note: OneLine,
  taste_id: v.nullable(idOf(tasteIds)),
  alcohol: v.nullable(decimal(1, 100)),
  sweetness: v.nullable(decimal(1, 9999)),
  acid: v.nullable(decimal(1, 9999)),
  bottlesize: v.pipe(
    decimal(3, 999),
    must<string>('above_zero', 'above zero', litres => Number(litres) > 0),
  ),
  drinktemperature: OneLine,
  gross: Price,
  net: Price,
  tax: Price,
  taxrate: whole(0, 100),
  description: optionalLines(10_000),
  terroir: OneLine,
  maturation: OneLine,
  bottling_type: v.nullable(oneOf(bottlingTypes)),
  cap: v.nullable(oneOf(caps)),
  gtin: Gtin,
  cuvee: Flag,
  bio: Flag,
  vegan: Flag,
  active: Flag,
  public: Flag,
  shop: Flag,
  winesearch: Flag,
  internal: Flag,
  network: Flag,
  topseller: Flag,
  nostock: Flag,
  nostocktext: OneLine,
  stock: v.nullable(Whole),
  sorting: Whole,
  weight: Whole,
  language: Language,
  allergenIds: listOf(idOf(allergenIds), itself),
  grapetypeIds: listOf(Id, itself),
  categories: listOf(filled(), itself),
  prices: listOf(v.strictObject({ priceRange: filled(), gross: Price }), price => price.priceRange),
}

/** The schema of every key of an imported winery. */
export const wineryFields: { [Key in keyof ImportWinery]-?: FieldSchema<Exclude<ImportWinery[Key], undefined>> } = {
  name: filled(),
  company: OneLine,
  taxid: OneLine,
  address: OneLine,
  zip: OneLine,
  city: OneLine,
  region: v.nullable(Id),
  countrycode: v.nullable(CountryCode),
  mail: OneLine,
  phone: OneLine,
  fax: OneLine,
  www: OneLine,
  freetext: optionalLines(10_000),
  vineyard: OneLine,
  harvest: OneLine,
  bestplaces: OneLine,
  memberof: OneLine,
}

/** Whether null clears the field. */
export const isNullable = (schema: FieldSchema<unknown>): boolean => v.is(schema, null)

const kinds: Readonly<Record<string, string>> = { string: 'text', Array: 'a list', Object: 'an object' }

// Never valibot's own messages: they repeat the received value.
const brokenBy = (issue: v.BaseIssue<unknown>): Broken => {
  if (issue.kind === 'schema') return { rule: 'type', expected: kinds[issue.expected ?? ''] ?? 'of known keys only' }
  const [rule = 'valid', ...expected] = issue.message.split(': ')
  return { rule, expected: expected.join(': ') }
}

/** The value in its wire form, or the first rule it breaks. */
export const readValue = (schema: FieldSchema<unknown>, input: unknown): { value: unknown } | Broken => {
  const result = v.safeParse(schema, input)
  return result.success ? { value: result.output } : brokenBy(result.issues[0])
}
