import { noBits } from './bits.ts'
import { eachTerm, isGram, type Lexicon } from './lexicon.ts'
import { numberAt } from './numbers.ts'
import { addPostings, eachPosting, type Postings, PostingsWriter } from './postings.ts'
import { termsOf } from './terms.ts'
import { byEnding, sizeOf, textAt, type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** Numbers of 7 bits a byte, one row after the other. */
class StreamWriter {
  #bytes = new Uint8Array(1024)
  #end = 0
  readonly #starts = [0]

  add(number: number): void {
    if (this.#end + 5 > this.#bytes.length) {
      const bytes = new Uint8Array(2 * this.#bytes.length)
      bytes.set(this.#bytes)
      this.#bytes = bytes
    }
    let rest = number
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#end++] = (rest & 127) | 128
    this.#bytes[this.#end++] = rest
  }

  endRow(): void {
    this.#starts.push(this.#end)
  }

  finish(): { streams: Uint32Array; stream: Uint8Array } {
    return { streams: Uint32Array.from(this.#starts), stream: this.#bytes.slice(0, this.#end) }
  }
}

/** What is known of a lexicon before its grams. */
type Core = Omit<Lexicon, 'grams' | 'gramRows' | 'trigrams' | 'firsts'>

const gramsIn = (text: string): string[] => {
  const signs = [...text]
  return signs.flatMap((sign, n) => (n === 0 ? [sign] : [sign, `${signs[n - 1]}${sign}`]))
}

/** Grams of one and two characters follow from the terms, and from the pairs where two terms meet. */
const gramsOf = ({ terms, pairs, seconds, rows, pairRows }: Core): { grams: Vocabulary; gramRows: Postings } => {
  const sources = new Map<string, { terms: number[]; pairs: number[] }>()
  const sourcesOf = (gram: string) => {
    const known = sources.get(gram) ?? { terms: [], pairs: [] }
    sources.set(gram, known)
    return known
  }
  const borders: [string, string][] = []
  for (let term = 0; term < sizeOf(terms); term++) {
    const text = textAt(terms, term).toString()
    for (const gram of new Set(gramsIn(text).filter(isGram))) sourcesOf(gram).terms.push(term)
    const signs = [...text]
    borders.push([signs[0] ?? '', signs.at(-1) ?? ''])
  }
  for (let term = 0; term < sizeOf(terms); term++) {
    for (let pair = numberAt(pairs, term); pair < numberAt(pairs, term + 1); pair++) {
      const gram = `${borders[term]?.[1]}${borders[numberAt(seconds, pair)]?.[0]}`
      if (isGram(gram)) sourcesOf(gram).pairs.push(pair)
    }
  }
  const writer = new PostingsWriter(rows.rows)
  const texts = [...sources.keys()].map(gram => Buffer.from(gram)).sort(Buffer.compare)
  for (const text of texts) {
    const { terms: within, pairs: across } = sourcesOf(text.toString())
    const bits = noBits(rows.rows)
    for (const term of within) addPostings(bits, rows, term)
    for (const pair of across) addPostings(bits, pairRows, pair)
    writer.addBits(bits)
  }
  return { grams: vocabularyOf(texts), gramRows: writer.finish() }
}

const withGrams = (core: Core): Lexicon => ({ ...core, ...gramsOf(core) })

/** Adds a row to an ascending list that may have it already; tells whether it had. */
const addRow = (rows: number[], row: number): boolean => {
  if (rows.at(-1) === row) return true
  rows.push(row)
  return false
}

// Terms are numbered as they come while a lexicon is built; two of them in one number of a double.
const pairKey = (first: number, second: number): number => first * 2 ** 26 + second

/** A lexicon of rows' folded texts by slot. */
export const buildLexicon = (texts: readonly (readonly string[])[]): Lexicon => {
  const numbers = new Map<string, number>()
  const found: { text: Buffer; slot: number; rows: number[]; repeats: number[]; begins: number[]; ends: number[] }[] =
    []
  const pairs = new Map<number, { first: number; second: number; rows: number[] }>()
  const termOf = (text: string, slot: number): number => {
    // The slot ends the key, so that no text runs into it.
    const key = text + String.fromCharCode(slot)
    const number =
      numbers.get(key) ?? found.push({ text: Buffer.from(text), slot, rows: [], repeats: [], begins: [], ends: [] }) - 1
    numbers.set(key, number)
    return number
  }
  const streams = texts.map((slots, row) =>
    slots.flatMap((text, slot) => {
      const terms = termsOf(text).map(one => termOf(one, slot))
      for (const [n, term] of terms.entries()) {
        const one = found[term]
        if (one && addRow(one.rows, row)) addRow(one.repeats, row)
        const before = terms[n - 1]
        if (n === terms.length - 1) one?.ends.push(row)
        if (n === 0) one?.begins.push(row)
        if (before === undefined) continue
        const key = pairKey(before, term)
        const pair = pairs.get(key) ?? { first: before, second: term, rows: [] }
        pairs.set(key, pair)
        addRow(pair.rows, row)
      }
      return terms
    }),
  )
  const order = [...found.entries()].sort(([, a], [, b]) => Buffer.compare(a.text, b.text) || a.slot - b.slot)
  const places = new Uint32Array(found.length)
  for (const [place, [number]] of order.entries()) places[number] = place
  const count = texts.length
  const [rows, repeats, begins, ends, pairRows, stream] = [
    new PostingsWriter(count),
    new PostingsWriter(count),
    new PostingsWriter(count),
    new PostingsWriter(count),
    new PostingsWriter(count),
    new StreamWriter(),
  ]
  for (const [, one] of order) {
    rows.add(one.rows)
    repeats.add(one.repeats)
    begins.add(one.begins)
    ends.add(one.ends)
  }
  const placeOf = (number: number): number => numberAt(places, number)
  const inOrder = [...pairs.values()].sort(
    (a, b) => placeOf(a.first) - placeOf(b.first) || placeOf(a.second) - placeOf(b.second),
  )
  const starts = new Uint32Array(found.length + 1)
  for (const pair of inOrder) {
    pairRows.add(pair.rows)
    starts[placeOf(pair.first) + 1] = numberAt(starts, placeOf(pair.first) + 1) + 1
  }
  for (let term = 0; term < found.length; term++) starts[term + 1] = numberAt(starts, term + 1) + numberAt(starts, term)
  for (const terms of streams) {
    for (const term of terms) stream.add(placeOf(term))
    stream.endRow()
  }
  const terms = vocabularyOf(order.map(([, { text }]) => text))
  return withGrams({
    terms,
    slots: Uint8Array.from(order, ([, { slot }]) => slot),
    endings: byEnding(terms),
    rows: rows.finish(),
    repeats: repeats.finish(),
    begins: begins.finish(),
    ends: ends.finish(),
    pairs: starts,
    seconds: Uint32Array.from(inOrder, ({ second }) => placeOf(second)),
    pairRows: pairRows.finish(),
    ...stream.finish(),
  })
}

/** A lexicon that is merged with others: `places` are its rows' numbers in the new one, -1 for what is gone. */
export type Part = { lexicon: Lexicon; places: Int32Array }

/** Where a row of a new lexicon comes from: a part, and its row there. */
export type Origin = { part: number; row: number }

const none = 0xffffffff

/** Collects rows of several parts, each ascending or not, as one ascending list. */
const gathering = (parts: readonly Part[], most: number) => {
  const rows = new Uint32Array(most)
  return (sources: readonly { part: number; entry: number }[], which: (lexicon: Lexicon) => Postings): Uint32Array => {
    let count = 0
    let isAscending = true
    for (const { part, entry } of sources) {
      const one = parts[part] as Part
      eachPosting(which(one.lexicon), entry, row => {
        const place = one.places[row] as number
        if (place < 0) return
        if (count > 0 && place < (rows[count - 1] as number)) isAscending = false
        rows[count++] = place
      })
    }
    const all = rows.subarray(0, count)
    return isAscending ? all : all.sort()
  }
}

/**
 * Walks through ordered lists of several parts at once: calls with the parts, and the entries there, of each thing that
 * one or more of them have, in order.
 */
const walkTogether = (
  sizes: readonly number[],
  compare: (part: number, entry: number, otherPart: number, otherEntry: number) => number,
  act: (sources: { part: number; entry: number }[]) => void,
): void => {
  const at = sizes.map(() => 0)
  for (;;) {
    let least: { part: number; entry: number }[] = []
    for (let part = 0; part < sizes.length; part++) {
      const entry = at[part] as number
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

const firstTermsOf = ({ pairs, seconds }: Lexicon): Uint32Array => {
  const firsts = new Uint32Array(seconds.length)
  for (let term = 0; term + 1 < pairs.length; term++) firsts.fill(term, pairs[term], pairs[term + 1])
  return firsts
}

/** One lexicon of the rows of several that are still there, each row where its part's `places` put it. */
export const mergeLexicons = (parts: readonly Part[], origins: readonly Origin[]): Lexicon => {
  const count = origins.length
  const gather = gathering(parts, count)
  const lexicons = parts.map(({ lexicon }) => lexicon)
  const [rows, repeats, begins, ends, pairRows, stream] = [
    new PostingsWriter(count),
    new PostingsWriter(count),
    new PostingsWriter(count),
    new PostingsWriter(count),
    new PostingsWriter(count),
    new StreamWriter(),
  ]
  const numbers = lexicons.map(({ terms }) => new Uint32Array(sizeOf(terms)).fill(none))
  const texts: Buffer[] = []
  const slots: number[] = []
  const compareTerms = (part: number, entry: number, otherPart: number, otherEntry: number): number => {
    const [one, other] = [lexicons[part] as Lexicon, lexicons[otherPart] as Lexicon]
    const difference = Buffer.compare(textAt(one.terms, entry), textAt(other.terms, otherEntry))
    return difference || (one.slots[entry] as number) - (other.slots[otherEntry] as number)
  }
  walkTogether(
    lexicons.map(({ terms }) => sizeOf(terms)),
    compareTerms,
    sources => {
      const kept = gather(sources, lexicon => lexicon.rows)
      if (kept.length === 0) return
      rows.add(kept)
      repeats.add(gather(sources, lexicon => lexicon.repeats))
      begins.add(gather(sources, lexicon => lexicon.begins))
      ends.add(gather(sources, lexicon => lexicon.ends))
      for (const { part, entry } of sources) (numbers[part] as Uint32Array)[entry] = texts.length
      const { part, entry } = sources[0] as { part: number; entry: number }
      const one = lexicons[part] as Lexicon
      texts.push(textAt(one.terms, entry))
      slots.push(one.slots[entry] as number)
    },
  )
  const firsts = lexicons.map(firstTermsOf)
  const firstAt = (part: number, pair: number): number => numbers[part]?.[firsts[part]?.[pair] as number] as number
  const secondAt = (part: number, pair: number): number =>
    numbers[part]?.[lexicons[part]?.seconds[pair] as number] as number
  const starts = new Uint32Array(texts.length + 1)
  const seconds: number[] = []
  // A pair of a term that is gone is compared by a number that is in no order, but it has no rows left either way.
  const livePairs = lexicons.map((lexicon, part) =>
    Uint32Array.from(lexicon.seconds.keys()).filter(
      pair => firstAt(part, pair) !== none && secondAt(part, pair) !== none,
    ),
  )
  const pairAt = (part: number, entry: number): number => livePairs[part]?.[entry] as number
  walkTogether(
    livePairs.map(({ length }) => length),
    (part, entry, otherPart, otherEntry) => {
      const [pair, other] = [pairAt(part, entry), pairAt(otherPart, otherEntry)]
      return firstAt(part, pair) - firstAt(otherPart, other) || secondAt(part, pair) - secondAt(otherPart, other)
    },
    sources => {
      const own = sources.map(({ part, entry }) => ({ part, entry: pairAt(part, entry) }))
      const kept = gather(own, lexicon => lexicon.pairRows)
      if (kept.length === 0) return
      pairRows.add(kept)
      const { part, entry } = own[0] as { part: number; entry: number }
      const first = firstAt(part, entry)
      starts[first + 1] = numberAt(starts, first + 1) + 1
      seconds.push(secondAt(part, entry))
    },
  )
  for (let term = 0; term < texts.length; term++) starts[term + 1] = numberAt(starts, term + 1) + numberAt(starts, term)
  for (const { part, row } of origins) {
    const [lexicon, own] = [lexicons[part] as Lexicon, numbers[part] as Uint32Array]
    eachTerm(lexicon, row, term => stream.add(numberAt(own, term)))
    stream.endRow()
  }
  const terms = vocabularyOf(texts)
  return withGrams({
    terms,
    slots: Uint8Array.from(slots),
    endings: byEnding(terms),
    rows: rows.finish(),
    repeats: repeats.finish(),
    begins: begins.finish(),
    ends: ends.finish(),
    pairs: starts,
    seconds: Uint32Array.from(seconds),
    pairRows: pairRows.finish(),
    ...stream.finish(),
  })
}
