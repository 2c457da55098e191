import * as v from 'valibot'
import { type Cents, centsPerLitre, formatMoney, parseMoney, parseTotal, type Side } from '../../values/money.ts'
import type { WineType } from '../labels/labels.ts'
import { described, scalar } from '../schema/wire.ts'

const BasePrice = v.strictObject({
  amount: described(v.string(), 'Price of a litre, in euros with two decimals.'),
  unit: described(v.literal('l'), 'Always `l`: the price is that of a litre.'),
})

const minAges = [16, 18] as const

/** A minimum age in years, or null; requests and files may give it as text. */
export const MinAge = v.nullable(
  scalar<(typeof minAges)[number]>(
    'one_of',
    minAges.join(', '),
    input => minAges.find(age => age === input || String(age) === input),
    { input: { enum: [...minAges, ...minAges.map(String)] }, output: { enum: [...minAges] } },
  ),
)
export type MinAge = v.InferOutput<typeof MinAge>

/** The information on goods that a shop must show beside their price; it follows from the record and is not stored. */
export const consumerInformation = {
  base_price: described(
    v.nullable(BasePrice),
    'Price of a litre, from the price in this answer; shops in the EU show both. Null for goods without a price or size.',
  ),
  min_age: described(
    MinAge,
    'Minimum age of the buyer in years by German law: 18 for spirits, 16 for wine and other drinks with alcohol; null without one.',
  ),
}

const ConsumerInformation = v.strictObject(consumerInformation)
export type ConsumerInformation = v.InferOutput<typeof ConsumerInformation>

const basePriceOf = (total: Cents = 0, bottlesize: unknown, pieces = 1): ConsumerInformation['base_price'] => {
  const cents = centsPerLitre(total, bottlesize, pieces)
  return cents === null ? null : { amount: formatMoney(cents), unit: 'l' }
}

const ages: Readonly<Record<WineType, MinAge>> = {
  destilate: 18,
  grapeJuice: null,
  nonAlcoholic: null,
  ...{ red: 16, white: 16, rose: 16, rotling: 16, vingris: 16, secco: 16, sparkling: 16 },
  ...{ wineBasedDrink: 16, spritzer: 16, mulledWine: 16, general: 16 },
}

/**
 * The minimum age for a type of wine by § 9 (1) of the German Protection of Young Persons Act (JuSchG): 16 for wine, sparkling
 * wine and mixtures of these with drinks without alcohol, 18 for other drinks with alcohol; null for an unknown type.
 */
const ageOf = (type: unknown): MinAge =>
  typeof type === 'string' && Object.hasOwn(ages, type) ? ages[type as WineType] : null

type Sized = { gross: string; bottlesize: string; type: string }

/** The information on a wine or product that is answered beside its price. */
export const informationOf = (goods: Sized | { min_age: MinAge }): ConsumerInformation =>
  'min_age' in goods
    ? { base_price: null, min_age: goods.min_age }
    : { base_price: basePriceOf(parseMoney(goods.gross), goods.bottlesize), min_age: ageOf(goods.type) }

/** A wine as it is answered. */
export const withInformation = <W extends Sized>(wine: W): W & ConsumerInformation => ({
  ...wine,
  ...informationOf(wine),
})

type Sold = { net: string; gross: string; quantity: number; item: Readonly<Record<string, unknown>> }

/**
 * The same of a line of an order, from its total on the side that the order is priced by and its record as it was sold; null
 * where that has no size, type or age.
 */
export const soldInformation = ({ quantity, item, ...total }: Sold, side: Side): ConsumerInformation => ({
  base_price: basePriceOf(parseTotal(total[side]), item.bottlesize, quantity),
  min_age: minAges.find(age => age === item.min_age) ?? ageOf(item.type),
})

/** The highest minimum age of some goods; null if no goods have a minimum age. */
export const highestAge = (goods: readonly { min_age: MinAge }[]): MinAge =>
  goods.reduce<MinAge>((highest, { min_age }) => ((min_age ?? 0) > (highest ?? 0) ? min_age : highest), null)
