import { type Codes, type Dictionary, dictionaryBytes, encode, passing, valuesOf } from './dictionary.ts'
import type { Scalar } from './values.ts'

/** A scalar field of all rows: a code for each row. */
export type Column = { codes: Codes; dictionary: Dictionary }

/** An id list of all rows: the codes of row n stand from `starts[n]` up to `starts[n + 1]`. */
export type ListColumn = { starts: Uint32Array; codes: Codes; dictionary: Dictionary }

/** The column of `count` values. */
export const buildColumn = (count: number, valueAt: (row: number) => Scalar): Column => encode(count, valueAt)

/** The list column of `count` lists. */
export const buildListColumn = (count: number, listAt: (row: number) => number[]): ListColumn => {
  const lists = Array.from({ length: count }, (_, row) => listAt(row))
  const starts = new Uint32Array(count + 1)
  for (const [row, list] of lists.entries()) starts[row + 1] = (starts[row] as number) + list.length
  const ids = lists.flat()
  return { starts, ...encode(ids.length, index => ids[index] as number) }
}

/** The value of a row. */
export const valueAt = ({ codes, dictionary }: Column, row: number): Scalar =>
  valuesOf(dictionary)[codes[row] as number] as Scalar

/** The ids of a row. */
export const listAt = ({ starts, codes, dictionary }: ListColumn, row: number): number[] => {
  const values = valuesOf(dictionary)
  return Array.from(codes.subarray(starts[row], starts[row + 1]), code => values[code] as number)
}

/** Unmarks the rows whose value does not pass a test; the test runs once for each distinct value. */
export const narrowByValue = (hits: Uint8Array, { codes, dictionary }: Column, test: (value: Scalar) => boolean) => {
  const passes = passing(dictionary, test)
  for (let row = 0; row < hits.length; row++) if (passes[codes[row] as number] === 0) hits[row] = 0
}

/** Unmarks the rows without an id that passes a test; empty lists pass if `empty` says so. */
export const narrowByList = (
  hits: Uint8Array,
  { starts, codes, dictionary }: ListColumn,
  test: (id: Scalar) => boolean,
  empty: boolean,
) => {
  const passes = passing(dictionary, test)
  for (let row = 0; row < hits.length; row++) {
    if (hits[row] === 0) continue
    const [start, end] = [starts[row] as number, starts[row + 1] as number]
    let found = empty && start === end
    for (let index = start; index < end && !found; index++) found = passes[codes[index] as number] === 1
    if (!found) hits[row] = 0
  }
}

/** Adds the values that marked rows have to a set. */
export const collectValues = (hits: Uint8Array, { codes, dictionary }: Column, into: Set<Scalar>) => {
  const used = new Uint8Array(dictionary.size)
  for (let row = 0; row < hits.length; row++) if (hits[row] === 1) used[codes[row] as number] = 1
  addUsed(used, dictionary, into)
}

/** Adds the ids in the lists of marked rows to a set. */
export const collectIds = (hits: Uint8Array, { starts, codes, dictionary }: ListColumn, into: Set<Scalar>) => {
  const used = new Uint8Array(dictionary.size)
  for (let row = 0; row < hits.length; row++) {
    if (hits[row] === 0) continue
    for (let index = starts[row] as number; index < (starts[row + 1] as number); index++)
      used[codes[index] as number] = 1
  }
  addUsed(used, dictionary, into)
}

const addUsed = (used: Uint8Array, dictionary: Dictionary, into: Set<Scalar>) => {
  const values = valuesOf(dictionary)
  for (const [code, mark] of used.entries()) if (mark === 1) into.add(values[code] as Scalar)
}

/** Estimated bytes of a column as it is held now. */
export const columnBytes = (column: Column | ListColumn): number =>
  column.codes.byteLength + dictionaryBytes(column.dictionary) + ('starts' in column ? column.starts.byteLength : 0)
