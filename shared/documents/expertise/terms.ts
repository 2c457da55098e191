import {
  type Cap,
  type Label,
  type Labels,
  type Language,
  labelIn,
  labelOf,
  labels,
} from '../../contract/labels/labels.ts'

// Meaningless to buyers: the general type, and a bottling that concerns the merchant only.
const silent: ReadonlySet<string> = new Set(['general', 'purchase', 'notspecified'])

const wordIn = (table: Labels | undefined, word: string, language: Language): string | null =>
  silent.has(word) ? null : labelOf(table, word, language)

/** A wine type in words; null for `general`. */
export const typeWord = (type: string, language: Language): string | null => wordIn(labels.winetypes, type, language)

/** A bottling type in words; null for `purchase`. */
export const bottlingWord = (type: string, language: Language): string | null =>
  wordIn(labels.bottlingtypes, type, language)

/** A taste in words, by taste_id. */
export const tasteWord = (id: number, language: Language): string | null => labelOf(labels.tastes, id, language)

/** An allergen in words, by its id. */
export const allergenWord = (id: number, language: Language): string | null => labelOf(labels.allergens, id, language)

const qualities: Readonly<Record<string, Labels>> = labels.qualitytypes

/** A quality in words as its country uses it; free text stays as it is, `notspecified` is null. */
export const qualityWord = (quality: string, countrycode: string, language: Language): string | null => {
  if (silent.has(quality)) return null
  const ofCountry = Object.hasOwn(qualities, countrycode) ? qualities[countrycode] : undefined
  return labelOf(ofCountry, quality, language) ?? quality
}

// Only sheets need words for these.
const caps: Readonly<Record<Cap, Label>> = {
  screw: { de: 'Schraubverschluss', en: 'Screw cap' },
  cork: { de: 'Korken', en: 'Cork' },
  crownCap: { de: 'Kronkorken', en: 'Crown cap' },
  plastic: { de: 'Kunststoffkorken', en: 'Synthetic cork' },
  glas: { de: 'Glasverschluss', en: 'Glass stopper' },
}

/** A closure in words. */
export const capWord = (cap: Cap, language: Language): string => labelIn(language, caps[cap])

/** A country's name in a language, also where it has no label; the code in capitals when it names no country. */
export const countryName = (code: string, language: Language): string => {
  const label = labelOf(labels.countries, code, language)
  const region = code.trim().toUpperCase()
  if (label !== null || !/^[A-Z]{2}$/.test(region)) return label ?? region
  return new Intl.DisplayNames([language], { type: 'region' }).of(region) ?? region
}
