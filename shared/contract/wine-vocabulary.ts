import { idsOf, labels, wordsOf } from './labels.ts'

/** A word of `type`. */
export type WineType = keyof typeof labels.winetypes

/** The words of `type`. */
export const wineTypes = wordsOf<WineType>(labels.winetypes)

/** A word of `bottling_type`. */
export type BottlingType = keyof typeof labels.bottlingtypes

/** The words of `bottling_type`. */
export const bottlingTypes = wordsOf<BottlingType>(labels.bottlingtypes)

/** The words of `cap`. */
export const caps = ['screw', 'cork', 'crownCap', 'plastic', 'glas'] as const

/** A word of `cap`. */
export type Cap = (typeof caps)[number]

type IdIn<Key> = Key extends `${infer Id extends number}` ? Id : never

/** An id of `taste_id`. */
export type TasteId = IdIn<keyof typeof labels.tastes>

/** The ids that `taste_id` may hold. */
export const tasteIds: readonly number[] = idsOf(labels.tastes)

/** The ids that `allergenIds` may hold. */
export const allergenIds: readonly number[] = idsOf(labels.allergens)

/** The words of `quality` by country code; a country that is missing here has no table. */
export const qualities: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(labels.qualitytypes).map(([country, words]) => [country, Object.keys(words)]),
)

/** Whether a wine of the country may carry the quality: a word of the country's table, any text where it has none. */
export const isQualityOf = (countrycode: string, quality: string): boolean =>
  qualities.get(countrycode)?.includes(quality) ?? quality.trim() !== ''

/** Whether the text is a GTIN: 8, 12, 13 or 14 digits, the last of them the check digit of the others. */
export const isGtin = (text: string): boolean => {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const fromRight = [...text].toReversed().map(Number)
  return fromRight.reduce((sum, digit, place) => sum + (place % 2 ? 3 * digit : digit), 0) % 10 === 0
}
