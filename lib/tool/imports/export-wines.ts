import type { MerchantId } from '../../../shared/table/keys.ts'
import { csvColumns, exportRows, toCsvRecord } from '../../../shared/wines/import.ts'
import { readCatalogue } from './import-wines.ts'
import { rowsText } from './row-files.ts'

/** A merchant's wines as the text of an import file, CSV or JSON by the file's ending; importing it changes nothing. */
export const exportWines = async (merchant: MerchantId, file: string): Promise<{ text: string; count: number }> => {
  const { wines, records, stocks } = await readCatalogue(merchant)
  const categories = new Map(records.categories.map(({ id, name }) => [id, name]))
  const rows = exportRows(wines, { categories, stocks })
  return { text: rowsText(file, rows, { columns: csvColumns, toCsvRecord }), count: rows.length }
}
