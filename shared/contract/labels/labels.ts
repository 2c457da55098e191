import { fold } from '../../values/text.ts'
import { wordsOf } from '../vocabulary.ts'
import allergens from './allergens.json' with { type: 'json' }
import bottlingtypes from './bottlingtypes.json' with { type: 'json' }
import countries from './countries.json' with { type: 'json' }
import synonyms from './grape-synonyms.json' with { type: 'json' }
import grapetypes from './grapetypes.json' with { type: 'json' }
import qualitytypes from './qualitytypes.json' with { type: 'json' }
import tastes from './tastes.json' with { type: 'json' }
import units from './units.json' with { type: 'json' }
import wineregions from './wineregions.json' with { type: 'json' }
import winetypes from './winetypes.json' with { type: 'json' }

export const languages = ['de', 'en'] as const

export type Language = (typeof languages)[number]

/** A name in each language, or one text for all languages. */
export type Label = string | Readonly<Record<Language, string>>

export type Labels = Readonly<Record<string, Label>>

/** Further names by id. */
export type Synonyms = Readonly<Record<string, readonly string[] | undefined>>

/** All labels; those of `wineregions` and `qualitytypes` by country first. */
export const labels = {
  countries,
  wineregions,
  tastes,
  winetypes,
  qualitytypes,
  grapetypes,
  units,
  bottlingtypes,
  allergens,
}

/** The keys of a table whose keys are ids, in rising order. */
export const idsOf = (table: Labels): number[] => Object.keys(table).map(Number)

export const labelIn = (language: Language, label: Label): string =>
  typeof label === 'string' ? label : label[language]

/** The label of an id or word in a language; null where the table has none. */
export const labelOf = (table: Labels | undefined, key: string | number, language: Language): string | null =>
  table && Object.hasOwn(table, key) ? labelIn(language, table[key] ?? '') : null

// Longer than any label; folding a very long text would take too much time.
const maxNameLength = 255

/**
 * Returns a function that finds an id by its label in any language or by a synonym, ignoring case; of several ids the
 * lowest. The names are folded on the first call: most instances never need them.
 */
const finderOf = (table: Labels, synonyms: Synonyms = {}): ((name: string) => number | undefined) => {
  let ids: Map<string, number> | undefined
  const indexNames = (): Map<string, number> => {
    const names = Object.entries(table).flatMap(([id, label]) =>
      [...languages.map(language => labelIn(language, label)), ...(synonyms[id] ?? [])].map(
        name => [fold(name), Number(id)] as const,
      ),
    )
    // Of equal keys a map keeps the last.
    return new Map(names.reverse())
  }
  return name => {
    if (name.length > maxNameLength) return undefined
    ids ??= indexNames()
    return ids.get(fold(name.trim()))
  }
}

export type WineType = keyof typeof labels.winetypes

export const wineTypes = wordsOf<WineType>(labels.winetypes)

export type BottlingType = keyof typeof labels.bottlingtypes

export const bottlingTypes = wordsOf<BottlingType>(labels.bottlingtypes)

export const caps = ['screw', 'cork', 'crownCap', 'plastic', 'glas'] as const

export type Cap = (typeof caps)[number]

type IdIn<Key> = Key extends `${infer Id extends number}` ? Id : never

export type TasteId = IdIn<keyof typeof labels.tastes>

export const tasteIds: readonly number[] = idsOf(labels.tastes)

export const allergenIds: readonly number[] = idsOf(labels.allergens)

/** The words of `quality` by country code; countries without a table are missing. */
export const qualities: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(labels.qualitytypes).map(([country, words]) => [country, Object.keys(words)]),
)

/** True for a word of the country's table; without a table for any text that is not blank. */
export const isQualityOf = (countrycode: string, quality: string): boolean =>
  qualities.get(countrycode)?.includes(quality) ?? quality.trim() !== ''

/** True for 8, 12, 13 or 14 digits of which the last is the check digit of the others. */
export const isGtin = (text: string): boolean => {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const fromRight = [...text].toReversed().map(Number)
  return fromRight.reduce((sum, digit, place) => sum + (place % 2 ? 3 * digit : digit), 0) % 10 === 0
}

/** The grapes that have several names: for each grape its ids, and for each id its names, the label first. */
const grapesOfManyNames: readonly Synonyms[] = synonyms

/** A grape's name in a language; null for an id without a label, which may be a merchant's own grape. */
export const grapeName = (id: number, language: Language): string | null => labelOf(labels.grapetypes, id, language)

/** True if the interface's own table has the id, so that every shop's label file contains it. */
export const isInterfaceGrape = (id: number): boolean => id < 100_000 && grapeName(id, 'de') !== null

/** The id of a grape by its name in any language, synonyms included, ignoring case. */
export const grapeIdOf = finderOf(labels.grapetypes, Object.assign({}, ...grapesOfManyNames))

/** All ids of a grape by its name: `Shiraz` returns the ids of Syrah and Shiraz. Empty for an unknown name. */
export const grapeIdsOf = (name: string): number[] => {
  const id = grapeIdOf(name)
  if (id === undefined) return []
  return Object.keys(grapesOfManyNames.find(ids => id in ids) ?? { [id]: [] }).map(Number)
}

const regions: Readonly<Record<string, Labels>> = labels.wineregions

// From here on ids are this service's own. They name regions of countries that have none in the interface; such a country
// accepts other ids, too.
const firstOwnId = 100_000

const countryOf: ReadonlyMap<number, string> = new Map(
  Object.entries(regions).flatMap(([country, names]) => idsOf(names).map(id => [id, country] as const)),
)

/** The wine region ids by country code, ascending, of the countries for which the interface has a block of them. */
export const regionBlocks: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries(regions)
    .map(([country, names]) => [country, idsOf(names)] as const)
    .filter(([, ids]) => ids.some(id => id < firstOwnId)),
)

/**
 * True for an id of the country's block; without a block for any positive integer that is not a region of another country.
 */
export const isRegionOf = (countrycode: string, region: number): boolean => {
  if (!Number.isSafeInteger(region) || region < 1) return false
  const country = countryOf.get(region)
  return country === undefined ? !regionBlocks.has(countrycode) : country === countrycode
}

export const regionName = (countrycode: string, region: number, language: Language): string | null =>
  labelOf(Object.hasOwn(regions, countrycode) ? regions[countrycode] : undefined, region, language)

/** The id of a region by its name in any language, ignoring case. No two regions have the same name. */
export const regionIdOf = finderOf(Object.assign({}, ...Object.values(regions)))

/** The id of a region by its id or name; undefined for a name that no region of the country has. */
export const regionIn = (countrycode: string, region: number | string): number | undefined => {
  if (typeof region === 'number') return region
  const id = regionIdOf(region)
  return id !== undefined && isRegionOf(countrycode, id) ? id : undefined
}

/** The character bigrams of a name, with a space at both ends. */
const bigramsIn = (name: string): Set<string> => {
  const characters = [...` ${fold(name)} `]
  return new Set(characters.slice(1).map((character, n) => `${characters[n]}${character}`))
}

const maxNear = 5

/** The regions of the country that are spelled most like a wrong name, as text for a refusal. */
export const nearRegionsAsText = (countrycode: string, name: string): string => {
  const bigramsOfName = bigramsIn(name)
  const near = Object.entries((Object.hasOwn(regions, countrycode) && regions[countrycode]) || {})
    .flatMap(([id, label]) => languages.map(language => ({ id, spelled: labelIn(language, label) })))
    .map(({ id, spelled }) => {
      const bigrams = bigramsIn(spelled)
      return {
        id,
        spelled,
        likeness: [...bigrams].filter(bigram => bigramsOfName.has(bigram)).length / (bigramsOfName.size + bigrams.size),
      }
    })
    .toSorted((one, other) => other.likeness - one.likeness)
  // Both languages of a region may be near; the nearer label names it.
  const names = new Map(near.toReversed().map(({ id, spelled }) => [id, spelled]))
  const first = [...new Set(near.map(({ id }) => id))].slice(0, maxNear)
  if (first.length === 0) return regionsAsText(countrycode)
  return `a wine region of ${countrycode}, such as ${first.map(id => `${names.get(id)} (${id})`).join(', ')}`
}

const spansOf = (ids: readonly number[]): [first: number, last: number][] => {
  const spans: [first: number, last: number][] = []
  for (const id of ids) {
    const span = spans.at(-1)
    if (span?.[1] === id - 1) span[1] = id
    else spans.push([id, id])
  }
  return spans
}

/** The valid region ids of the country as text for a refusal: `2000-2007, 2009-2021`. */
export const regionsAsText = (countrycode: string): string => {
  const block = regionBlocks.get(countrycode)
  if (!block) return 'a positive whole number that is not a region of another country'
  return spansOf(block)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(', ')
}
