import { cellsOf, cellValue, type ListCells, pricesIn, splitUp, usedColumns } from '../imports/cells.ts'
import { fields, wineryFields } from './import-fields.ts'
import type { ImportRow, ImportWinery } from './import-row.ts'

const wineryPrefix = 'winery_'

const isKeyOf = <Table extends object>(table: Table, key: string): key is Extract<keyof Table, string> =>
  Object.hasOwn(table, key)

/** The winery's key that a column of a CSV file holds, if it is one of the winery's columns. */
export const wineryKeyOf = (column: string): keyof ImportWinery | undefined => {
  if (column === 'winery') return 'name'
  const key = column.startsWith(wineryPrefix) ? column.slice(wineryPrefix.length) : ''
  return key !== 'name' && isKeyOf(wineryFields, key) ? key : undefined
}

/** The column of a CSV file that holds a key of the winery. */
export const wineryColumn = (key: string): string => (key === 'name' ? 'winery' : wineryPrefix + key)

/** Every column a CSV file may have, in the order in which files are written. */
export const csvColumns: readonly string[] = [...Object.keys(fields), ...Object.keys(wineryFields).map(wineryColumn)]

const lists: ListCells = {
  allergenIds: splitUp,
  grapetypeIds: splitUp,
  categories: splitUp,
  prices: pricesIn,
}

/**
 * The values of a CSV record by key, still unchecked: an empty cell is null where null clears the field, the empty
 * list for lists, and nothing given otherwise. Unknown columns are left out.
 */
export const structured = (record: Readonly<Record<string, string | null>>): Map<string, unknown> => {
  const given = new Map<string, unknown>()
  const winery = new Map<string, unknown>()
  for (const [column, raw] of Object.entries(record)) {
    const cell = raw?.trim() ?? ''
    const wineryKey = wineryKeyOf(column)
    if (wineryKey) winery.set(wineryKey, cellValue(wineryFields[wineryKey], cell))
    else if (Object.hasOwn(lists, column)) given.set(column, lists[column]?.(cell))
    else if (isKeyOf(fields, column)) given.set(column, cellValue(fields[column], cell))
  }
  // Without a winery the file's other winery cells of this line are empty too; one that is filled needs its name.
  if ([...winery.values()].some(value => value !== undefined && value !== null)) given.set('winery', winery)
  return given
}

/** The row as a CSV record that parseRow reads back; columns of keys the row does not give are left out. */
export const toCsvRecord = ({ winery, ...row }: ImportRow): Record<string, string> => ({
  ...cellsOf(row),
  ...cellsOf(winery ?? {}, wineryColumn),
})

/** The columns that at least one of the records fills or empties, in the order of csvColumns: the header of a file. */
export const columnsOf = (records: readonly Readonly<Record<string, string>>[]): string[] =>
  usedColumns(csvColumns, records)
