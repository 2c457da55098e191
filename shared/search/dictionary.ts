import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Kind } from '../contract/records/wine-fields.ts'
import type { Scalar } from '../contract/schema/wine-query.ts'
import type { Codes } from './numbers.ts'
import { compareKeys, sortKey } from './values.ts'

/**
 * The distinct values of a column, in no particular order. Large dictionaries stay packed until a search needs the values
 * themselves: texts that are only sorted by cost little until a request sorts by them.
 */
export type Dictionary = {
  size: number
  values?: Scalar[]
  /** The packed values, and their bytes in memory. */
  packed?: { bytes: () => Buffer; held: () => number }
  rank?: Uint32Array
  /** The codes by the sort keys of their values. */
  codesByKey?: Map<Scalar, number[]>
  /** Estimated bytes of the unpacked values, once computed. */
  valueBytes?: number
}

/** The most bytes of an unpacked part of a snapshot: a larger part is not allocated. */
const unpackedLimit = { maxOutputLength: 512 * 1024 * 1024 }

/** Decompresses a part. Throws if it is larger than any part may be. With a known size, memory is allocated once. */
export const decompress = (packed: Buffer, bytes = 0): Buffer =>
  zstdDecompressSync(packed, {
    ...unpackedLimit,
    ...(bytes > 0 && { chunkSize: Math.min(unpackedLimit.maxOutputLength, Math.max(64, bytes + 1)) }),
  })

const unpack = ({ packed }: Dictionary): Scalar[] => {
  if (!packed) throw new TypeError('a dictionary has its values or has them packed')
  return JSON.parse(decompress(packed.bytes()).toString())
}

/** The values of a dictionary by code. */
export const valuesOf = (dictionary: Dictionary): Scalar[] => {
  dictionary.values ??= unpack(dictionary)
  return dictionary.values
}

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Compresses a part. */
export const compress = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes, fast)

/** The packed values of a dictionary; releases the unpacked values. */
export const packValues = (dictionary: Dictionary): Buffer => {
  // JSON keeps every string exactly, lone surrogates and separators included.
  if (!dictionary.packed) {
    const bytes = compress(Buffer.from(JSON.stringify(dictionary.values)))
    dictionary.packed = { bytes: () => bytes, held: () => bytes.length }
  }
  dictionary.values = undefined
  return dictionary.packed.bytes()
}

const rankKeys = (keys: readonly Scalar[]): Uint32Array => {
  const ascending = [...keys.entries()].sort(([, a], [, b]) => compareKeys(a, b))
  const ranks = new Uint32Array(keys.length)
  let rank = 0
  let before: Scalar = null
  for (const [place, [code, key]] of ascending.entries()) {
    if (place > 0 && compareKeys(before, key) !== 0) rank++
    ranks[code] = rank
    before = key
  }
  return ranks
}

/** The rank of every code in ascending order; values that sort alike share a rank. */
export const rankOf = (dictionary: Dictionary, kind: Kind): Uint32Array => {
  dictionary.rank ??= rankKeys(valuesOf(dictionary).map(value => sortKey(kind, value)))
  return dictionary.rank
}

/** The codes of the values with any of some sort keys. */
export const codesOf = (dictionary: Dictionary, kind: Kind, keys: readonly Scalar[]): Set<number> => {
  dictionary.codesByKey ??= Map.groupBy(valuesOf(dictionary).keys(), code =>
    sortKey(kind, valuesOf(dictionary)[code] ?? null),
  )
  return new Set(keys.flatMap(key => dictionary.codesByKey?.get(key) ?? []))
}

/** The narrowest array type for the codes of a dictionary of a given size. */
export const codeType = (size: number): Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor => {
  if (size <= 0x100) return Uint8Array
  return size <= 0x10000 ? Uint16Array : Uint32Array
}

/** Dictionary-encodes a sequence of values. */
export const encode = (all: readonly Scalar[]): { codes: Codes; dictionary: Dictionary } => {
  const seen = new Map<Scalar, number>()
  const wide = new Uint32Array(all.length)
  for (const [index, value] of all.entries()) {
    let code = seen.get(value)
    if (code === undefined) {
      code = seen.size
      seen.set(value, code)
    }
    wide[index] = code
  }
  const Narrowest = codeType(seen.size)
  return { codes: Narrowest.from(wide), dictionary: { size: seen.size, values: [...seen.keys()] } }
}

const stringOverhead = 32

const heapBytes = (value: Scalar): number => (typeof value === 'string' ? stringOverhead + 2 * value.length : 8)

const heapBytesOf = (dictionary: Dictionary, values: readonly Scalar[]): number => {
  dictionary.valueBytes ??= values.reduce<number>((sum, value) => sum + heapBytes(value), 0)
  return dictionary.valueBytes
}

// An entry of a map, and an array of one code.
const keyOverhead = 72

/** Estimated bytes of a dictionary in memory. */
export const dictionaryBytes = (dictionary: Dictionary): number => {
  const { size, values, packed, rank, codesByKey } = dictionary
  const made = (rank?.byteLength ?? 0) + (codesByKey ? size * keyOverhead : 0)
  return (values ? heapBytesOf(dictionary, values) : 0) + (packed?.held() ?? 0) + made
}
