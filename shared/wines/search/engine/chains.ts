import { addBits, allBits, type Bits, countBits, dropBit, dropCommon, eachBit, keepCommon, noBits } from './bits.ts'
import type { Lexicon } from './lexicon.ts'
import { endingPlaceOf, isEndingIn, type Side, sideAfter, sideBefore } from './pairs.ts'
import { addPostings, keepPostings, type Postings, postingBits } from './postings.ts'
import { numberBefore, numberFrom, varints } from './varint.ts'
import type { Stretch } from './vocabulary.ts'

/**
 * A phrase over three terms and more in one slot: it begins in the end of a term, the ones in between are whole, and it
 * ends in the beginning of a term.
 */
export type Chain = { ending: Stretch; middle: readonly number[]; last: Stretch; slot: number }

/** Tells of rows whether they have a chain, and not only its pairs in several places. */
const chainIn = (lexicon: Lexicon, { ending, middle, last, slot }: Chain): ((row: number) => boolean) => {
  const isFirst = isEndingIn(lexicon, ending)
  const { slots, streams, stream } = lexicon
  // What is looked for is the middle terms as the stream has them.
  const needle = varints(middle)
  const [head = 0] = needle
  const isAt = (at: number, start: number, end: number): boolean => {
    for (let n = 1; n < needle.length; n++) if (stream[at + n] !== needle[n]) return false
    const next = at + needle.length
    // It has neighbours, and does not begin within a number.
    if (at === start || next >= end || (stream[at - 1] as number) > 127) return false
    const [before, after] = [numberBefore(stream, at, start), numberFrom(stream, next)]
    return slots[before] === slot && slots[after] === slot && isFirst(before) && after >= last.first && after < last.end
  }
  return row => {
    const [start, end] = [streams[row] as number, streams[row + 1] as number]
    for (let at = start; at < end; at++) if (stream[at] === head && isAt(at, start, end)) return true
    return false
  }
}

/** A middle term of a chain, and what stands on both sides of it; before it that is told only where it is asked for. */
type Joint = { term: number; before: () => Side; after: Side }

const just = (place: number): Stretch => ({ first: place, end: place + 1 })

const jointsOf = (lexicon: Lexicon, { ending, middle, last }: Chain): Joint[] =>
  middle.map((term, n) => {
    const [former, next] = [middle[n - 1], middle[n + 1]]
    return {
      term,
      before: () => sideBefore(lexicon, term, former === undefined ? ending : just(endingPlaceOf(lexicon, former))),
      after: sideAfter(lexicon, term, next === undefined ? last : just(next)),
    }
  })

/** What looking at the text of a row costs, in the unit of the costs of sides. */
const lookCost = ({ streams, stream }: Lexicon): number => 1 + stream.length / streams.length

/** What joins two terms of a chain: the side of a joint, and the rows in which its term has nothing on that side. */
type Link = { term: number; side: Side; edges: Postings; cost: number }

/** What it costs to find the rows of a link by what else its term has: that, and several sets of all rows. */
const costByOthers = ({ othersCost }: Side, { rows }: Postings): number => othersCost + rows / 8

const linksOf = (lexicon: Lexicon, joints: readonly Joint[]): Link[] => {
  const { begins, ends } = lexicon
  const linkOf = (term: number, side: Side, edges: Postings): Link => ({
    ...{ term, side, edges },
    cost: Math.min(side.wantedCost, costByOthers(side, edges)),
  })
  return joints.flatMap(({ term, before, after }, n) => [
    ...(n === 0 ? [linkOf(term, before(), begins)] : []),
    linkOf(term, after, ends),
  ])
}

/**
 * Leaves the rows in which a link is, and at most others in which its term is repeated: these are added to `unsure`.
 * Where a term mostly has what is wanted, it costs less to find the rows in which it has something else.
 */
const keepLinked = (lexicon: Lexicon, found: Bits, { term, side, edges }: Link, unsure: Bits): void => {
  if (side.wantedCost <= costByOthers(side, edges)) {
    side.keepWanted(found)
    return
  }
  const without = postingBits(edges, term)
  side.addOthers(without)
  keepPostings(found, lexicon.rows, term)
  const repeated = postingBits(lexicon.repeats, term)
  const never = without.slice()
  dropCommon(never, repeated)
  dropCommon(found, never)
  keepCommon(without, repeated)
  addBits(unsure, without)
}

/** Whether a term mostly has something else than what is wanted. */
const isMostlyOther = ({ wantedRows, othersCost }: Side): boolean => othersCost > wantedRows

/** Of rows in which a term is repeated, those in which it may not have what is wanted on one side every time. */
const notAlways = (lexicon: Lexicon, repeated: Bits, term: number, side: Side, edges: Postings): Bits => {
  // Where it mostly has something else, which rows those are is not worth the work.
  if (isMostlyOther(side) || side.othersCost > countBits(repeated) * lookCost(lexicon)) return repeated
  const without = postingBits(edges, term)
  side.addOthers(without)
  keepCommon(without, repeated)
  return without
}

/** The unions of the first sets: of none, of one, and so on to all. */
const unions = (sets: readonly Bits[], rows: number): Bits[] => {
  const all = [noBits(rows)]
  for (const set of sets) {
    const union = (all.at(-1) as Bits).slice()
    addBits(union, set)
    all.push(union)
  }
  return all
}

/**
 * Of some rows those in which the pairs of a chain may stand in different places, at most. A pair leads to the chain to
 * its right where each term there always has the next one behind it, and to its left where each always has the former one
 * before it. So a row is sure if there is one place in the chain to both sides of which this holds.
 */
const unsureAmong = (lexicon: Lexicon, joints: readonly Joint[], rows: Bits): Bits => {
  const sides = joints.map(({ term, before, after }) => {
    const repeated = postingBits(lexicon.repeats, term)
    keepCommon(repeated, rows)
    if (countBits(repeated) === 0) return { before: repeated, after: repeated }
    return {
      before: notAlways(lexicon, repeated, term, before(), lexicon.begins),
      after: notAlways(lexicon, repeated, term, after, lexicon.ends),
    }
  })
  const count = lexicon.rows.rows
  const toLeft = unions(
    sides.map(({ before }) => before),
    count,
  )
  const toRight = unions(sides.map(({ after }) => after).toReversed(), count)
  const unsure = allBits(count)
  for (const [place, left] of toLeft.entries()) {
    const bits = left.slice()
    addBits(bits, toRight[joints.length - place] as Bits)
    keepCommon(unsure, bits)
  }
  return unsure
}

/** Of some rows those in which a term is repeated that mostly has something else on both sides: nothing makes them sure. */
const hopelessAmong = (lexicon: Lexicon, joints: readonly Joint[], rows: Bits): Bits => {
  const hopeless = noBits(lexicon.rows.rows)
  for (const { term, before, after } of joints) {
    if (isMostlyOther(after) && isMostlyOther(before())) addPostings(hopeless, lexicon.repeats, term)
  }
  keepCommon(hopeless, rows)
  return hopeless
}

// So many rows are looked at sooner than it takes to find out which of them need not be.
const fewRows = 256

// Where fewer than this part of them can become sure, that is not tried.
const worthTrying = 1 / 4

const mayBeSure = (lexicon: Lexicon, joints: readonly Joint[], rows: Bits): boolean => {
  const count = countBits(rows)
  return count > fewRows && countBits(hopelessAmong(lexicon, joints, rows)) < (1 - worthTrying) * count
}

/** The rows that are to be looked at, of those that have all links, but for what is unsure already. */
const unsureOf = (lexicon: Lexicon, joints: readonly Joint[], found: Bits, unsure: Bits): Bits => {
  // Only where a middle term stands twice may the pairs stand in different places.
  const repeated = noBits(lexicon.rows.rows)
  for (const { term } of joints) addPostings(repeated, lexicon.repeats, term)
  keepCommon(repeated, found)
  const all = mayBeSure(lexicon, joints, repeated) ? unsureAmong(lexicon, joints, repeated) : repeated
  addBits(all, unsure)
  keepCommon(all, found)
  return all
}

/** The rows with a chain; undefined when there is none. */
export const rowsWithChain = (lexicon: Lexicon, chain: Chain): Bits | undefined => {
  const joints = jointsOf(lexicon, chain)
  const links = linksOf(lexicon, joints).sort((a, b) => a.cost - b.cost)
  if (links.some(({ side }) => side.isEmpty)) return undefined
  const { rows } = lexicon.rows
  const look = lookCost(lexicon)
  const [found, unsure] = [allBits(rows), noBits(rows)]
  // Few rows are looked at sooner than the next link is read.
  const isWorthIt = ({ cost }: Link) => cost < countBits(found) * look
  let linked = 0
  for (; linked < links.length; linked++) {
    const link = links[linked] as Link
    if (!isWorthIt(link)) break
    keepLinked(lexicon, found, link, unsure)
  }
  const hasChain = chainIn(lexicon, chain)
  eachBit(linked < links.length ? found.slice() : unsureOf(lexicon, joints, found, unsure), row => {
    if (!hasChain(row)) dropBit(found, row)
  })
  return found
}
