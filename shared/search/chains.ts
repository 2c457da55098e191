import { addBits, allBits, type Bits, countBits, dropBit, dropCommon, eachBit, keepCommon, noBits } from './bits.ts'
import type { Lexicon } from './lexicon.ts'
import { endingPlaceOf, isEndingIn, type Side, sideAfter, sideBefore } from './pairs.ts'
import { keepPostings, type Postings, postingBits } from './postings.ts'
import { type Between, between } from './triples.ts'
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
  const needle = Buffer.from(varints(middle)).toString('latin1')
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  const isAt = (at: number, start: number, end: number): boolean => {
    const next = at + needle.length
    // It has neighbours, and does not begin within a number.
    if (at === start || next >= end || (stream[at - 1] as number) > 127) return false
    const [before, after] = [numberBefore(stream, at, start), numberFrom(stream, next)]
    return slots[before] === slot && slots[after] === slot && isFirst(before) && after >= last.first && after < last.end
  }
  return place => {
    const [start, end] = [streams[place] as number, streams[place + 1] as number]
    // As text, each byte a character: of all ways to find a few bytes in some hundred this one takes least.
    const row = bytes.toString('latin1', start, end)
    for (let at = row.indexOf(needle); at >= 0; at = row.indexOf(needle, at + 1))
      if (isAt(start + at, start, end)) return true
    return false
  }
}

/** A middle term of a chain, and what stands on both sides of it; before it that is told only where it is asked for. */
type Joint = { term: number; before: () => Side; after: Side; between: Between | undefined }

const just = (place: number): Stretch => ({ first: place, end: place + 1 })

const jointsOf = (lexicon: Lexicon, { ending, middle, last }: Chain): Joint[] =>
  middle.map((term, n) => {
    const [former, next] = [middle[n - 1], middle[n + 1]]
    const before = former === undefined ? ending : just(endingPlaceOf(lexicon, former))
    const after = next === undefined ? last : just(next)
    return {
      term,
      before: () => sideBefore(lexicon, term, before),
      after: sideAfter(lexicon, term, after),
      between: between(lexicon, before, term, after),
    }
  })

/** What looking at the text of a row costs, in the unit of the costs of sides. */
const lookCost = ({ streams, stream }: Lexicon): number => 1 + stream.length / streams.length

/** What joins two terms of a chain: the side of a joint, and the rows in which its term has nothing on that side. */
type Link = { term: number; side: Side; edges: Postings }

/** What it costs to find the rows of a link by what else its term has: that, and several sets of all rows. */
const costByOthers = ({ othersCost }: Side, { rows }: Postings): number => othersCost + rows / 8

const costOf = ({ side, edges }: Link): number => Math.min(side.wantedCost, costByOthers(side, edges))

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
 * Two or three neighbours in a chain, of which it is known where they stand side by side: the places of the first one and
 * of the last one, the ending being -1, and how to find the rows with them.
 */
type Piece = {
  from: number
  to: number
  isEmpty: boolean
  cost: number
  keep: (found: Bits, unsure: Bits) => void
  /** Of three neighbours: rows in which different terms stand behind the first two. */
  varied?: () => Bits
}

/** The pieces of a chain from its beginning on, each of which overlaps the next one. */
const piecesOf = (lexicon: Lexicon, joints: readonly Joint[]): Piece[] => {
  const { begins, ends } = lexicon
  /** What joins a place to the next one. */
  const links = [-1, ...joints.keys()].map((place): Link => {
    const { term, before, after } = joints[Math.max(place, 0)] as Joint
    return place < 0 ? { term, side: before(), edges: begins } : { term, side: after, edges: ends }
  })
  const costs = links.map(costOf)
  const isStop = joints.map(
    ({ between }, n) => between && between.cost <= (costs[n] as number) + (costs[n + 1] as number),
  )
  return links.flatMap((link, n): Piece[] => {
    const from = n - 1
    const stop = isStop[n] ? joints[n]?.between : undefined
    const pair = { from, to: n, isEmpty: link.side.isEmpty, cost: costs[n] as number }
    return [
      ...(isStop[from] || isStop[n]
        ? []
        : [{ ...pair, keep: (found: Bits, unsure: Bits) => keepLinked(lexicon, found, link, unsure) }]),
      ...(stop ? [{ ...stop, from, to: n + 1 }] : []),
    ]
  })
}

/**
 * The one or two joints that two pieces have in common. The pieces may stand in different places only where all of these
 * are repeated; and not where its term always has before it, or always behind it, what the piece on that side says.
 */
type Glue = { joints: readonly Joint[]; before?: () => Side; after?: Side; varied?: () => Bits }

const gluesOf = (joints: readonly Joint[], pieces: readonly Piece[]): Glue[] =>
  pieces.slice(1).map((right, n) => {
    const left = pieces[n] as Piece
    const shared = joints.slice(right.from, left.to + 1)
    const [{ before, after }] = shared as [Joint]
    return {
      joints: shared,
      ...(left.to - left.from === 1 && { before }),
      ...(right.to - right.from === 1 && { after }),
      ...(shared.length === 2 && right.varied && { varied: right.varied }),
    }
  })

/** The rows in which pieces may be glued in the wrong place. */
const repeatedOf = ({ repeats, ends }: Lexicon, { joints, after, varied }: Glue): Bits => {
  const [first, ...others] = joints as [Joint, ...Joint[]]
  const [last = first] = others
  if (after?.othersCost === 0 && ends.counts[last.term] === 0) return noBits(repeats.rows)
  const bits = postingBits(repeats, first.term)
  for (const { term } of others) keepPostings(bits, repeats, term)
  if (varied) {
    // Both stand twice and more, yet not side by side, or always before the same: unless once at the end of a text.
    const apart = postingBits(ends, last.term)
    addBits(apart, varied())
    keepCommon(bits, apart)
  }
  return bits
}

/**
 * Of some rows those in which the pieces of a chain may stand in different places, at most. A piece leads to the chain to
 * its right where what it shares with the next one always has that behind it, and to its left where that always has the
 * former one before it. So a row is sure if there is one piece in the chain to both sides of which this holds.
 */
const unsureAmong = (lexicon: Lexicon, glues: readonly Glue[], rows: Bits): Bits => {
  const sides = glues.map(glue => {
    const repeated = repeatedOf(lexicon, glue)
    keepCommon(repeated, rows)
    if (countBits(repeated) === 0) return { before: repeated, after: repeated }
    const [{ term }] = glue.joints as [Joint]
    return {
      before: glue.before ? notAlways(lexicon, repeated, term, glue.before(), lexicon.begins) : repeated,
      after: glue.after ? notAlways(lexicon, repeated, term, glue.after, lexicon.ends) : repeated,
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
    addBits(bits, toRight[glues.length - place] as Bits)
    keepCommon(unsure, bits)
  }
  return unsure
}

/** Whether what pieces share mostly has something else on both sides. */
const isHopeless = ({ before, after }: Glue): boolean =>
  (!after || isMostlyOther(after)) && (!before || isMostlyOther(before()))

/** Of some rows those that nothing makes sure. */
const hopelessAmong = (lexicon: Lexicon, glues: readonly Glue[], rows: Bits): Bits => {
  const hopeless = noBits(lexicon.rows.rows)
  for (const glue of glues) if (isHopeless(glue)) addBits(hopeless, repeatedOf(lexicon, glue))
  keepCommon(hopeless, rows)
  return hopeless
}

// So many rows, or such a part of all, are looked at sooner than it takes to find out which of them need not be.
const fewRows = 256
const fewOfAll = 1 / 24

// Where fewer than this part of them can become sure, that is not tried.
const worthTrying = 1 / 4

const mayBeSure = (lexicon: Lexicon, glues: readonly Glue[], rows: Bits): boolean => {
  const count = countBits(rows)
  const few = Math.max(fewRows, lexicon.rows.rows * fewOfAll)
  return count > few && countBits(hopelessAmong(lexicon, glues, rows)) < (1 - worthTrying) * count
}

/** The rows that are to be looked at, of those that have all pieces, but for what is unsure already. */
const unsureOf = (lexicon: Lexicon, glues: readonly Glue[], found: Bits, unsure: Bits): Bits => {
  // Only where what they share stands twice may pieces stand in different places.
  const repeated = noBits(lexicon.rows.rows)
  for (const glue of glues) addBits(repeated, repeatedOf(lexicon, glue))
  keepCommon(repeated, found)
  const all = mayBeSure(lexicon, glues, repeated) ? unsureAmong(lexicon, glues, repeated) : repeated
  addBits(all, unsure)
  keepCommon(all, found)
  return all
}

/** The rows with a chain; undefined when there is none. */
export const rowsWithChain = (lexicon: Lexicon, chain: Chain): Bits | undefined => {
  const joints = jointsOf(lexicon, chain)
  const pieces = piecesOf(lexicon, joints)
  if (pieces.some(({ isEmpty }) => isEmpty)) return undefined
  const { rows } = lexicon.rows
  const look = lookCost(lexicon)
  const [found, unsure] = [allBits(rows), noBits(rows)]
  // Few rows are looked at sooner than the next piece is read.
  const isWorthIt = ({ cost }: Piece) => cost < countBits(found) * look
  let kept = 0
  for (const piece of pieces.toSorted((a, b) => a.cost - b.cost)) {
    if (!isWorthIt(piece)) break
    piece.keep(found, unsure)
    kept++
  }
  const hasChain = chainIn(lexicon, chain)
  const isWhole = kept === pieces.length
  eachBit(isWhole ? unsureOf(lexicon, gluesOf(joints, pieces), found, unsure) : found.slice(), row => {
    if (!hasChain(row)) dropBit(found, row)
  })
  return found
}
