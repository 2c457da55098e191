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

/** How a text compares to others: below zero when it comes before. */
const compareAt = (
  { bytes, starts }: Vocabulary,
  n: number,
  other: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): number => {
  const start = numberAt(starts, n)
  const end = Math.min(numberAt(starts, n + 1), start + most)
  return bytes.compare(other, 0, other.length, start, end)
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
  const [start, end] = [numberAt(starts, n), numberAt(starts, n + 1)]
  for (let back = 1; back <= other.length; back++) {
    if (end - back < start) return -1
    const difference = numberAt(bytes, end - back) - numberAt(other, other.length - back)
    if (difference !== 0) return difference
  }
  return 0
}

const compareBackwards = ({ bytes, starts }: Vocabulary, a: number, b: number): number => {
  const [startA, startB] = [numberAt(starts, a), numberAt(starts, b)]
  let [atA, atB] = [numberAt(starts, a + 1), numberAt(starts, b + 1)]
  while (atA > startA && atB > startB) {
    const difference = numberAt(bytes, --atA) - numberAt(bytes, --atB)
    if (difference !== 0) return difference
  }
  return atA - startA - (atB - startB)
}

/** The numbers of all texts in the order in which they stand when they are read from their ends. */
export const byEnding = (vocabulary: Vocabulary): Uint32Array =>
  Uint32Array.from({ length: sizeOf(vocabulary) }, (_, n) => n).sort((a, b) => compareBackwards(vocabulary, a, b))

/** The texts that end in some bytes, as a stretch of `byEnding`. */
export const endingIn = (vocabulary: Vocabulary, endings: Uint32Array, bytes: Uint8Array): Stretch => {
  const first = firstPlace(endings.length, n => compareEnd(vocabulary, numberAt(endings, n), bytes) >= 0)
  const more = firstPlace(endings.length - first, n => compareEnd(vocabulary, numberAt(endings, first + n), bytes) > 0)
  return { first, end: first + more }
}

/** Which texts hold a trigram: three bytes as one number; those of trigram n stand from `starts[n]` on. */
export type Trigrams = { numbers: Map<number, number>; starts: Uint32Array; texts: Uint32Array }

const trigramAt = (bytes: Uint8Array, at: number): number =>
  (numberAt(bytes, at) << 16) | (numberAt(bytes, at + 1) << 8) | numberAt(bytes, at + 2)

const eachTrigram = ({ bytes, starts }: Vocabulary, act: (trigram: number, text: number) => void): void => {
  for (let text = 0; text < starts.length - 1; text++) {
    for (let at = numberAt(starts, text); at + 3 <= numberAt(starts, text + 1); at++) act(trigramAt(bytes, at), text)
  }
}

/** The trigrams of a vocabulary; a text in which one stands twice is in its list twice. */
export const trigramsOf = (vocabulary: Vocabulary): Trigrams => {
  const numbers = new Map<number, number>()
  const counts: number[] = []
  eachTrigram(vocabulary, trigram => {
    const number = numbers.get(trigram) ?? counts.push(0) - 1
    numbers.set(trigram, number)
    counts[number] = (counts[number] ?? 0) + 1
  })
  const starts = new Uint32Array(counts.length + 1)
  for (const [number, count] of counts.entries()) starts[number + 1] = numberAt(starts, number) + count
  const ends = starts.slice(0, -1)
  const texts = new Uint32Array(starts[counts.length] ?? 0)
  eachTrigram(vocabulary, (trigram, text) => {
    const number = numbers.get(trigram) ?? 0
    const end = numberAt(ends, number)
    texts[end] = text
    ends[number] = end + 1
  })
  return { numbers, starts, texts }
}

/** Whether a text holds some bytes. Texts are a few bytes long: a call of anything quicker would take longer. */
const holds = ({ bytes, starts }: Vocabulary, text: number, needle: Uint8Array): boolean => {
  const last = numberAt(starts, text + 1) - needle.length
  const [first] = needle
  for (let at = numberAt(starts, text); at <= last; at++) {
    if (bytes[at] !== first) continue
    let same = 1
    while (same < needle.length && bytes[at + same] === needle[same]) same++
    if (same === needle.length) return true
  }
  return false
}

/** The texts that hold one or two bytes: what no trigram finds. */
const shortlyContaining = (vocabulary: Vocabulary, needle: Uint8Array): number[] => {
  const found: number[] = []
  for (let text = 0; text < sizeOf(vocabulary); text++) if (holds(vocabulary, text, needle)) found.push(text)
  return found
}

/** The texts that hold some bytes, ascending. */
export const containing = (vocabulary: Vocabulary, { numbers, starts, texts }: Trigrams, needle: Buffer): number[] => {
  if (needle.length < 3) return shortlyContaining(vocabulary, needle)
  let rarest: Uint32Array | undefined
  for (let at = 0; at + 3 <= needle.length; at++) {
    const number = numbers.get(trigramAt(needle, at))
    if (number === undefined) return []
    const list = texts.subarray(starts[number], starts[number + 1])
    if (!rarest || list.length < rarest.length) rarest = list
  }
  const found: number[] = []
  let last = -1
  for (const text of rarest ?? []) {
    if (text !== last && (needle.length === 3 || holds(vocabulary, text, needle))) found.push(text)
    last = text
  }
  return found
}

export const vocabularyBytes = ({ bytes, starts }: Vocabulary): number => bytes.length + starts.byteLength
