import { crc32 } from 'node:zlib'
import { idLists, kindOf, scalarFields, searchableFields } from '../contract/records/wine-fields.ts'
import type { Scalar } from '../contract/wine-query.ts'
import { foldVersion } from '../values/text.ts'
import { codeType, compress, type Dictionary, decompress, packValues } from './dictionary.ts'
import { type Lexicon, partsOfLexicon } from './lexicon.ts'
import type { Codes } from './numbers.ts'
import { type PackedPart, PackedParts, packedPart, type Source } from './packed-parts.ts'
import type { Postings } from './postings.ts'
import type { Segment } from './segment.ts'
import { newSortings } from './sorting.ts'
import { sizeOf, type Vocabulary } from './vocabulary.ts'

/*
 * Length of the header (4 bytes); header; parts, which are arrays; packed dictionaries (zstd each). A part is unpacked when
 * one of its arrays is first looked at: a new instance has one search to answer, which needs few of them.
 */
const prefixBytes = 4

/** Raise it when the arrangement below changes; changed fields and folding are noticed without it. */
const format = 8

/** Tells how an index is packed and of which fields: what was packed by another is not unpacked. */
export const layout = crc32(
  JSON.stringify([format, foldVersion, searchableFields, idLists, scalarFields.map(field => [field, kindOf(field)])]),
)

/** Dictionaries up to this size travel in the header and are at hand at once. */
const smallSize = 256

type DictionaryHeader =
  | { size: number; values: Scalar[]; packed?: undefined }
  | ({ size: number; values?: undefined } & PackedPart)

/** How many numbers each array of a part has, and the bytes of all of them as they are. */
type PartHeader = PackedPart & { lengths: number[]; joined: number }

type Header = {
  rows: number
  terms: number
  /** The collation that the order of the rows was made with. */
  collation: string | undefined
  columns: DictionaryHeader[]
  lists: DictionaryHeader[]
  parts: PartHeader[]
}

type NumberArray = Float64Array | Codes

// Unpacking takes them in this order.
const partsOf = ({ ids, versions, byId, lexicon, columns, lists }: Segment): NumberArray[][] => [
  [ids, versions, byId],
  ...partsOfLexicon(lexicon),
  ...columns.map(({ codes }) => [codes]),
  ...lists.map(({ starts, codes }) => [starts, codes]),
]

const alignment = 8

const aligned = (length: number): number => Math.ceil(length / alignment) * alignment

const joinAligned = (arrays: NumberArray[]): Uint8Array => {
  const joined = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of arrays) {
    joined.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += aligned(byteLength)
  }
  return joined
}

type ArrayType<Kind> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Kind
  BYTES_PER_ELEMENT: number
}

type Take = <Kind>(Type: ArrayType<Kind>) => Kind

/** Takes arrays of the lengths given one after the other, as views of the bytes, or of an aligned copy of them. */
const arrayReader = (joined: Uint8Array, lengths: readonly number[]): Take => {
  const { buffer, byteOffset } = joined.byteOffset % alignment === 0 ? joined : new Uint8Array(joined)
  let [at, next] = [byteOffset, 0]
  return Type => {
    const length = lengths[next++] ?? 0
    const array = new Type(buffer, at, length)
    at += aligned(length * Type.BYTES_PER_ELEMENT)
    return array
  }
}

/** Arrays that are packed until one of them is looked at; `held` tells how many bytes they take. */
type Part<Arrays> = { arrays: () => Arrays; held: () => number }

const partOf = <Arrays>(
  parts: PackedParts,
  place: number,
  header: PartHeader,
  taken: (take: Take) => Arrays,
): Part<Arrays> => {
  let arrays: { taken: Arrays } | undefined
  const unpacked = (): { taken: Arrays } => {
    const joined = decompress(parts.bytes(place), header.joined)
    parts.letGo(place)
    return { taken: taken(arrayReader(joined, header.lengths)) }
  }
  return {
    arrays: () => {
      arrays ??= unpacked()
      return arrays.taken
    },
    held: () => (arrays ? header.joined : parts.held(place)),
  }
}

const takeVocabulary = (take: Take): Vocabulary => {
  const { buffer, byteOffset, length } = take(Uint8Array)
  return { bytes: Buffer.from(buffer, byteOffset, length), starts: take(Uint32Array) }
}

const postingsReader = (take: Take, rows: number) => (): Postings => ({
  rows,
  counts: take(Uint32Array),
  starts: take(Uint32Array),
  data: take(Uint8Array),
})

const takeTerms = (rows: number) => (take: Take) => ({
  terms: takeVocabulary(take),
  slots: take(Uint8Array),
  rows: postingsReader(take, rows)(),
})

// Its postings are sets of terms, of which there are as many as the vocabulary has.
const takeTrigrams = (terms: number) => (take: Take) => ({
  trigrams: takeVocabulary(take),
  trigramTerms: postingsReader(take, terms)(),
})

const takeGrams = (rows: number) => (take: Take) => ({
  grams: takeVocabulary(take),
  gramRows: postingsReader(take, rows)(),
  trigramRows: postingsReader(take, rows)(),
})

const takeNeighbours = (rows: number) => (take: Take) => {
  const postings = postingsReader(take, rows)
  return {
    endings: take(Uint32Array),
    repeats: postings(),
    bigrams: take(Uint32Array),
    seconds: take(Uint32Array),
    bigramRows: postings(),
    streams: take(Uint32Array),
    stream: take(Uint8Array),
  }
}

type Taken<Taking extends (rows: number) => (take: Take) => unknown> = Part<ReturnType<ReturnType<Taking>>>

/** One object of what parts hold, each of which is unpacked when something of it is first looked at. */
const joinedLexicon = (
  terms: Taken<typeof takeTerms>,
  trigrams: Taken<typeof takeTrigrams>,
  grams: Taken<typeof takeGrams>,
  neighbours: Taken<typeof takeNeighbours>,
): Lexicon => {
  const lexicon = { held: () => terms.held() + trigrams.held() + grams.held() + neighbours.held() }
  const show = <Arrays extends object>({ arrays }: Part<Arrays>, names: readonly (keyof Arrays)[]) => {
    for (const name of names) Object.defineProperty(lexicon, name, { get: () => arrays()[name], enumerable: true })
  }
  show(terms, ['terms', 'slots', 'rows'])
  show(trigrams, ['trigrams', 'trigramTerms'])
  show(grams, ['grams', 'gramRows', 'trigramRows'])
  show(neighbours, ['endings', 'repeats', 'bigrams', 'seconds', 'bigramRows', 'streams', 'stream'])
  return lexicon as Lexicon
}

/** A segment as compressed bytes. */
export const packSegment = (segment: Segment): Buffer => {
  const parts = partsOf(segment).map(arrays => {
    const joined = joinAligned(arrays)
    return { bytes: compress(joined), joined: joined.length, lengths: arrays.map(({ length }) => length) }
  })
  const dictionaries: Buffer[] = []
  const describe = ({ dictionary }: { dictionary: Dictionary }): DictionaryHeader => {
    const { size, values } = dictionary
    if (values && size <= smallSize) return { size, values }
    const packed = packValues(dictionary)
    dictionaries.push(packed)
    return { size, ...packedPart(packed) }
  }
  const header: Header = {
    rows: segment.ids.length,
    terms: sizeOf(segment.lexicon.terms),
    collation: process.versions.icu,
    columns: segment.columns.map(describe),
    lists: segment.lists.map(describe),
    parts: parts.map(({ bytes, ...part }) => ({ ...part, ...packedPart(bytes) })),
  }
  const head = compress(Buffer.from(JSON.stringify(header)))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(head.length, 0)
  return Buffer.concat([prefix, head, ...parts.map(({ bytes }) => bytes), ...dictionaries])
}

/** Of which parts the first bytes of a piece are: the ids, the terms and the trigrams, which most searches need. */
const firstParts = 3

const headLength = (packed: Buffer): number => prefixBytes + packed.readUInt32LE(0)

const headerOf = (packed: Buffer): Header =>
  JSON.parse(decompress(packed.subarray(prefixBytes, headLength(packed))).toString())

/** How many of a packed segment's bytes must be read to begin with. */
export const firstBytes = (packed: Buffer): number => {
  const first = headerOf(packed).parts.slice(0, firstParts)
  return first.reduce((sum, part) => sum + part.packed, headLength(packed))
}

/** A segment as it was packed. Its rows may be out of order where Node's collation has become another since. */
export type Unpacked = { segment: Segment; isInOrder: boolean }

/**
 * What was packed into bytes. That they are whole, and by the same layout, is for the caller to know. What they lack is
 * read when it is asked for (Segment.parts).
 */
export const unpackSegment = (source: Source): Unpacked => {
  const { rows, terms, collation, columns, lists, parts: headers }: Header = headerOf(source.start)
  // Dictionaries that travel in the header have places as well, so that the same part stands at one place in all pieces.
  const dictionaries = [...columns, ...lists].map(one => (one.values ? packedPart(Buffer.alloc(0)) : one))
  const parts = new PackedParts(source, headLength(source.start), [...headers, ...dictionaries])
  let next = 0
  const part = <Arrays>(taken: (take: Take) => Arrays): Part<Arrays> => {
    const place = next++
    return partOf(parts, place, headers[place], taken)
  }
  const base = part(take => ({ ids: take(Float64Array), versions: take(Float64Array), byId: take(Uint32Array) }))
  const lexicon = joinedLexicon(
    part(takeTerms(rows)),
    part(takeTrigrams(terms)),
    part(takeGrams(rows)),
    part(takeNeighbours(rows)),
  )
  const codesIn = (size: number) => (take: Take) => take<Codes>(codeType(size))
  const scalars = columns.map(({ size }) => part(take => ({ codes: codesIn(size)(take) })))
  const listed = lists.map(({ size }) => part(take => ({ starts: take(Uint32Array), codes: codesIn(size)(take) })))
  const dictionaryOf = ({ size, values }: DictionaryHeader): Dictionary => {
    const place = next++
    return values
      ? { size, values }
      : { size, packed: { bytes: () => parts.bytes(place), held: () => parts.held(place) } }
  }
  const segment: Segment = {
    ...base.arrays(),
    lexicon,
    columns: scalars.map(({ arrays, held }, n) => ({
      get codes() {
        return arrays().codes
      },
      held,
      dictionary: dictionaryOf(columns[n]),
    })),
    lists: listed.map(({ arrays, held }, n) => ({
      get starts() {
        return arrays().starts
      },
      get codes() {
        return arrays().codes
      },
      held,
      dictionary: dictionaryOf(lists[n]),
    })),
    sortings: newSortings(),
    parts,
  }
  return { segment, isInOrder: collation === process.versions.icu }
}
