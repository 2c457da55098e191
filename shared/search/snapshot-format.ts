import { crc32 } from 'node:zlib'
import { idLists, indexedFields, searchableFields, valueKindOf } from '../contract/records/wine-fields.ts'
import type { Scalar } from '../contract/schema/wine-query.ts'
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
 * one of its arrays is first used: a new instance has one search to answer, which needs few of them.
 */
const prefixBytes = 4

/** Raise it when the arrangement below changes; changed fields and folding are detected without it. */
const format = 8

/** Identifies the format and the fields: a segment that was packed by another layout cannot be unpacked. */
export const layout = crc32(
  JSON.stringify([
    format,
    foldVersion,
    searchableFields,
    idLists,
    indexedFields.map(field => [field, valueKindOf(field)]),
  ]),
)

/** Dictionaries up to this size are in the header. */
const smallSize = 256

type DictionaryHeader =
  | { size: number; values: Scalar[]; packed?: undefined }
  | ({ size: number; values?: undefined } & PackedPart)

/** The number of elements of each array of a part, and the bytes of all of them unpacked. */
type PartHeader = PackedPart & { lengths: number[]; joined: number }

type Header = {
  rows: number
  terms: number
  /** The collation of the order of the rows. */
  collation: string | undefined
  columns: DictionaryHeader[]
  lists: DictionaryHeader[]
  parts: PartHeader[]
}

type NumberArray = Float64Array | Codes

// In the order in which unpackSegment reads them.
const partsOf = ({ ids, versions, byId, lexicon, columns, lists }: Segment): NumberArray[][] => [
  [ids, versions, byId],
  ...partsOfLexicon(lexicon),
  ...columns.map(({ codes }) => [codes]),
  ...lists.map(({ starts, codes }) => [starts, codes]),
]

const alignment = 8

const align = (length: number): number => Math.ceil(length / alignment) * alignment

const joinAligned = (arrays: NumberArray[]): Uint8Array => {
  const joined = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + align(byteLength), 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of arrays) {
    joined.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += align(byteLength)
  }
  return joined
}

type ArrayType<Kind> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Kind
  BYTES_PER_ELEMENT: number
}

/** Reads the next array of a part. */
type Take = <Kind>(Type: ArrayType<Kind>) => Kind

/** Reads arrays of the given lengths in sequence, as views of the bytes, or of an aligned copy of them. */
const arrayReader = (joined: Uint8Array, lengths: readonly number[]): Take => {
  const { buffer, byteOffset } = joined.byteOffset % alignment === 0 ? joined : new Uint8Array(joined)
  let [at, next] = [byteOffset, 0]
  return Type => {
    const length = lengths[next++] ?? 0
    const array = new Type(buffer, at, length)
    at += align(length * Type.BYTES_PER_ELEMENT)
    return array
  }
}

/** The readers of a part's arrays by property, in the order in which they are packed. */
type Readers<Arrays> = { [Name in keyof Arrays]: (take: Take) => Arrays[Name] }

const bytes = (take: Take): Uint8Array => take(Uint8Array)
const numbers = (take: Take): Uint32Array => take(Uint32Array)
const doubles = (take: Take): Float64Array => take(Float64Array)

const vocabulary = (take: Take): Vocabulary => {
  const { buffer, byteOffset, length } = bytes(take)
  return { bytes: Buffer.from(buffer, byteOffset, length), starts: numbers(take) }
}

const postings =
  (rows: number) =>
  (take: Take): Postings => ({ rows, counts: numbers(take), starts: numbers(take), data: bytes(take) })

/** The readers of partsOfLexicon. The postings of trigrams are sets of terms, all others sets of rows. */
const lexiconReaders = (rows: number, terms: number) =>
  [
    { terms: vocabulary, slots: bytes, rows: postings(rows) },
    { trigrams: vocabulary, trigramTerms: postings(terms) },
    { grams: vocabulary, gramRows: postings(rows), trigramRows: postings(rows) },
    {
      ...{ endings: numbers, repeats: postings(rows), bigrams: numbers, seconds: numbers, bigramRows: postings(rows) },
      ...{ streams: numbers, stream: bytes },
    },
  ] satisfies Partial<Readers<Lexicon>>[]

/** The parts of a packed segment, each of which becomes properties of an object that are unpacked when first used. */
class LazyParts {
  readonly #parts: PackedParts
  readonly #headers: readonly PartHeader[]
  #next = 0

  constructor(parts: PackedParts, headers: readonly PartHeader[]) {
    this.#parts = parts
    this.#headers = headers
  }

  /** Defines the arrays of the next part as properties of an object; returns a function for their bytes. */
  define<Arrays extends object>(target: object, readers: Readers<Arrays>): () => number {
    const [parts, place] = [this.#parts, this.#next++]
    const { joined, lengths } = this.#headers[place]
    let arrays: Arrays | undefined
    const unpack = (): Arrays => {
      const take = arrayReader(decompress(parts.bytes(place), joined), lengths)
      parts.letGo(place)
      const read = Object.entries(readers as Readers<Record<string, unknown>>).map(([name, of]) => [name, of(take)])
      return Object.fromEntries(read)
    }
    for (const name of Object.keys(readers) as (keyof Arrays)[]) {
      const get = () => {
        arrays ??= unpack()
        return arrays[name]
      }
      Object.defineProperty(target, name, { get, enumerable: true })
    }
    return () => (arrays ? joined : parts.held(place))
  }

  /** The dictionary that is the next part. */
  dictionary({ size, values }: DictionaryHeader): Dictionary {
    const [parts, place] = [this.#parts, this.#next++]
    return values
      ? { size, values }
      : { size, packed: { bytes: () => parts.bytes(place), held: () => parts.held(place) } }
  }
}

/** A segment as compressed bytes. */
export const packSegment = (segment: Segment): Buffer => {
  const parts = partsOf(segment).map(arrays => {
    const joined = joinAligned(arrays)
    return { packed: compress(joined), joined: joined.length, lengths: arrays.map(({ length }) => length) }
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
    parts: parts.map(({ packed, ...part }) => ({ ...part, ...packedPart(packed) })),
  }
  const head = compress(Buffer.from(JSON.stringify(header)))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(head.length, 0)
  return Buffer.concat([prefix, head, ...parts.map(({ packed }) => packed), ...dictionaries])
}

/** The number of parts that are read first: the ids, the terms and the trigrams, which most searches need. */
const firstParts = 3

const headLength = (packed: Buffer): number => prefixBytes + packed.readUInt32LE(0)

const headerOf = (packed: Buffer): Header =>
  JSON.parse(decompress(packed.subarray(prefixBytes, headLength(packed))).toString())

/** The number of bytes of a packed segment that are read first. */
export const firstBytes = (packed: Buffer): number => {
  const first = headerOf(packed).parts.slice(0, firstParts)
  return first.reduce((sum, part) => sum + part.packed, headLength(packed))
}

/**
 * Unpacks a segment. The caller ensures that the bytes are whole and of this layout; parts that they lack are read when
 * they are needed (Segment.parts). `isInOrder` is false if the rows were sorted by another collation.
 */
export const unpackSegment = (source: Source): { segment: Segment; isInOrder: boolean } => {
  const { rows, terms, collation, columns, lists, parts: headers }: Header = headerOf(source.start)
  // Dictionaries in the header have places as well, so that all segments have the same part at the same place.
  const dictionaries = [...columns, ...lists].map(one => (one.values ? packedPart(Buffer.alloc(0)) : one))
  const parts = new PackedParts(source, headLength(source.start), [...headers, ...dictionaries])
  const lazy = new LazyParts(parts, headers)
  const base = {}
  lazy.define(base, { ids: doubles, versions: doubles, byId: numbers })
  const lexicon = {}
  const held = lexiconReaders(rows, terms).map(readers => lazy.define(lexicon, readers as Readers<object>))
  const codesOf = (size: number) => (take: Take) => take<Codes>(codeType(size))
  const columnOf = (readers: Readers<object>) => {
    const column = {}
    return Object.assign(column, { held: lazy.define(column, readers) })
  }
  const scalars = columns.map(({ size }) => columnOf({ codes: codesOf(size) }))
  const listed = lists.map(({ size }) => columnOf({ starts: numbers, codes: codesOf(size) }))
  const withDictionary = (headersOf: readonly DictionaryHeader[]) => (column: object, n: number) =>
    Object.assign(column, { dictionary: lazy.dictionary(headersOf[n]) })
  const segment = {
    // Every search needs these: the copy unpacks them.
    ...base,
    lexicon: Object.assign(lexicon, { held: () => held.reduce((sum, of) => sum + of(), 0) }),
    columns: scalars.map(withDictionary(columns)),
    lists: listed.map(withDictionary(lists)),
    sortings: newSortings(),
    parts,
  }
  return { segment: segment as unknown as Segment, isInOrder: collation === process.versions.icu }
}
