// Proves that a wine of a large import takes no more requests and units than one of a small import, and that the same
// file again costs no more than reading the catalogue.

import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { tableClient } from '../../shared/platform/table/table.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { metered } from '../support/meter.ts'
import { startTables, useTable } from '../support/table.ts'
import { printTable } from './median.ts'

const sizes = (process.env.SIZES ?? '1000,10000').split(',').map(Number)
const demo = demoWinesOf('elbufer')

/** The demo's wines, repeated as needed with other numbers and names. */
const rowsOf = (size: number): WineRow[] =>
  Array.from({ length: size }, (_, n) => {
    const row = demo[n % demo.length] as WineRow
    const turn = Math.floor(n / demo.length)
    return turn === 0 ? row : { ...row, articlenumber: `${row.articlenumber}-${turn}`, name: `${row.name} ${turn}` }
  })

const tables = await startTables()
await useTable(tables)
const lines = [['wines', 'requests a wine', 'units', 'CPU ms', 'again: requests', 'units', 'CPU ms']]
for (const size of sizes) {
  const merchant = merchantIdOf((await createMerchant({ name: `Messkellerei ${size}` })).id)
  const rows = rowsOf(size)
  const costs = [await metered(() => importWines(merchant, rows)), await metered(() => importWines(merchant, rows))]
  const cells = costs.flatMap(({ requests, units, cpu }) => [requests, units, cpu].map(all => (all / size).toFixed(3)))
  lines.push([String(size), ...cells])
}
printTable(lines)
tableClient.destroy()
await tables.close()
