import { lowerBound, numberAt } from './numbers.ts'

/** Texts in ascending order of their UTF-8: text n has the bytes from `starts[n]` up to `starts[n + 1]`. */
export type Vocabulary = { bytes: Buffer; starts: Uint32Array }

/** Consecutive texts of a vocabulary: from `first` up to, but excluding, `end`. */
export type TermRange = { first: number; end: number }

/** A vocabulary of sorted texts. */
export const vocabularyOf = (texts: readonly Uint8Array[]): Vocabulary => {
  const starts = new Uint32Array(texts.length + 1)
  for (const [n, { length }] of texts.entries()) starts[n + 1] = numberAt(starts, n) + length
  const bytes = Buffer.allocUnsafeSlow(starts[texts.length] ?? 0)
  for (const [n, text] of texts.entries()) bytes.set(text, starts[n])
  return { bytes, starts }
}

export const sizeOf = ({ starts }: Vocabulary): number => starts.length - 1

export const textAt = ({ bytes, starts }: Vocabulary, n: number): Buffer => bytes.subarray(starts[n], starts[n + 1])

/** Compares a text with other bytes, up to `max` bytes of it. Faster than Buffer.compare, as few bytes decide. */
const compareAt = (
  { bytes, starts }: Vocabulary,
  n: number,
  other: Uint8Array,
  max = Number.POSITIVE_INFINITY,
): number => {
  const start = starts[n]
  const length = Math.min(starts[n + 1] - start, max)
  const common = Math.min(length, other.length)
  for (let at = 0; at < common; at++) {
    const difference = bytes[start + at] - other[at]
    if (difference !== 0) return difference
  }
  return length - other.length
}

/** The texts that begin with some bytes. */
export const beginningWith = (vocabulary: Vocabulary, bytes: Uint8Array): TermRange => {
  const first = lowerBound(sizeOf(vocabulary), n => compareAt(vocabulary, n, bytes) >= 0)
  const more = lowerBound(sizeOf(vocabulary) - first, n => compareAt(vocabulary, first + n, bytes, bytes.length) > 0)
  return { first, end: first + more }
}

/** The texts equal to some bytes; several if a text is repeated. */
export const equalTo = (vocabulary: Vocabulary, bytes: Uint8Array): TermRange => {
  const first = lowerBound(sizeOf(vocabulary), n => compareAt(vocabulary, n, bytes) >= 0)
  let end = first
  while (end < sizeOf(vocabulary) && compareAt(vocabulary, end, bytes) === 0) end++
  return { first, end }
}

/** Compares a text with other bytes, both read backwards; 0 if it ends with them. */
const compareEnd = ({ bytes, starts }: Vocabulary, n: number, other: Uint8Array): number => {
  const [start, end] = [starts[n], starts[n + 1]]
  for (let back = 1; back <= other.length; back++) {
    if (end - back < start) return -1
    const difference = bytes[end - back] - other[other.length - back]
    if (difference !== 0) return difference
  }
  return 0
}

const compareBackwards = ({ bytes, starts }: Vocabulary, a: number, b: number): number => {
  const [startA, startB] = [starts[a], starts[b]]
  let [atA, atB] = [starts[a + 1], starts[b + 1]]
  while (atA > startA && atB > startB) {
    const difference = bytes[--atA] - bytes[--atB]
    if (difference !== 0) return difference
  }
  return atA - startA - (atB - startB)
}

/** The numbers of all texts, sorted by the texts read backwards. */
export const byEnding = (vocabulary: Vocabulary): Uint32Array =>
  new Uint32Array(sizeOf(vocabulary)).map((_, n) => n).sort((a, b) => compareBackwards(vocabulary, a, b))

/** The texts that end with some bytes, as a range of `byEnding`. */
export const endingIn = (vocabulary: Vocabulary, endings: Uint32Array, bytes: Uint8Array): TermRange => {
  const first = lowerBound(endings.length, n => compareEnd(vocabulary, numberAt(endings, n), bytes) >= 0)
  const more = lowerBound(endings.length - first, n => compareEnd(vocabulary, numberAt(endings, first + n), bytes) > 0)
  return { first, end: first + more }
}

/** True if a text contains some bytes. Texts are a few bytes long: a call of anything faster would take longer. */
export const holds = ({ bytes, starts }: Vocabulary, text: number, needle: Uint8Array): boolean => {
  const last = starts[text + 1] - needle.length
  const [first] = needle
  for (let at = starts[text]; at <= last; at++) {
    if (bytes[at] !== first) continue
    let same = 1
    while (same < needle.length && bytes[at + same] === needle[same]) same++
    if (same === needle.length) return true
  }
  return false
}

/** The texts that contain some bytes, ascending; a linear scan. */
export const textsContaining = (vocabulary: Vocabulary, needle: Uint8Array): number[] => {
  const found: number[] = []
  for (let text = 0; text < sizeOf(vocabulary); text++) if (holds(vocabulary, text, needle)) found.push(text)
  return found
}
