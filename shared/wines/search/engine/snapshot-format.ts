import { crc32, zstdDecompressSync } from 'node:zlib'
import { idLists, kindOf, scalarFields, searchableFields } from '../../../contract/records/wine-fields.ts'
import { defaultSortOrder, type Scalar } from '../../../contract/wine-query.ts'
import { foldVersion } from '../../../text.ts'
import type { Base } from './base.ts'
import { codeType, compress, type Dictionary, packValues } from './dictionary.ts'
import type { Codes } from './numbers.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'
import { newSortings, type Sorting, sortingOf, sortingsWith } from './sorting.ts'

/*
 * mark, layout, checksum of the rest, header length (4 bytes each); header, text, arrays (zstd each); packed
 * dictionaries. Everything that is known from the header's row number and dictionary sizes is not said again.
 */
const mark = 0x54414357
const prefixBytes = 16

/** Raise it when the arrangement below changes; changed fields and folding are noticed without it. */
const format = 1

/** Tells how an index is packed and of which fields: what was packed by another is not unpacked. */
export const layout = crc32(
  JSON.stringify([format, foldVersion, searchableFields, idLists, scalarFields.map(field => [field, kindOf(field)])]),
)

/** No part of a snapshot is larger than this when it is unpacked: what claims to be is not allocated. */
const unpackedLimit = { maxOutputLength: 512 * 1024 * 1024 }

const unpacked = (packed: Buffer): Buffer => zstdDecompressSync(packed, unpackedLimit)

/** Dictionaries up to this size travel in the header and are at hand at once. */
const smallSize = 256

type DictionaryHeader =
  | { size: number; values: Scalar[]; packed?: undefined }
  | { size: number; values?: undefined; packed: number }

type Header = {
  version: number
  rows: number
  /** The collation that the stored default order was made with. */
  collation: string | undefined
  columns: DictionaryHeader[]
  lists: (DictionaryHeader & { length: number })[]
  text: number
  arrays: number
}

const isReadable = (snapshot: Buffer): boolean =>
  snapshot.length > prefixBytes &&
  snapshot.readUInt32LE(0) === mark &&
  snapshot.readUInt32LE(4) === layout &&
  snapshot.readUInt32LE(8) === crc32(snapshot.subarray(12))

type NumberArray = Float64Array | Codes

const arraysOf = (base: Base): NumberArray[] => [
  base.ids,
  base.versions,
  base.text.starts,
  sortingOf(base, defaultSortOrder).rows,
  ...base.columns.map(column => column.codes),
  ...base.lists.flatMap(list => [list.starts, list.codes]),
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
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Kind
  BYTES_PER_ELEMENT: number
}

/** Takes arrays one after the other as views of one aligned copy. */
const arrayReader = (joined: Uint8Array) => {
  const { buffer } = new Uint8Array(joined)
  let at = 0
  return <Kind>(Type: ArrayType<Kind>, length: number): Kind => {
    const array = new Type(buffer, at, length)
    at += aligned(length * Type.BYTES_PER_ELEMENT)
    return array
  }
}

/** The whole index as compressed bytes; settles its waiting changes. */
export const packSnapshot = (index: SearchIndex): Buffer => {
  const base = index.settle()
  const text = compress(base.text.bytes)
  const arrays = compress(joinAligned(arraysOf(base)))
  const dictionaries: Buffer[] = []
  const describe = ({ dictionary }: { dictionary: Dictionary }): DictionaryHeader => {
    const { size, values } = dictionary
    if (values && size <= smallSize) return { size, values }
    const packed = packValues(dictionary)
    dictionaries.push(packed)
    return { size, packed: packed.length }
  }
  const header: Header = {
    version: index.version,
    rows: base.ids.length,
    collation: process.versions.icu,
    columns: base.columns.map(describe),
    lists: base.lists.map(list => ({ ...describe(list), length: list.codes.length })),
    text: text.length,
    arrays: arrays.length,
  }
  const head = compress(Buffer.from(JSON.stringify(header)))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(mark, 0)
  prefix.writeUInt32LE(layout, 4)
  prefix.writeUInt32LE(head.length, 12)
  const snapshot = Buffer.concat([prefix, head, text, arrays, ...dictionaries])
  snapshot.writeUInt32LE(crc32(snapshot.subarray(12)), 8)
  return snapshot
}

/** The index of a snapshot; undefined if it is damaged, or made by other rules of layout or folding. */
export const unpackSnapshot = (snapshot: Buffer): SearchIndex | undefined => {
  if (!isReadable(snapshot)) return undefined
  let at = prefixBytes
  const next = (length: number): Buffer => {
    at += length
    return snapshot.subarray(at - length, at)
  }
  const header: Header = JSON.parse(unpacked(next(snapshot.readUInt32LE(12))).toString())
  const bytes = unpacked(next(header.text))
  const take = arrayReader(unpacked(next(header.arrays)))
  // Copied, so that the dictionaries do not hold the whole snapshot in memory.
  const dictionaryOf = ({ size, values, packed }: DictionaryHeader): Dictionary =>
    values ? { size, values } : { size, packed: Buffer.from(next(packed)) }
  const { rows } = header
  const codes = (size: number, length: number): Codes => take<Codes>(codeType(size), length)
  const ids = take(Float64Array, rows)
  const versions = take(Float64Array, rows)
  const starts = take(Uint32Array, rows + 1)
  const sorting: Sorting = { rows: take(Uint32Array, rows), places: new WeakMap() }
  const base: Base = {
    ids,
    versions,
    text: { bytes, starts },
    // Another collation may sort otherwise.
    sortings: header.collation === process.versions.icu ? sortingsWith(defaultSortOrder, sorting) : newSortings(),
    columns: header.columns.map(column => ({ codes: codes(column.size, rows), dictionary: dictionaryOf(column) })),
    lists: header.lists.map(list => ({
      starts: take(Uint32Array, rows + 1),
      codes: codes(list.size, list.length),
      dictionary: dictionaryOf(list),
    })),
  }
  return createSearchIndex(base, header.version)
}
