import { firstPlace, numberAt } from './numbers.ts'

/** Texts in ascending order of their UTF-8: text n is the bytes from `starts[n]` up to `starts[n + 1]`. */
export type Vocabulary = { bytes: Buffer; starts: Uint32Array }

/** A stretch of a vocabulary: from the first text up to, without, the end. */
export type Stretch = { first: number; end: number }

/** A vocabulary of texts that are in order. */
export const vocabularyOf = (texts: readonly Uint8Array[]): Vocabulary => {
  const starts = new Uint32Array(texts.length + 1)
  for (const [n, { length }] of texts.entries()) starts[n + 1] = numberAt(starts, n) + length
  const bytes = Buffer.allocUnsafeSlow(starts[texts.length] ?? 0)
  for (const [n, text] of texts.entries()) bytes.set(text, starts[n])
  return { bytes, starts }
}

/** The number of texts. */
export const sizeOf = ({ starts }: Vocabulary): number => starts.length - 1

/** The bytes of a text. */
export const textAt = ({ bytes, starts }: Vocabulary, n: number): Buffer => bytes.subarray(starts[n], starts[n + 1])

/**
 * How a text compares to another one: below zero when it comes before. Few bytes tell that, sooner than a call of what
 * compares buffers.
 */
const compareAt = (
  { bytes, starts }: Vocabulary,
  n: number,
  other: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): number => {
  const start = starts[n]
  const length = Math.min(starts[n + 1] - start, most)
  const common = Math.min(length, other.length)
  for (let at = 0; at < common; at++) {
    const difference = bytes[start + at] - other[at]
    if (difference !== 0) return difference
  }
  return length - other.length
}

/** The texts that begin with some bytes. */
export const beginningWith = (vocabulary: Vocabulary, bytes: Uint8Array): Stretch => {
  const first = firstPlace(sizeOf(vocabulary), n => compareAt(vocabulary, n, bytes) >= 0)
  const more = firstPlace(sizeOf(vocabulary) - first, n => compareAt(vocabulary, first + n, bytes, bytes.length) > 0)
  return { first, end: first + more }
}

/** The texts that are just these bytes; several where texts stand more than once. */
export const equalTo = (vocabulary: Vocabulary, bytes: Uint8Array): Stretch => {
  const first = firstPlace(sizeOf(vocabulary), n => compareAt(vocabulary, n, bytes) >= 0)
  let end = first
  while (end < sizeOf(vocabulary) && compareAt(vocabulary, end, bytes) === 0) end++
  return { first, end }
}

/** How a text read from its end compares to bytes read from theirs; 0 where it ends in them. */
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

/** The numbers of all texts in the order in which they stand when they are read from their ends. */
export const byEnding = (vocabulary: Vocabulary): Uint32Array =>
  new Uint32Array(sizeOf(vocabulary)).map((_, n) => n).sort((a, b) => compareBackwards(vocabulary, a, b))

/** The texts that end in some bytes, as a stretch of `byEnding`. */
export const endingIn = (vocabulary: Vocabulary, endings: Uint32Array, bytes: Uint8Array): Stretch => {
  const first = firstPlace(endings.length, n => compareEnd(vocabulary, numberAt(endings, n), bytes) >= 0)
  const more = firstPlace(endings.length - first, n => compareEnd(vocabulary, numberAt(endings, first + n), bytes) > 0)
  return { first, end: first + more }
}

/** Whether a text holds some bytes. Texts are a few bytes long: a call of anything quicker would take longer. */
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

/** The texts that hold some bytes, ascending; looks at each of them. */
export const containing = (vocabulary: Vocabulary, needle: Uint8Array): number[] => {
  const found: number[] = []
  for (let text = 0; text < sizeOf(vocabulary); text++) if (holds(vocabulary, text, needle)) found.push(text)
  return found
}
