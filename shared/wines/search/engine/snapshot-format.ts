import { crc32, zstdDecompressSync } from 'node:zlib'
import { foldVersion } from '../../../text.ts'
import type { Base } from './base.ts'
import { type Codes, codeType, compress, type Dictionary, packValues } from './dictionary.ts'
import { idLists, kindOf, scalarFields, searchableFields } from './fields.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'
import { defaultSortOrder, sortOrderKey } from './sort-order.ts'
import { sortingOf } from './sorting.ts'

/*
 * mark, layout, checksum of the rest, header length (4 bytes each); header, text, arrays (zstd each); packed
 * dictionaries. Everything that is known from the header's row number and dictionary sizes is not said again.
 */
const MARK = 0x54414357
const PREFIX = 16

/** Raise it when the arrangement below changes; changed fields and folding are noticed without it. */
const FORMAT = 1
const LAYOUT = crc32(
  JSON.stringify([FORMAT, foldVersion, searchableFields, idLists, scalarFields.map(field => [field, kindOf(field)])]),
)

/** Dictionaries up to this size travel in the header and are at hand at once. */
const SMALL = 256

type DictionaryHeader = Pick<Dictionary, 'size' | 'values'> & { packed?: number }

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

/** The whole catalogue as compressed bytes; settles its waiting changes. */
export const packSnapshot = (catalogue: SearchIndex): Buffer => {
  const base = catalogue.settle()
  const text = compress(base.text.bytes)
  const arrays = compress(joinAligned(arraysOf(base)))
  const dictionaries: Buffer[] = []
  const describe = ({ dictionary }: { dictionary: Dictionary }): DictionaryHeader => {
    const { size, values } = dictionary
    if (values && size <= SMALL) return { size, values }
    const packed = packValues(dictionary)
    dictionaries.push(packed)
    return { size, packed: packed.length }
  }
  const header: Header = {
    version: catalogue.version,
    rows: base.ids.length,
    collation: process.versions.icu,
    columns: base.columns.map(describe),
    lists: base.lists.map(list => ({ ...describe(list), length: list.codes.length })),
    text: text.length,
    arrays: arrays.length,
  }
  const head = compress(Buffer.from(JSON.stringify(header)))
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32LE(MARK, 0)
  prefix.writeUInt32LE(LAYOUT, 4)
  prefix.writeUInt32LE(head.length, 12)
  const snapshot = Buffer.concat([prefix, head, text, arrays, ...dictionaries])
  snapshot.writeUInt32LE(crc32(snapshot.subarray(12)), 8)
  return snapshot
}

/** The catalogue of a snapshot; undefined if it is damaged, or made by other rules of layout or folding. */
export const unpackSnapshot = (snapshot: Buffer): SearchIndex | undefined => {
  if (!isReadable(snapshot)) return undefined
  let at = PREFIX
  const next = (length: number): Buffer => {
    at += length
    return snapshot.subarray(at - length, at)
  }
  const header = JSON.parse(zstdDecompressSync(next(snapshot.readUInt32LE(12))).toString()) as Header
  const bytes = zstdDecompressSync(next(header.text))
  const take = arrayReader(zstdDecompressSync(next(header.arrays)))
  // Copied, so that the dictionaries do not hold the whole snapshot in memory.
  const dictionaryOf = ({ size, values, packed }: DictionaryHeader): Dictionary =>
    values ? { size, values } : { size, packed: Buffer.from(next(packed as number)) }
  const { rows } = header
  const codes = (size: number, length: number): Codes => take(codeType(size) as ArrayType<Codes>, length)
  const base: Base = {
    ids: take(Float64Array, rows),
    versions: take(Float64Array, rows),
    text: { bytes, starts: take(Uint32Array, rows + 1) },
    sortings: new Map([[sortOrderKey(defaultSortOrder), { rows: take(Uint32Array, rows), places: new WeakMap() }]]),
    columns: header.columns.map(column => ({ codes: codes(column.size, rows), dictionary: dictionaryOf(column) })),
    lists: header.lists.map(list => ({
      starts: take(Uint32Array, rows + 1),
      codes: codes(list.size, list.length),
      dictionary: dictionaryOf(list),
    })),
  }
  if (header.collation !== process.versions.icu) base.sortings.clear()
  return createSearchIndex(base, header.version)
}

const isReadable = (snapshot: Buffer): boolean =>
  snapshot.length > PREFIX &&
  snapshot.readUInt32LE(0) === MARK &&
  snapshot.readUInt32LE(4) === LAYOUT &&
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

const ALIGNMENT = 8

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT

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
