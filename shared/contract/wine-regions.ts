import { fold } from '../values/text.ts'
import { finderOf, idsOf, type Labels, type Language, labelIn, labelOf, labels, languages } from './labels.ts'

const regions: Readonly<Record<string, Labels>> = labels.wineregions

// From here on ids are this service's own. They name regions of countries for which the interface has none, and do not
// keep such a country from having others.
const firstOwnId = 100_000

const countryOf: ReadonlyMap<number, string> = new Map(
  Object.entries(regions).flatMap(([country, names]) => idsOf(names).map(id => [id, country] as const)),
)

/** The wine region ids by country code, rising, of the countries for which the interface has a block of them. */
export const regionBlocks: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries(regions)
    .map(([country, names]) => [country, idsOf(names)] as const)
    .filter(([, ids]) => ids.some(id => id < firstOwnId)),
)

/**
 * Whether the region lies in the country: an id of the country's block; where it has none, any positive integer that is
 * no other country's region.
 */
export const isRegionOf = (countrycode: string, region: number): boolean => {
  if (!Number.isSafeInteger(region) || region < 1) return false
  const country = countryOf.get(region)
  return country === undefined ? !regionBlocks.has(countrycode) : country === countrycode
}

/** A region's name in a language; null where it has none. */
export const regionName = (countrycode: string, region: number, language: Language): string | null =>
  labelOf(Object.hasOwn(regions, countrycode) ? regions[countrycode] : undefined, region, language)

/** The id of the region with a name, in any language and in either case. No two regions have one name. */
export const regionIdOf = finderOf(Object.assign({}, ...Object.values(regions)))

/** The region of a country that an id or a name means; undefined for a name that no region of the country has. */
export const regionIn = (countrycode: string, region: number | string): number | undefined => {
  if (typeof region === 'number') return region
  const id = regionIdOf(region)
  return id !== undefined && isRegionOf(countrycode, id) ? id : undefined
}

/** The pairs of neighbouring characters in a name, its ends included. */
const pairsIn = (name: string): Set<string> => {
  const characters = [...` ${fold(name)} `]
  return new Set(characters.slice(1).map((character, n) => `${characters[n]}${character}`))
}

const mostNear = 5

/** What a name should have been, as text for people: the regions of the country that are spelled most like it. */
export const nearRegionsInWords = (countrycode: string, name: string): string => {
  const wanted = pairsIn(name)
  const near = Object.entries((Object.hasOwn(regions, countrycode) && regions[countrycode]) || {})
    .flatMap(([id, label]) => languages.map(language => ({ id, spelled: labelIn(language, label) })))
    .map(({ id, spelled }) => {
      const pairs = pairsIn(spelled)
      return { id, spelled, likeness: [...pairs].filter(pair => wanted.has(pair)).length / (wanted.size + pairs.size) }
    })
    .toSorted((one, other) => other.likeness - one.likeness)
  // Both languages of a region may be near; the nearer one names it.
  const names = new Map(near.toReversed().map(({ id, spelled }) => [id, spelled]))
  const first = [...new Set(near.map(({ id }) => id))].slice(0, mostNear)
  if (first.length === 0) return regionsInWords(countrycode)
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

/** What a region of the country must be, as text for people: `2000-2007, 2009-2021`. */
export const regionsInWords = (countrycode: string): string => {
  const block = regionBlocks.get(countrycode)
  if (!block) return 'a positive whole number that is not a region of another country'
  return spansOf(block)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(', ')
}
