import type { ListedWine } from '../records.ts'
import { lexicon } from './lexicon.ts'
import { plain, wordsIn } from './plain.ts'
import { meaningsOf, type Sold } from './understand.ts'

/** The words of a shop's wines and labels: how each is written, and how often. */
export type Vocabulary = ReadonlyMap<string, { written: string; times: number }>

const shortest = 4

/** The words by which a shop's wines can be found. */
export const vocabularyOf = (wines: readonly ListedWine[], sold: Sold): Vocabulary => {
  const vocabulary = new Map<string, { written: string; times: number }>()
  const add = (text: string) => {
    for (const { plain: word, from, to } of wordsIn(text)) {
      if (word.length < shortest || /\d/.test(word)) continue
      const known = vocabulary.get(word)
      if (known) known.times++
      else vocabulary.set(word, { written: text.slice(from, to), times: 1 })
    }
  }
  for (const { name, place, winery } of wines) for (const text of [name, place, winery?.name]) if (text) add(text)
  for (const [name, meanings] of lexicon) if (meaningsOf(name, sold).length > 0) add(meanings[0]?.name ?? name)
  return vocabulary
}

/**
 * How many letters of two words differ: left out, too many, another one, or two neighbours that changed places. Any number
 * above `most` where there are more than that.
 */
export const distance = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let earlier: number[] = []
  let before = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isOther = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? (earlier[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + isOther, swapped))
    }
    earlier = before
    before = row
  }
  return before[other.length] ?? 0
}

/** The word of a vocabulary that is written most like one; undefined where it has the word itself, or none that is near. */
const nearest = (word: string, vocabulary: Vocabulary): string | undefined => {
  if (word.length < shortest || vocabulary.has(word)) return undefined
  const most = word.length < 6 ? 1 : 2
  let best: { written: string; times: number; far: number } | undefined
  for (const [known, { written, times }] of vocabulary) {
    const far = distance(word, known, most)
    if (far > most) continue
    if (!best || far < best.far || (far === best.far && times > best.times)) best = { written, times, far }
  }
  return best?.written
}

const mostWords = 12

/**
 * What else a text that finds nothing may be: each word that the vocabulary lacks as the nearest that it has; then only the
 * words that it has, and fewer and fewer of them. Only the first words of a long text are read.
 */
export const respellings = (text: string, vocabulary: Vocabulary): string[] => {
  const known: string[] = []
  let end = 0
  let spelled = ''
  for (const { plain: word, from, to } of wordsIn(text).slice(0, mostWords)) {
    const typed = text.slice(from, to)
    const right = nearest(word, vocabulary) ?? typed
    if (right !== typed || vocabulary.has(word) || lexicon.has(word)) known.push(right)
    spelled += text.slice(end, from) + right
    end = to
  }
  const all = [spelled, ...known.map((_, n) => known.slice(0, known.length - n).join(' '))]
  const seen = new Set([plain(text)])
  return all.filter(one => !seen.has(plain(one)) && seen.add(plain(one)))
}
