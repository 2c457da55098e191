import { crc32 } from 'node:zlib'
import { idLists, kindOf, scalarFields, searchableFields } from '../../../contract/records/wine-fields.ts'
import type { Scalar } from '../../../contract/wine-query.ts'
import { foldVersion } from '../../../text.ts'
import { codeType, compress, type Dictionary, decompress, packValues } from './dictionary.ts'
import { arraysOfLexicon, type Lexicon } from './lexicon.ts'
import type { Codes } from './numbers.ts'
import type { Postings } from './postings.ts'
import type { Segment } from './segment.ts'
import { newSortings } from './sorting.ts'
import type { Vocabulary } from './vocabulary.ts'

/* Length of the header (4 bytes); header, arrays (zstd each); packed dictionaries. */
const prefixBytes = 4

/** Raise it when the arrangement below changes; changed fields and folding are noticed without it. */
const format = 6

/** Tells how an index is packed and of which fields: what was packed by another is not unpacked. */
export const layout = crc32(
  JSON.stringify([format, foldVersion, searchableFields, idLists, scalarFields.map(field => [field, kindOf(field)])]),
)

/** Dictionaries up to this size travel in the header and are at hand at once. */
const smallSize = 256

type DictionaryHeader =
  | { size: number; values: Scalar[]; packed?: undefined }
  | { size: number; values?: undefined; packed: number }

type Header = {
  rows: number
  /** The collation that the order of the rows was made with. */
  collation: string | undefined
  columns: DictionaryHeader[]
  lists: DictionaryHeader[]
  /** How many numbers each array has. */
  lengths: number[]
  /** The bytes of all arrays as they are packed, and as they are. */
  arrays: number
  joined: number
}

type NumberArray = Float64Array | Codes

// Unpacking takes them in this order.
const arraysOf = ({ ids, versions, byId, lexicon, columns, lists }: Segment): NumberArray[] => [
  ...[ids, versions, byId, ...arraysOfLexicon(lexicon)],
  ...columns.map(({ codes }) => codes),
  ...lists.flatMap(({ starts, codes }) => [starts, codes]),
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

const takeVocabulary = (take: Take): Vocabulary => {
  const { buffer, byteOffset, length } = take(Uint8Array)
  return { bytes: Buffer.from(buffer, byteOffset, length), starts: take(Uint32Array) }
}

const takeLexicon = (take: Take, rows: number): Lexicon => {
  const postings = (): Postings => ({
    rows,
    counts: take(Uint32Array),
    starts: take(Uint32Array),
    data: take(Uint8Array),
  })
  return {
    terms: takeVocabulary(take),
    slots: take(Uint8Array),
    endings: take(Uint32Array),
    rows: postings(),
    repeats: postings(),
    begins: postings(),
    ends: postings(),
    pairs: take(Uint32Array),
    seconds: take(Uint32Array),
    pairRows: postings(),
    grams: takeVocabulary(take),
    gramRows: postings(),
    streams: take(Uint32Array),
    stream: take(Uint8Array),
    triplePairs: take(Uint32Array),
    thirds: take(Uint32Array),
    tripleRows: postings(),
  }
}

/** A segment as compressed bytes. */
export const packSegment = (segment: Segment): Buffer => {
  const all = arraysOf(segment)
  const joined = joinAligned(all)
  const arrays = compress(joined)
  const dictionaries: Buffer[] = []
  const describe = ({ dictionary }: { dictionary: Dictionary }): DictionaryHeader => {
    const { size, values } = dictionary
    if (values && size <= smallSize) return { size, values }
    const packed = packValues(dictionary)
    dictionaries.push(packed)
    return { size, packed: packed.length }
  }
  const header: Header = {
    rows: segment.ids.length,
    collation: process.versions.icu,
    columns: segment.columns.map(describe),
    lists: segment.lists.map(describe),
    lengths: all.map(({ length }) => length),
    arrays: arrays.length,
    joined: joined.length,
  }
  const head = compress(Buffer.from(JSON.stringify(header)))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(head.length, 0)
  return Buffer.concat([prefix, head, arrays, ...dictionaries])
}

/** A segment as it was packed. Its rows may be out of order where Node's collation has become another since. */
export type Unpacked = { segment: Segment; isInOrder: boolean }

/** What was packed into bytes. That they are whole, and by the same layout, is for the caller to know. */
export const unpackSegment = (packed: Buffer): Unpacked => {
  let at = prefixBytes
  const next = (length: number): Buffer => {
    at += length
    return packed.subarray(at - length, at)
  }
  const header: Header = JSON.parse(decompress(next(packed.readUInt32LE(0))).toString())
  const take = arrayReader(decompress(next(header.arrays), header.joined), header.lengths)
  // Copied, so that the dictionaries do not hold the whole snapshot in memory.
  const dictionaryOf = ({ size, values, packed }: DictionaryHeader): Dictionary =>
    values ? { size, values } : { size, packed: Buffer.from(next(packed)) }
  const codes = (size: number): Codes => take<Codes>(codeType(size))
  const segment: Segment = {
    ids: take(Float64Array),
    versions: take(Float64Array),
    byId: take(Uint32Array),
    lexicon: takeLexicon(take, header.rows),
    columns: header.columns.map(column => ({ codes: codes(column.size), dictionary: dictionaryOf(column) })),
    lists: header.lists.map(list => ({
      starts: take(Uint32Array),
      codes: codes(list.size),
      dictionary: dictionaryOf(list),
    })),
    sortings: newSortings(),
  }
  return { segment, isInOrder: header.collation === process.versions.icu }
}
