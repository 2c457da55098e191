import * as v from 'valibot'
import { drawnWord, pictureAt } from '../../values/picture-name.ts'
import { filled, Id, list, MoneyText, must, optionalText, scalar, Whole } from '../wire.ts'
import type { ValueSchema } from './fields.ts'

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
    { description: `null, \`${drawnWord}\`, or a link of this service.` },
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
  price_range_id: v.number(),
  priceRangeName: v.string(),
  taxrate: v.number(),
  net: v.string(),
  tax: v.string(),
  gross: v.string(),
}

const FiledRangePrice = v.strictObject({ priceRange: filled(), gross: Price })

/** A price as files give it: for a price range known by its name, and taxed like the record it belongs to. */
export type FiledRangePrice = v.InferOutput<typeof FiledRangePrice>

/** The prices of a record for price ranges, as files give them. */
export const FiledRangePrices = listOf<FiledRangePrice>(FiledRangePrice, ({ priceRange }) => priceRange)
