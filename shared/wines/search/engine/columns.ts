import type { Scalar } from '../../../contract/wine-query.ts'
import { type Dictionary, dictionaryBytes, encode, passing, valuesOf } from './dictionary.ts'
import { type Codes, numberAt } from './numbers.ts'

/** A scalar field of all rows: a code for each row. */
export type Column = { codes: Codes; dictionary: Dictionary }

/** An id list of all rows: the codes of row n stand from `starts[n]` up to `starts[n + 1]`. */
export type ListColumn = { starts: Uint32Array; codes: Codes; dictionary: Dictionary }

/** The column of values, one a row. */
export const buildColumn = (values: readonly Scalar[]): Column => encode(values)

/** The list column of lists, one a row. */
export const buildListColumn = (lists: readonly (readonly number[])[]): ListColumn => {
  const starts = new Uint32Array(lists.length + 1)
  let end = 0
  for (const [row, list] of lists.entries()) {
    end += list.length
    starts[row + 1] = end
  }
  return { starts, ...encode(lists.flat()) }
}

/** The column at the place of its field. Throws RangeError when there is none. */
export const columnAt = <C extends Column | ListColumn>(columns: readonly C[], place: number): C => {
  const column = columns[place]
  if (!column) throw new RangeError(`the index has no column ${place}`)
  return column
}

/** The value of a row. */
export const valueAt = ({ codes, dictionary }: Column, row: number): Scalar =>
  valuesOf(dictionary)[numberAt(codes, row)] ?? null

/** The ids of a row. */
export const listAt = ({ starts, codes, dictionary }: ListColumn, row: number): number[] => {
  const values = valuesOf(dictionary)
  return Array.from(codes.subarray(starts[row], starts[row + 1]), code => Number(values[code]))
}

/** Unmarks the rows whose value does not pass a test; the test runs once for each distinct value. */
export const narrowByValue = (hits: Uint8Array, { codes, dictionary }: Column, test: (value: Scalar) => boolean) => {
  const passes = passing(dictionary, test)
  for (let row = 0; row < hits.length; row++) if (passes[numberAt(codes, row)] === 0) hits[row] = 0
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
    const [start, end] = [numberAt(starts, row), numberAt(starts, row + 1)]
    let found = empty && start === end
    for (let index = start; index < end && !found; index++) found = passes[numberAt(codes, index)] === 1
    if (!found) hits[row] = 0
  }
}

const addUsed = (used: Uint8Array, dictionary: Dictionary, into: Set<Scalar>) => {
  for (const [code, value] of valuesOf(dictionary).entries()) if (used[code] === 1) into.add(value)
}

/** Adds the values that marked rows have to a set. */
export const collectValues = (hits: Uint8Array, { codes, dictionary }: Column, into: Set<Scalar>) => {
  const used = new Uint8Array(dictionary.size)
  for (let row = 0; row < hits.length; row++) if (hits[row] === 1) used[numberAt(codes, row)] = 1
  addUsed(used, dictionary, into)
}

/** Adds the ids in the lists of marked rows to a set. */
export const collectIds = (hits: Uint8Array, { starts, codes, dictionary }: ListColumn, into: Set<Scalar>) => {
  const used = new Uint8Array(dictionary.size)
  for (let row = 0; row < hits.length; row++) {
    if (hits[row] === 0) continue
    const end = numberAt(starts, row + 1)
    for (let index = numberAt(starts, row); index < end; index++) used[numberAt(codes, index)] = 1
  }
  addUsed(used, dictionary, into)
}

const addCounts = (counts: Uint32Array, dictionary: Dictionary, into: Counts) => {
  for (const [code, value] of valuesOf(dictionary).entries()) {
    const count = numberAt(counts, code)
    if (count > 0) into.set(value, (into.get(value) ?? 0) + count)
  }
}

/** How many rows have a value, by value. */
export type Counts = Map<Scalar, number>

/** Adds how many marked rows have each value. */
export const countValues = (hits: Uint8Array, { codes, dictionary }: Column, into: Counts) => {
  const counts = new Uint32Array(dictionary.size)
  for (let row = 0; row < hits.length; row++) {
    if (hits[row] === 0) continue
    const code = numberAt(codes, row)
    counts[code] = numberAt(counts, code) + 1
  }
  addCounts(counts, dictionary, into)
}

/** Adds how many marked rows have each id in their list; one that is in it twice counts once. */
export const countIds = (hits: Uint8Array, { starts, codes, dictionary }: ListColumn, into: Counts) => {
  const counts = new Uint32Array(dictionary.size)
  const countedTo = new Uint32Array(dictionary.size)
  for (let row = 0; row < hits.length; row++) {
    if (hits[row] === 0) continue
    const end = numberAt(starts, row + 1)
    for (let index = numberAt(starts, row); index < end; index++) {
      const code = numberAt(codes, index)
      if (countedTo[code] === row + 1) continue
      countedTo[code] = row + 1
      counts[code] = numberAt(counts, code) + 1
    }
  }
  addCounts(counts, dictionary, into)
}

/** Estimated bytes of a column as it is held now. */
export const columnBytes = (column: Column | ListColumn): number =>
  column.codes.byteLength + dictionaryBytes(column.dictionary) + ('starts' in column ? column.starts.byteLength : 0)
