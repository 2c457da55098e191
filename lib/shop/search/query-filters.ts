import type { ListedWine } from '../records.ts'
import type { Filter } from '../wine-cache.ts'
import { fillers, lexicon, longestName, type Meaning, type WordFacet, wordFacets } from './lexicon.ts'
import { type Word, wordsIn } from './normalize.ts'

/** The facet values that a text names, and the words that remain to be searched for. */
export type ParsedQuery = { filter: Filter; rest: string }

/** The facet values of the shop's wines; regions and qualities with their country. */
export type Facets = ReadonlySet<string>

const facetKey = (facet: string, value: string | number, country = ''): string => `${facet} ${country} ${value}`

export const facetsOf = (wines: readonly ListedWine[]): Facets => {
  const facets = new Set<string>()
  for (const wine of wines) {
    for (const facet of wordFacets)
      for (const value of [wine[facet]].flat()) {
        const country = facet === 'region' || facet === 'quality' ? wine.countrycode : undefined
        if (value !== null) facets.add(facetKey(facet, value, country))
      }
    if (wine.vintage !== null) facets.add(facetKey('vintage', wine.vintage))
  }
  return facets
}

// German adjectives and plurals: italienischer, Rotweine. A stem of three letters would match too many words.
const endings = /(?<=.{4})(e[mnrs]?|s|n)$/

/** Returns the values of one facet that a normalized name means, limited to those of the shop's wines. */
export const meaningsOf = (name: string, facets: Facets): Meaning[] => {
  const [known = []] = [name, name.replace(endings, '')]
    .map(one =>
      (lexicon.get(one) ?? []).filter(({ facet, value, country }) => facets.has(facetKey(facet, value, country))),
    )
    .filter(meanings => meanings.length > 0)
  const whole = known.filter(({ isPart }) => !isPart)
  const best = whole.length > 0 ? whole : known
  const facet = wordFacets.find(one => best.some(meaning => meaning.facet === one))
  return best.filter(meaning => meaning.facet === facet)
}

type NameMatch = { length: number; values: (readonly [facet: WordFacet | 'vintage', value: string])[] }

/** Returns the longest name that begins at a word. */
const nameAt = (words: readonly Word[], at: number, facets: Facets): NameMatch | undefined => {
  for (let length = Math.min(longestName, words.length - at); length > 0; length--) {
    const name = words
      .slice(at, at + length)
      .map(({ word }) => word)
      .join(' ')
    const meanings = meaningsOf(name, facets)
    if (meanings.length > 0) {
      const countries = meanings.flatMap(({ country }) => (country ? [['countrycode', country] as const] : []))
      return { length, values: [...countries, ...meanings.map(({ facet, value }) => [facet, value] as const)] }
    }
    if (length === 1 && facets.has(facetKey('vintage', name))) return { length, values: [['vintage', name]] }
  }
  return undefined
}

/** Returns the remaining words as they were typed, with the characters between neighbours. */
const restOf = (text: string, words: readonly Word[], isTaken: readonly boolean[]): string => {
  const rest = words.filter(({ word }, n) => !isTaken[n] && !fillers.has(word))
  return rest
    .map((word, n) => {
      const before = rest[n - 1]
      const isNeighbour = before && words.indexOf(word) === words.indexOf(before) + 1
      return text.slice(isNeighbour ? before.to : word.from, word.to).replace(/^(?=\p{L}|\p{N})/u, ' ')
    })
    .join('')
    .trim()
}

/**
 * Turns words that name a country, region, type, taste, grape, quality or vintage of the shop's wines into filters, in
 * German or English, by label or synonym. A word without such a wine remains a search word.
 */
export const parseQuery = (text: string, facets: Facets): ParsedQuery => {
  const words = wordsIn(text)
  const isTaken = words.map(() => false)
  const filter: Record<string, string[]> = {}
  for (let at = 0; at < words.length; ) {
    const { length, values } = nameAt(words, at, facets) ?? { length: 1, values: [] }
    for (const [facet, value] of values)
      if (!filter[facet]?.includes(value)) filter[facet] = [...(filter[facet] ?? []), value]
    if (values.length > 0) isTaken.fill(true, at, at + length)
    at += length
  }
  return isTaken.includes(true) ? { filter, rest: restOf(text, words, isTaken) } : { filter, rest: text }
}
