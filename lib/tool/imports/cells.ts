import * as v from 'valibot'
import { FiledRangePrices, type ValueSchema } from '../../../shared/contract/records/fields.ts'

const separator = '|'
const escaped = (item: string) => item.replace(/[\\|]/g, '\\$&')

// A bar separates items if an even number of backslashes precedes it.
const unescapedSeparator = /(?<=(?:^|[^\\])(?:\\\\)*)\|/

const itemsIn = (cell: string): string[] =>
  cell === '' ? [] : cell.split(unescapedSeparator).map(item => item.replace(/\\([\\|])/g, '$1').trim())

const priceIn = (item: string) => {
  const at = item.lastIndexOf('=')
  return at < 0
    ? { priceRange: item, gross: '' }
    : { priceRange: item.slice(0, at).trim(), gross: item.slice(at + 1).trim() }
}

const hasDecimalComma = /^-?(\d{1,3}(\.\d{3})+|\d+),\d+$/

const withPoint = (number: string): string => number.replaceAll('.', '').replace(',', '.')

/** The cell with a decimal point instead of a comma, if the column requires it. */
export const pointed = (cell: string, column: ValueSchema): string => {
  if (column === FiledRangePrices) return cell.replace(/(?<==\s*)[\d.]+,\d+(?=\s*(\||$))/g, withPoint)
  return hasDecimalComma.test(cell) && !v.is(column, cell) && v.is(column, withPoint(cell)) ? withPoint(cell) : cell
}

/**
 * The value of a CSV cell, not yet validated. Lists are written `1|2|3`, prices `name=8.90|other=7.50`; a backslash escapes
 * a bar or backslash in an item. An empty cell is an empty list, null for a nullable column, else undefined. Numbers may
 * have a decimal comma.
 */
export const valueIn = (written: string, column: ValueSchema): unknown => {
  const cell = pointed(written, column)
  if (column === FiledRangePrices) return itemsIn(cell).map(priceIn)
  if (v.is(column, [])) return itemsIn(cell)
  if (cell !== '') return cell
  return v.is(column, null) ? null : undefined
}

const isPrice = (item: unknown): item is { priceRange: string; gross: string } =>
  typeof item === 'object' && item !== null && 'priceRange' in item

const itemText = (item: unknown): string => (isPrice(item) ? `${item.priceRange}=${item.gross}` : String(item))

/** The value as a cell that valueIn can read. */
export const cellOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(item => escaped(itemText(item))).join(separator)
  return value === null ? '' : String(value)
}
