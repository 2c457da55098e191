import type { Scalar } from '../contract/schema/wine-query.ts'
import { type Bits, forEachBit, noBits, setBit } from './bits.ts'
import { type Dictionary, dictionaryBytes, encode, valuesOf } from './dictionary.ts'
import { bytesOf, type Codes, numberAt, offsetsOf } from './numbers.ts'
import { addPostings, type Postings, PostingsWriter, postingsBytes } from './postings.ts'

type Shared = {
  dictionary: Dictionary
  /** The bytes of its arrays, if they may still be packed. */
  held?: () => number
  /** Made when first needed. */
  valueRows?: Postings
}

/** A scalar field of all rows: a code for each row. */
export type Column = Shared & { codes: Codes }

/** An id list of all rows: the codes of row n are from `starts[n]` up to `starts[n + 1]`. */
export type ListColumn = Shared & { starts: Uint32Array; codes: Codes }

/** A column of one value a row. */
export const buildColumn = (values: readonly Scalar[]): Column => encode(values)

/** A column of one list a row. */
export const buildListColumn = (lists: readonly (readonly number[])[]): ListColumn => {
  const starts = new Uint32Array(lists.length + 1)
  let end = 0
  for (const [row, list] of lists.entries()) {
    end += list.length
    starts[row + 1] = end
  }
  return { starts, ...encode(lists.flat()) }
}

/** The column at the place of its field. Throws RangeError if there is none. */
export const columnAt = <C extends Column | ListColumn>(columns: readonly C[], place: number): C => {
  const column = columns[place]
  if (!column) throw new RangeError(`the index has no column ${place}`)
  return column
}

export const valueAt = ({ codes, dictionary }: Column, row: number): Scalar =>
  valuesOf(dictionary)[numberAt(codes, row)] ?? null

export const listAt = ({ starts, codes, dictionary }: ListColumn, row: number): number[] => {
  const values = valuesOf(dictionary)
  return Array.from(codes.subarray(starts[row], starts[row + 1]), code => Number(values[code]))
}

const rowCount = (column: Column | ListColumn): number =>
  'starts' in column ? column.starts.length - 1 : column.codes.length

/** Calls for each code of a row; twice for a code that is twice in its list. */
const eachCode = (column: Column | ListColumn, row: number, act: (code: number) => void): void => {
  if (!('starts' in column)) {
    act(numberAt(column.codes, row))
    return
  }
  const end = numberAt(column.starts, row + 1)
  for (let index = numberAt(column.starts, row); index < end; index++) act(numberAt(column.codes, index))
}

/** The rows of each code, ascending; each once. */
const valueRowsOf = (column: Column | ListColumn): Postings => {
  const { size } = column.dictionary
  const count = rowCount(column)
  const starts = offsetsOf(column.codes, size)
  const ends = starts.slice(0, -1)
  const rows = new Uint32Array(column.codes.length)
  for (let row = 0; row < count; row++) {
    eachCode(column, row, code => {
      const end = ends[code]
      if (end > starts[code] && rows[end - 1] === row) return
      rows[end] = row
      ends[code] = end + 1
    })
  }
  const writer = new PostingsWriter(count)
  for (let code = 0; code < size; code++) writer.add(rows.subarray(starts[code], ends[code]))
  return writer.finish()
}

/** Adds the rows with any of some codes. The inverted index of the column is built once. */
export const addValueRows = (bits: Bits, column: Column | ListColumn, codes: Iterable<number>): void => {
  column.valueRows ??= valueRowsOf(column)
  for (const code of codes) addPostings(bits, column.valueRows, code)
}

/** The rows whose value passes a test, which runs once for each distinct value. */
export const rowsPassing = ({ codes, dictionary }: Column, test: (value: Scalar) => boolean): Bits => {
  const passes = Uint8Array.from(valuesOf(dictionary), value => (test(value) ? 1 : 0))
  const bits = noBits(codes.length)
  for (let row = 0; row < codes.length; row++) if (passes[numberAt(codes, row)] === 1) setBit(bits, row)
  return bits
}

/** The rows whose list is empty. */
export const rowsWithout = ({ starts }: ListColumn): Bits => {
  const bits = noBits(starts.length - 1)
  for (let row = 0; row < starts.length - 1; row++) if (starts[row] === starts[row + 1]) setBit(bits, row)
  return bits
}

/** The number of rows of each value. */
export type Counts = Map<Scalar, number>

/** Adds the number of rows of a set with each value, or with each id in their list, where a repeated id counts once. */
export const addCounts = (bits: Bits, column: Column | ListColumn, into: Counts): void => {
  const counts = new Uint32Array(column.dictionary.size)
  const countedTo = new Uint32Array(column.dictionary.size)
  forEachBit(bits, row =>
    eachCode(column, row, code => {
      if (countedTo[code] === row + 1) return
      countedTo[code] = row + 1
      counts[code] = numberAt(counts, code) + 1
    }),
  )
  for (const [code, value] of valuesOf(column.dictionary).entries()) {
    const count = numberAt(counts, code)
    if (count > 0) into.set(value, (into.get(value) ?? 0) + count)
  }
}

/** Estimated bytes of a column in memory. */
export const columnBytes = (column: Column | ListColumn): number =>
  (column.held?.() ?? bytesOf('starts' in column ? [column.codes, column.starts] : [column.codes])) +
  dictionaryBytes(column.dictionary) +
  (column.valueRows ? postingsBytes(column.valueRows) : 0)
