import { type FieldSchema, isNullable } from './values.ts'

const separator = '|'
const escaped = (item: string) => item.replace(/[\\|]/g, '\\$&')

// A bar stands between items where an even number of backslashes stands before it.
const unescapedSeparator = /(?<=(?:^|[^\\])(?:\\\\)*)\|/

/** The items of a list cell, `1|2|3`; a bar or backslash inside an item has a backslash before it. */
export const splitUp = (cell: string): string[] =>
  cell === '' ? [] : cell.split(unescapedSeparator).map(item => item.replace(/\\([\\|])/g, '$1').trim())

const priceIn = (item: string) => {
  const at = item.lastIndexOf('=')
  return at < 0
    ? { priceRange: item, gross: '' }
    : { priceRange: item.slice(0, at).trim(), gross: item.slice(at + 1).trim() }
}

/** The prices of a cell, `name=8.90|other=7.50`, still unchecked. */
export const pricesIn = (cell: string): unknown[] => splitUp(cell).map(priceIn)

/** How the cells of columns that hold lists are read. */
export type ListCells = Readonly<Record<string, (cell: string) => unknown[]>>

/** What a cell says of a field: empty, it is null where null clears the field, and otherwise nothing at all. */
export const cellValue = (schema: FieldSchema<unknown>, cell: string): unknown => {
  if (cell !== '') return cell
  return isNullable(schema) ? null : undefined
}

const itemText = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const { priceRange, gross } = item as { priceRange: string; gross: string }
  return `${priceRange}=${gross}`
}

/** The value as a cell that is read back as the same. */
export const cellOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(item => escaped(itemText(item))).join(separator)
  return value === null ? '' : String(value)
}

/** A column with a value, or nothing for a key that is not given. */
export const cellsOf = (row: object, columnOf = (key: string) => key): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) => (value === undefined ? [] : [[columnOf(key), cellOf(value)]])),
  )

/** The columns that at least one of the records fills or empties, in their order: the header of a file. */
export const usedColumns = (
  columns: readonly string[],
  records: readonly Readonly<Record<string, string>>[],
): string[] => columns.filter(column => records.some(record => Object.hasOwn(record, column)))
