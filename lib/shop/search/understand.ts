import type { ListedWine } from '../records.ts'
import { fillers, lexicon, longestName, type Meaning, type WordFacet, wordFacets } from './lexicon.ts'
import { type Word, wordsIn } from './plain.ts'

/** Values of fields, as a filter has them. */
export type Filter = Readonly<Record<string, readonly string[]>>

/** What a text asks for: the values that its words name, and the words that are left to be searched for. */
export type Understood = { filter: Filter; rest: string }

/** The values that the shop has wines of, by facet; those of a country with it. */
export type Sold = ReadonlySet<string>

const placed = (facet: string, value: string | number, country = ''): string => `${facet} ${country} ${value}`

/** The values of wines that words can name. */
export const soldIn = (wines: readonly ListedWine[]): Sold => {
  const sold = new Set<string>()
  for (const wine of wines) {
    for (const facet of wordFacets)
      for (const value of [wine[facet]].flat()) {
        const country = facet === 'region' || facet === 'quality' ? wine.countrycode : undefined
        if (value !== null) sold.add(placed(facet, value, country))
      }
    if (wine.vintage !== null) sold.add(placed('vintage', wine.vintage))
  }
  return sold
}

// German adjectives and plurals: italienischer, Rotweine. A stem of three letters would be found in too many words.
const endings = /(?<=.{4})(e[mnrs]?|s|n)$/

/** What a name, in plain form, means of what the shop has wines of. */
export const meaningsOf = (name: string, sold: Sold): Meaning[] => {
  const [known = []] = [name, name.replace(endings, '')]
    .map(one => (lexicon.get(one) ?? []).filter(({ facet, value, country }) => sold.has(placed(facet, value, country))))
    .filter(meanings => meanings.length > 0)
  const own = known.filter(({ isPart }) => !isPart)
  const nearest = own.length > 0 ? own : known
  const facet = wordFacets.find(one => nearest.some(meaning => meaning.facet === one))
  return nearest.filter(meaning => meaning.facet === facet)
}

type Found = { words: number; values: [facet: WordFacet | 'vintage', value: string][] }

/** The longest name that begins at a word, and what it means. */
const nameAt = (words: readonly Word[], at: number, sold: Sold): Found | undefined => {
  for (let length = Math.min(longestName, words.length - at); length > 0; length--) {
    const name = words
      .slice(at, at + length)
      .map(({ plain }) => plain)
      .join(' ')
    const meanings = meaningsOf(name, sold)
    if (meanings.length > 0) {
      const countries = meanings.flatMap(({ country }) => (country ? [['countrycode', country] as const] : []))
      const values = meanings.map(({ facet, value }) => [facet, value] as const)
      return { words: length, values: [...countries, ...values].map(([facet, value]) => [facet, value]) }
    }
    if (length === 1 && sold.has(placed('vintage', name))) return { words: 1, values: [['vintage', name]] }
  }
  return undefined
}

/** The words that are left, as they were typed; those that were side by side stay so. */
const restOf = (text: string, words: readonly Word[], isTaken: readonly boolean[]): string => {
  const left = words.filter(({ plain }, n) => !isTaken[n] && !fillers.has(plain))
  return left
    .map((word, n) => {
      const before = left[n - 1]
      const isBeside = before && words.indexOf(word) === words.indexOf(before) + 1
      return text.slice(isBeside ? before.to : word.from, word.to).replace(/^(?=\p{L}|\p{N})/u, ' ')
    })
    .join('')
    .trim()
}

/**
 * Understands the words of a text that name a country, region, type, taste, grape, quality or vintage of the shop's wines, in
 * German or English, by label or synonym; a word of which the shop has no wine is searched for like any other.
 */
export const understood = (text: string, sold: Sold): Understood => {
  const words = wordsIn(text)
  const isTaken = words.map(() => false)
  const filter: Record<string, string[]> = {}
  let at = 0
  while (at < words.length) {
    const found = nameAt(words, at, sold)
    for (const [facet, value] of found?.values ?? [])
      if (!filter[facet]?.includes(value)) filter[facet] = [...(filter[facet] ?? []), value]
    if (found) isTaken.fill(true, at, at + found.words)
    at += found?.words ?? 1
  }
  return isTaken.includes(true) ? { filter, rest: restOf(text, words, isTaken) } : { filter, rest: text }
}
