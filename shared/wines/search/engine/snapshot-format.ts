import { crc32 } from 'node:zlib'
import { idLists, kindOf, scalarFields, searchableFields } from '../../../contract/records/wine-fields.ts'
import type { Scalar } from '../../../contract/wine-query.ts'
import { foldVersion } from '../../../text.ts'
import { codeType, compress, type Dictionary, decompress, packValues } from './dictionary.ts'
import { type Lexicon, partsOfLexicon } from './lexicon.ts'
import type { Codes } from './numbers.ts'
import type { Postings } from './postings.ts'
import type { Segment } from './segment.ts'
import { newSortings } from './sorting.ts'
import type { Vocabulary } from './vocabulary.ts'

/*
 * Length of the header (4 bytes); header; parts, which are arrays; packed dictionaries (zstd each). A part is unpacked when
 * one of its arrays is first looked at: a new instance has one search to answer, which needs few of them.
 */
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

/** How many numbers each array of a part has, and the bytes of all of them as they are packed, and as they are. */
type PartHeader = { lengths: number[]; packed: number; joined: number }

type Header = {
  rows: number
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
  bytes: Buffer,
  { lengths, joined }: PartHeader,
  taken: (take: Take) => Arrays,
): Part<Arrays> => {
  // Copied, so that no part keeps all of them in memory.
  let packed: Buffer | undefined = Buffer.from(bytes)
  let arrays: Arrays | undefined
  return {
    arrays: () => {
      if (packed) arrays = taken(arrayReader(decompress(packed, joined), lengths))
      packed = undefined
      return arrays as Arrays
    },
    held: () => packed?.length ?? joined,
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

const takeGrams = (rows: number) => (take: Take) => ({
  grams: takeVocabulary(take),
  gramRows: postingsReader(take, rows)(),
})

const takeNeighbours = (rows: number) => (take: Take) => {
  const postings = postingsReader(take, rows)
  return {
    endings: take(Uint32Array),
    repeats: postings(),
    begins: postings(),
    ends: postings(),
    pairs: take(Uint32Array),
    seconds: take(Uint32Array),
    pairRows: postings(),
    streams: take(Uint32Array),
    stream: take(Uint8Array),
    triplePairs: take(Uint32Array),
    thirds: take(Uint32Array),
    tripleRows: postings(),
  }
}

type Taken<Taking extends (rows: number) => (take: Take) => unknown> = Part<ReturnType<ReturnType<Taking>>>

/** One object of what parts hold, each of which is unpacked when something of it is first looked at. */
const joinedLexicon = (
  terms: Taken<typeof takeTerms>,
  grams: Taken<typeof takeGrams>,
  neighbours: Taken<typeof takeNeighbours>,
): Lexicon => {
  const lexicon = { held: () => terms.held() + grams.held() + neighbours.held() }
  const show = <Arrays extends object>({ arrays }: Part<Arrays>, names: readonly (keyof Arrays)[]) => {
    for (const name of names) Object.defineProperty(lexicon, name, { get: () => arrays()[name], enumerable: true })
  }
  show(terms, ['terms', 'slots', 'rows'])
  show(grams, ['grams', 'gramRows'])
  show(neighbours, ['endings', 'repeats', 'begins', 'ends', 'pairs', 'seconds', 'pairRows'])
  show(neighbours, ['streams', 'stream', 'triplePairs', 'thirds', 'tripleRows'])
  return lexicon as Lexicon
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
    return { size, packed: packed.length }
  }
  const header: Header = {
    rows: segment.ids.length,
    collation: process.versions.icu,
    columns: segment.columns.map(describe),
    lists: segment.lists.map(describe),
    parts: parts.map(({ packed, ...part }) => ({ ...part, packed: packed.length })),
  }
  const head = compress(Buffer.from(JSON.stringify(header)))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(head.length, 0)
  return Buffer.concat([prefix, head, ...parts.map(({ packed }) => packed), ...dictionaries])
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
  const { rows, collation, columns, lists, parts }: Header = JSON.parse(
    decompress(next(packed.readUInt32LE(0))).toString(),
  )
  let place = 0
  const part = <Arrays>(taken: (take: Take) => Arrays): Part<Arrays> => {
    const header = parts[place++] as PartHeader
    return partOf(next(header.packed), header, taken)
  }
  const base = part(take => ({ ids: take(Float64Array), versions: take(Float64Array), byId: take(Uint32Array) }))
  const lexicon = joinedLexicon(part(takeTerms(rows)), part(takeGrams(rows)), part(takeNeighbours(rows)))
  const codesIn = (size: number) => (take: Take) => take<Codes>(codeType(size))
  const scalars = columns.map(({ size }) => part(take => ({ codes: codesIn(size)(take) })))
  const listed = lists.map(({ size }) => part(take => ({ starts: take(Uint32Array), codes: codesIn(size)(take) })))
  const dictionaryOf = ({ size, values, packed }: DictionaryHeader): Dictionary =>
    values ? { size, values } : { size, packed: Buffer.from(next(packed)) }
  const segment: Segment = {
    ...base.arrays(),
    lexicon,
    columns: scalars.map(({ arrays, held }, n) => ({
      get codes() {
        return arrays().codes
      },
      held,
      dictionary: dictionaryOf(columns[n] as DictionaryHeader),
    })),
    lists: listed.map(({ arrays, held }, n) => ({
      get starts() {
        return arrays().starts
      },
      get codes() {
        return arrays().codes
      },
      held,
      dictionary: dictionaryOf(lists[n] as DictionaryHeader),
    })),
    sortings: newSortings(),
  }
  return { segment, isInOrder: collation === process.versions.icu }
}
