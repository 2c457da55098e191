import { bitsBetween, noBits, setBit } from './bits.ts'
import { forEachTerm, type Grams, type Lexicon } from './lexicon.ts'
import { LexiconWriter } from './lexicon-writer.ts'
import { numberAt } from './numbers.ts'
import { forEachPosting, type Postings, PostingsWriter } from './postings.ts'
import { trigramsOf } from './trigrams.ts'
import { sizeOf, textAt, vocabularyOf } from './vocabulary.ts'

/** A lexicon to be merged; `places` are the numbers of its rows in the new lexicon, -1 for tombstones. */
export type MergeInput = { lexicon: Lexicon; places: Int32Array }

/** The input, and the row there, of a row of a new lexicon. */
export type Origin = { part: number; row: number }

const none = 0xffffffff

type Source = { part: number; entry: number }

// Above this share of all rows, a bit set sorts faster than comparisons.
const manyRows = 1 / 64

/** Returns a function that collects an entry's rows of several inputs in ascending order; valid until its next call. */
const createGatherer = (parts: readonly MergeInput[], max: number) => {
  const rows = new Uint32Array(max)
  const marks = noBits(max)
  const sortRows = (all: Uint32Array): Uint32Array => {
    if (all.length < max * manyRows) return all.sort()
    for (const row of all) setBit(marks, row)
    all.set(bitsBetween(marks, 0, all.length))
    marks.fill(0)
    return all
  }
  return (sources: readonly Source[], which: (lexicon: Lexicon) => Postings): Uint32Array => {
    let count = 0
    let isAscending = true
    for (const { part, entry } of sources) {
      const one = parts[part]
      forEachPosting(which(one.lexicon), entry, row => {
        const place = one.places[row]
        if (place < 0) return
        if (count > 0 && place < rows[count - 1]) isAscending = false
        rows[count++] = place
      })
    }
    const all = rows.subarray(0, count)
    return isAscending ? all : sortRows(all)
  }
}

/** A merge of sorted lists: calls, for each distinct element in order, with its entries in the lists that have it. */
const mergeSorted = (
  sizes: readonly number[],
  compare: (part: number, entry: number, otherPart: number, otherEntry: number) => number,
  act: (sources: Source[]) => void,
): void => {
  const at = sizes.map(() => 0)
  for (;;) {
    let least: Source[] = []
    for (let part = 0; part < sizes.length; part++) {
      const entry = at[part]
      if (entry === sizes[part]) continue
      const [first] = least
      const difference = first ? compare(part, entry, first.part, first.entry) : -1
      if (difference < 0) least = [{ part, entry }]
      else if (difference === 0) least.push({ part, entry })
    }
    if (least.length === 0) return
    act(least)
    for (const { part, entry } of least) at[part] = entry + 1
  }
}

const firstTermsOf = ({ bigrams, seconds }: Lexicon): Uint32Array => {
  const firsts = new Uint32Array(seconds.length)
  for (let term = 0; term + 1 < bigrams.length; term++) firsts.fill(term, bigrams[term], bigrams[term + 1])
  return firsts
}

const mergeGrams = (lexicons: readonly Lexicon[], rows: number, gather: ReturnType<typeof createGatherer>): Grams => {
  const [texts, writer]: [Buffer[], PostingsWriter] = [[], new PostingsWriter(rows)]
  const textOf = (part: number, entry: number): Buffer => textAt(lexicons[part].grams, entry)
  mergeSorted(
    lexicons.map(({ grams }) => sizeOf(grams)),
    (part, entry, otherPart, otherEntry) => Buffer.compare(textOf(part, entry), textOf(otherPart, otherEntry)),
    sources => {
      const found = gather(sources, ({ gramRows }) => gramRows)
      if (found.length === 0) return
      const { part, entry } = sources[0]
      texts.push(textOf(part, entry))
      writer.add(found)
    },
  )
  return { grams: vocabularyOf(texts), gramRows: writer.finish() }
}

/** A single lexicon of the live rows of several, each row at the number in `places`. */
export const mergeLexicons = (parts: readonly MergeInput[], origins: readonly Origin[]): Lexicon => {
  const gatherer = () => createGatherer(parts, origins.length)
  const [gather, repeats] = [gatherer(), gatherer()]
  const lexicons = parts.map(({ lexicon }) => lexicon)
  const writer = new LexiconWriter(origins.length)
  const numbers = lexicons.map(({ terms }) => new Uint32Array(sizeOf(terms)).fill(none))
  const compareTerms = (part: number, entry: number, otherPart: number, otherEntry: number): number => {
    const [one, other] = [lexicons[part], lexicons[otherPart]]
    const difference = Buffer.compare(textAt(one.terms, entry), textAt(other.terms, otherEntry))
    return difference || one.slots[entry] - other.slots[otherEntry]
  }
  mergeSorted(
    lexicons.map(({ terms }) => sizeOf(terms)),
    compareTerms,
    sources => {
      const { part, entry } = sources[0]
      const { terms, slots } = lexicons[part]
      const number = writer.addTerm(textAt(terms, entry), slots[entry], {
        rows: gather(sources, ({ rows }) => rows),
        repeats: repeats(sources, lexicon => lexicon.repeats),
      })
      if (number < 0) return
      for (const source of sources) numbers[source.part][source.entry] = number
    },
  )
  const firsts = lexicons.map(firstTermsOf)
  const firstAt = (part: number, bigram: number): number => numbers[part]?.[firsts[part]?.[bigram]]
  const secondAt = (part: number, bigram: number): number => numbers[part]?.[lexicons[part]?.seconds[bigram]]
  // Bigrams of removed terms have no rows left, and no number to be compared by.
  const liveBigrams = lexicons.map((lexicon, part) =>
    Uint32Array.from(lexicon.seconds.keys()).filter(
      bigram => firstAt(part, bigram) !== none && secondAt(part, bigram) !== none,
    ),
  )
  const bigramAt = (part: number, entry: number): number => liveBigrams[part]?.[entry]
  mergeSorted(
    liveBigrams.map(({ length }) => length),
    (part, entry, otherPart, otherEntry) => {
      const [bigram, other] = [bigramAt(part, entry), bigramAt(otherPart, otherEntry)]
      return firstAt(part, bigram) - firstAt(otherPart, other) || secondAt(part, bigram) - secondAt(otherPart, other)
    },
    sources => {
      const own = sources.map(({ part, entry }) => ({ part, entry: bigramAt(part, entry) }))
      const { part, entry } = own[0]
      const rows = gather(own, lexicon => lexicon.bigramRows)
      writer.addBigram(firstAt(part, entry), secondAt(part, entry), rows)
    },
  )
  for (const { part, row } of origins) {
    const [lexicon, own] = [lexicons[part], numbers[part]]
    forEachTerm(lexicon, row, term => writer.addToRow(numberAt(own, term)))
    writer.endRow()
  }
  const core = writer.finish()
  return { ...core, ...trigramsOf(core), ...mergeGrams(lexicons, origins.length, gather) }
}
