import type { ListedWine } from '../records.ts'
import { lexicon } from './lexicon.ts'
import { normalize, wordsIn } from './normalize.ts'
import { type Facets, meaningsOf } from './query-filters.ts'

/** The normalized words of the shop's wines and labels, each as it is spelled, with its frequency. */
export type Vocabulary = ReadonlyMap<string, { spelling: string; count: number }>

const minLength = 4

export const vocabularyOf = (wines: readonly ListedWine[], facets: Facets): Vocabulary => {
  const vocabulary = new Map<string, { spelling: string; count: number }>()
  const add = (text: string) => {
    for (const { word, from, to } of wordsIn(text)) {
      if (word.length < minLength || /\d/.test(word)) continue
      const known = vocabulary.get(word)
      if (known) known.count++
      else vocabulary.set(word, { spelling: text.slice(from, to), count: 1 })
    }
  }
  for (const { name, place, winery } of wines) for (const text of [name, place, winery?.name]) if (text) add(text)
  for (const [name, meanings] of lexicon) if (meaningsOf(name, facets).length > 0) add(meanings[0]?.name ?? name)
  return vocabulary
}

/**
 * The edit distance of two words: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
 * Returns any number above `max` if it exceeds that.
 */
export const distance = (one: string, other: string, max: number): number => {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let rowBefore: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const substitution = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? (rowBefore[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + substitution, swapped))
    }
    rowBefore = row
    row = next
  }
  return row[other.length] ?? 0
}

/** Returns the nearest spelling, the most frequent first; undefined if the word is known or nothing is near. */
const correctionOf = (word: string, vocabulary: Vocabulary): string | undefined => {
  if (word.length < minLength || vocabulary.has(word)) return undefined
  const max = word.length < 6 ? 1 : 2
  let best = { spelling: undefined as string | undefined, count: 0, far: max + 1 }
  for (const [known, { spelling, count }] of vocabulary) {
    const far = distance(word, known, max)
    if (far < best.far || (far <= max && far === best.far && count > best.count)) best = { spelling, count, far }
  }
  return best.spelling
}

const maxWords = 12

/**
 * Returns alternatives to a text without hits: first with unknown words corrected, then only its known words, the last
 * word dropped each time. Only the first 12 words are read.
 */
export const respellings = (text: string, vocabulary: Vocabulary): string[] => {
  const known: string[] = []
  let end = 0
  let corrected = ''
  for (const { word, from, to } of wordsIn(text).slice(0, maxWords)) {
    const typed = text.slice(from, to)
    const spelling = correctionOf(word, vocabulary) ?? typed
    if (spelling !== typed || vocabulary.has(word) || lexicon.has(word)) known.push(spelling)
    corrected += text.slice(end, from) + spelling
    end = to
  }
  const all = [corrected, ...known.map((_, n) => known.slice(0, known.length - n).join(' '))]
  const seen = new Set([normalize(text)])
  return all.filter(one => !seen.has(normalize(one)) && seen.add(normalize(one)))
}
