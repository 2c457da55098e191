import { type Bits, hasBit, keepCommon, noBits, setBit } from './bits.ts'
import type { Lexicon, LexiconCore, Triples } from './lexicon.ts'
import { sortedPlaces } from './numbers.ts'
import { pairsAfter, pairsBefore, within } from './pairs.ts'
import { addPostings, eachPosting, entryCost, keepPostings, PostingsWriter } from './postings.ts'
import { numberFrom, varintLength } from './varint.ts'
import type { Stretch } from './vocabulary.ts'

/*
 * A pair tells which terms stand side by side. Where the term of two pairs stands more than once in a text, as stop words
 * do in most, they may stand in different places, and the text has to be looked at. So of such terms it is kept as well
 * which stand on both sides at once.
 */

/** Only of more rows than a request ever makes a segment of. Few rows are looked at in no time. */
const fewestRows = 8192

/** A term is a stop word where it stands twice and more in this part of the rows. */
const oftenRepeated = 1 / 8

/** Whether it is kept of a term what stands on both its sides at once. */
const isStopWord = ({ repeats }: LexiconCore, term: number): boolean =>
  repeats.rows >= fewestRows && (repeats.counts[term] as number) > oftenRepeated * repeats.rows

/** Calls for each stop word between two terms of its slot: the three, and the row. */
const eachTriple = (
  core: LexiconCore,
  act: (first: number, stop: number, third: number, row: number) => void,
): void => {
  const { slots, streams, stream } = core
  const isStop = Uint8Array.from(slots, (_, term) => (isStopWord(core, term) ? 1 : 0))
  for (let row = 0; row + 1 < streams.length; row++) {
    const end = streams[row + 1] as number
    let [first, stop] = [-1, -1]
    for (let at = streams[row] as number; at < end; ) {
      const third = numberFrom(stream, at)
      at += varintLength(third)
      if (first >= 0 && isStop[stop] === 1 && slots[first] === slots[stop] && slots[stop] === slots[third])
        act(first, stop, third, row)
      first = stop
      stop = third
    }
  }
}

/** What stands on both sides of stop words. */
export const triplesOf = (core: LexiconCore): Triples => {
  let count = 0
  if (core.rows.rows >= fewestRows) eachTriple(core, () => count++)
  const [pairs, thirds, rows] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let next = 0
  if (count > 0)
    eachTriple(core, (first, stop, third, row) => {
      pairs[next] = pairsAfter(core, first, { first: stop, end: stop + 1 }).first
      thirds[next] = third
      rows[next++] = row
    })
  const order = sortedPlaces(pairs, core.seconds.length, sortedPlaces(thirds, core.slots.length))
  const [own, last]: [number[], number[]] = [[], []]
  const writer = new PostingsWriter(core.rows.rows)
  for (let at = 0; at < count; ) {
    const [pair, third] = [pairs[order[at] as number] as number, thirds[order[at] as number] as number]
    const found: number[] = []
    for (; at < count && pairs[order[at] as number] === pair && thirds[order[at] as number] === third; at++) {
      const row = rows[order[at] as number] as number
      if (found.at(-1) !== row) found.push(row)
    }
    own.push(pair)
    last.push(third)
    writer.add(found)
  }
  return { triplePairs: Uint32Array.from(own), thirds: Uint32Array.from(last), tripleRows: writer.finish() }
}

/** A stop word between what stands on both its sides: a set's rows with it, and what finding them costs. */
export type Between = {
  isEmpty: boolean
  cost: number
  keep: (bits: Bits) => void
  /** Where just one term stands before it: rows in which different terms stand behind the two. */
  varied?: () => Bits
}

/** Rows in which a pair, whose triples are a stretch, has different terms behind it. */
const variedIn = ({ tripleRows }: Lexicon, { first, end }: Stretch): Bits => {
  const [seen, varied] = [noBits(tripleRows.rows), noBits(tripleRows.rows)]
  for (let n = first; n < end; n++) eachPosting(tripleRows, n, row => setBit(hasBit(seen, row) ? varied : seen, row))
  return varied
}

const variedAfter = (lexicon: Lexicon, pair: number, triples: Stretch): Bits => {
  lexicon.varied ??= new Map()
  const known = lexicon.varied.get(pair)
  if (known) return known
  const made = variedIn(lexicon, triples)
  lexicon.varied.set(pair, made)
  return made
}

// Of more pairs that begin alike each would be looked up by itself.
const mostPairs = 64

/**
 * A term between a stretch of the endings and a stretch of the terms; undefined where it is no stop word, or too much
 * stands before it.
 */
export const between = (lexicon: Lexicon, before: Stretch, term: number, after: Stretch): Between | undefined => {
  if (!isStopWord(lexicon, term)) return undefined
  const pairs = pairsBefore(lexicon, term, before)
  if (pairs.length > mostPairs) return undefined
  const { triplePairs, thirds, tripleRows } = lexicon
  const stretches = Array.from(pairs, pair => {
    const all = within(triplePairs, 0, triplePairs.length, { first: pair, end: pair + 1 })
    return { all, wanted: within(thirds, all.first, all.end, after) }
  })
  const found = stretches.map(({ wanted }) => wanted).filter(({ first, end }) => first < end)
  const [own] = stretches
  const bytesIn = (first: number, end: number) =>
    (tripleRows.starts[end] as number) - (tripleRows.starts[first] as number)
  const [only, ...others] = found
  const isOne = only !== undefined && others.length === 0 && only.end - only.first === 1
  return {
    isEmpty: only === undefined,
    cost: isOne
      ? entryCost(tripleRows, only.first)
      : found.reduce((sum, { first, end }) => sum + bytesIn(first, end) + end - first, 0),
    ...(own && stretches.length === 1 && { varied: () => variedAfter(lexicon, pairs[0] as number, own.all) }),
    keep: bits => {
      if (isOne) {
        keepPostings(bits, tripleRows, only.first)
        return
      }
      const any = noBits(tripleRows.rows)
      for (const { first, end } of found) for (let n = first; n < end; n++) addPostings(any, tripleRows, n)
      keepCommon(bits, any)
    },
  }
}
