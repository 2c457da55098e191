import * as v from 'valibot'
import { ingredientKeys } from '../../../shared/contract/labels/label-tables.ts'
import { Facts, type Ingredient } from '../../../shared/contract/records/facts.ts'
import { FiledRangePrices, givenOnly, type ValueSchema } from '../../../shared/contract/schema/fields.ts'

const separator = '|'
const escapeItem = (item: string) => item.replace(/[\\|]/g, '\\$&')

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

// The parts of an item; an equals sign in one of them has a backslash.
const partsIn = (item: string): string[] =>
  item.split(/(?<=(?:^|[^\\])(?:\\\\)*)=/).map(part => part.replace(/\\([\\=])/g, '$1').trim())

const partsText = (parts: readonly (string | undefined)[]): string =>
  parts.flatMap(part => (part === undefined ? [] : part.replace(/[\\=]/g, '\\$&'))).join('=')

/**
 * The field that a part of an ingredient after its name gives; a part without a meaning is taken for a class, and
 * refused.
 */
const markIn = (mark: string) => {
  if (mark === 'allergen' || mark === 'and_or') return { [mark]: 1 }
  if (/^E \d/.test(mark)) return { enumber: mark }
  return { class: mark }
}

const ingredientIn = (item: string) => {
  const [name = '', ...marks] = partsIn(item)
  const isTranslation = (mark: string) => /^[a-z]{2}:/.test(mark)
  const names = marks.filter(isTranslation).map(mark => [mark.slice(0, 2), mark.slice(3).trim()])
  return {
    ...(ingredientKeys.some(key => key === name) ? { key: name } : { name }),
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...Object.assign({}, ...marks.filter(mark => !isTranslation(mark)).map(markIn)),
  }
}

const ingredientText = ({ key, name, class: given, enumber, allergen, and_or, names = {} }: Ingredient): string =>
  partsText([
    ...[key ?? name, given, enumber, allergen ? 'allergen' : undefined, and_or ? 'and_or' : undefined],
    ...Object.entries(givenOnly(names)).map(([language, text]) => `${language}:${text}`),
  ])

const packagingIn = (item: string) => {
  const [part = '', material = '', ...others] = partsIn(item)
  return { part, material: [material, ...others].join('=') }
}

/** How the items of lists of objects are read. */
const itemReaders: ReadonlyMap<ValueSchema, (item: string) => unknown> = new Map<
  ValueSchema,
  (item: string) => unknown
>([
  [FiledRangePrices, priceIn],
  [Facts.entries.ingredients, ingredientIn],
  [Facts.entries.packaging, packagingIn],
])

const hasDecimalComma = /^-?(\d{1,3}(\.\d{3})+|\d+),\d+$/

const withPoint = (number: string): string => number.replaceAll('.', '').replace(',', '.')

/** The cell with a decimal point instead of a comma, if the column requires it. */
export const withDecimalPoints = (cell: string, column: ValueSchema): string => {
  if (column === FiledRangePrices) return cell.replace(/(?<==\s*)[\d.]+,\d+(?=\s*(\||$))/g, withPoint)
  return hasDecimalComma.test(cell) && !v.is(column, cell) && v.is(column, withPoint(cell)) ? withPoint(cell) : cell
}

/**
 * The value of a CSV cell, not yet validated. Lists are written `1|2|3`, prices `name=8.90|other=7.50`, ingredients
 * `grapes|Eichenholz=other=en:Oak wood`; a backslash escapes a bar or backslash in an item. An empty cell is an empty list, null for a nullable column, else undefined. Numbers may
 * have a decimal comma.
 */
export const valueIn = (written: string, column: ValueSchema): unknown => {
  const cell = withDecimalPoints(written, column)
  const read = itemReaders.get(column)
  if (read) return itemsIn(cell).map(read)
  if (v.is(column, [])) return itemsIn(cell)
  if (cell !== '') return cell
  return v.is(column, null) ? null : undefined
}

const isPrice = (item: unknown): item is { priceRange: string; gross: string } =>
  typeof item === 'object' && item !== null && 'priceRange' in item

const isPackaging = (item: object): item is { part: string; material: string } => 'part' in item

/** An item of a list as it is written in a cell. */
export const itemText = (item: unknown): string => {
  if (isPrice(item)) return `${item.priceRange}=${item.gross}`
  if (typeof item !== 'object' || item === null) return String(item)
  return isPackaging(item) ? partsText([item.part, item.material]) : ingredientText(item)
}

/** The value as a cell that valueIn can read. */
export const cellOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(item => escapeItem(itemText(item))).join(separator)
  return value === null ? '' : String(value)
}
