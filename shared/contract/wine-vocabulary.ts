/** The words of `type`. */
export const wineTypes = [
  'red',
  'white',
  'rose',
  'rotling',
  'secco',
  'sparkling',
  'destilate',
  'grapeJuice',
  'wineBasedDrink',
  'spritzer',
  'vingris',
  'nonAlcoholic',
  'mulledWine',
  'general',
] as const

/** A word of `type`. */
export type WineType = (typeof wineTypes)[number]

/** The words of `bottling_type`. */
export const bottlingTypes = ['producer', 'bottler', 'estate', 'castle', 'purchase'] as const

/** A word of `bottling_type`. */
export type BottlingType = (typeof bottlingTypes)[number]

/** The words of `cap`. */
export const caps = ['screw', 'cork', 'crownCap', 'plastic', 'glas'] as const

/** A word of `cap`. */
export type Cap = (typeof caps)[number]

/** The ids that `taste_id` may hold. */
export const tasteIds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const

/** An id of `taste_id`. */
export type TasteId = (typeof tasteIds)[number]

/** The ids that `allergenIds` may hold: the 14 allergens in the order of EU Regulation 1169/2011, annex II. */
export const allergenIds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] as const

/** An id of `allergenIds`. */
export type AllergenId = (typeof allergenIds)[number]

const listOfWords = (text: string): readonly string[] => text.split(/\s+/)

/** The words of `quality` by country code; a country that is missing here has no table. */
export const qualities: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'de',
    listOfWords(
      `notspecified table wine superior origin quality specialquality cabinet spaetlese selection beerenauslese
      trockenbeerenauslese icewine sparklingWine aeratedSparklingWine champagne champagneSpecificRegion winzersekt cremant
      estate local singlesite vdpGutswein vdpOrtswein vdpErsteLage vdpGrosseLage vdpGrossesGewaechs vdpGutssekt vdpOrtssekt`,
    ),
  ],
  [
    'at',
    listOfWords(
      `country origin dac quality cabinet spaetlese auslese icewine strawwine ausbruch beerenauslese
      trockenbeerenauslese champagne champagneClassic champagneReserve champagneGrandReserve`,
    ),
  ],
  ['fr', listOfWords('country aop igp ac aoc vdn vdqs superior table')],
  ['it', listOfWords('country dop doc doca docg igp specialquality superior table')],
  ['es', listOfWords('country do doc doca dop igp origin table')],
  ['pt', listOfWords('doc dop ig igp vr')],
  ['cl', listOfWords('country reserva')],
  ['za', listOfWords('country origin')],
  ['us', listOfWords('california')],
  ['ar', listOfWords('country')],
  ['au', listOfWords('country')],
])

/** Whether a wine of the country may carry the quality: a word of the country's table, any text where it has none. */
export const isQualityOf = (countrycode: string, quality: string): boolean =>
  qualities.get(countrycode)?.includes(quality) ?? quality.trim() !== ''

/** Whether the text is a GTIN: 8, 12, 13 or 14 digits, the last of them the check digit of the others. */
export const isGtin = (text: string): boolean => {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const fromRight = [...text].toReversed().map(Number)
  return fromRight.reduce((sum, digit, place) => sum + (place % 2 ? 3 * digit : digit), 0) % 10 === 0
}
