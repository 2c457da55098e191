import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Kind } from './fields.ts'
import { compareKeys, type Scalar, sortKey } from './values.ts'

/** Positions in a dictionary, in the narrowest type that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array

/**
 * The distinct values of a column, in no particular order. Large ones rest packed and are unpacked when a search
 * needs the values themselves, so that texts wanted for sorting only cost little until somebody sorts by them.
 */
export type Dictionary = {
  size: number
  values?: Scalar[]
  packed?: Buffer
  rank?: Uint32Array
  /** Estimated bytes of the unpacked values, once somebody asked. */
  valueBytes?: number
}

/** The values of a dictionary by code. */
export const valuesOf = (dictionary: Dictionary): Scalar[] => {
  dictionary.values ??= JSON.parse(zstdDecompressSync(dictionary.packed as Buffer).toString()) as Scalar[]
  return dictionary.values
}

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Compresses bytes the way all stored parts of a catalogue are compressed. */
export const compress = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes, LEVEL)

/** The packed values of a dictionary; the unpacked ones are let go. */
export const packValues = (dictionary: Dictionary): Buffer => {
  // JSON keeps every string exactly, lone surrogates and separators included.
  dictionary.packed ??= compress(Buffer.from(JSON.stringify(dictionary.values)))
  dictionary.values = undefined
  return dictionary.packed
}

/** The rank of every code in ascending order; values that sort alike share a rank. */
export const rankOf = (dictionary: Dictionary, kind: Kind): Uint32Array => {
  dictionary.rank ??= rankKeys(valuesOf(dictionary).map(value => sortKey(kind, value)))
  return dictionary.rank
}

const rankKeys = (keys: Scalar[]): Uint32Array => {
  const keyAt = (code: number): Scalar => keys[code] as Scalar
  const ascending = Uint32Array.from(keys.keys()).sort((a, b) => compareKeys(keyAt(a), keyAt(b)))
  const rank = new Uint32Array(keys.length)
  for (let place = 1; place < ascending.length; place++) {
    const [before, code] = [ascending[place - 1] as number, ascending[place] as number]
    rank[code] = (rank[before] as number) + (compareKeys(keyAt(before), keyAt(code)) === 0 ? 0 : 1)
  }
  return rank
}

/** Marks the codes whose value passes a test. */
export const passing = (dictionary: Dictionary, test: (value: Scalar) => boolean): Uint8Array =>
  Uint8Array.from(valuesOf(dictionary), value => (test(value) ? 1 : 0))

/** Codes and dictionary of a sequence of values. */
export const encode = (count: number, valueAt: (index: number) => Scalar): { codes: Codes; dictionary: Dictionary } => {
  const seen = new Map<Scalar, number>()
  const wide = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    const value = valueAt(index)
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

/** The narrowest array type for the codes of a dictionary of a given size. */
export const codeType = (size: number): Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor => {
  if (size <= 0x100) return Uint8Array
  return size <= 0x10000 ? Uint16Array : Uint32Array
}

const STRING_OVERHEAD = 32

/** Estimated bytes of a dictionary as it is held now. */
export const dictionaryBytes = (dictionary: Dictionary): number => {
  const { values, packed, rank } = dictionary
  if (values) dictionary.valueBytes ??= values.reduce<number>((sum, value) => sum + heapBytes(value), 0)
  return (values ? (dictionary.valueBytes as number) : 0) + (packed?.length ?? 0) + (rank?.byteLength ?? 0)
}

const heapBytes = (value: Scalar): number => (typeof value === 'string' ? STRING_OVERHEAD + 2 * value.length : 8)
