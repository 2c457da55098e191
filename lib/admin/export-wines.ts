import { extname } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import type { MerchantId } from '../../shared/table/keys.ts'
import { columnsOf, exportRows, toCsvRecord } from '../../shared/wines/import.ts'
import { readCatalogue } from './import-wines.ts'

/** A merchant's wines as the text of an import file, CSV or JSON by the file's ending; importing it changes nothing. */
export const exportWines = async (merchant: MerchantId, file: string): Promise<{ text: string; count: number }> => {
  const { wines, records, stocks } = await readCatalogue(merchant)
  const categories = new Map(records.categories.map(({ id, name }) => [id, name]))
  const rows = exportRows(wines, { categories, stocks })
  if (extname(file).toLowerCase() === '.json') return { text: `${JSON.stringify(rows, null, 2)}\n`, count: rows.length }
  const csv = rows.map(toCsvRecord)
  return { text: stringify(csv, { header: true, columns: columnsOf(csv) }), count: rows.length }
}
