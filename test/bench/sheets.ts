import { createHash } from 'node:crypto'
import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { drawSheet } from '../../shared/documents/expertise/sheet.ts'
import { bare, extreme, full, manyDetails } from '../support/expertise-sheet-samples.ts'
import { hostileTexts, hostileWine } from '../support/hostile-sheets.ts'
import { takeMeasured } from '../support/measured-texts.ts'

// Measures the cost of drawing expertise sheets: characters measured, and milliseconds of CPU. The last column, a hash of
// the bytes, shows if two versions of the code draw the same.

const drawn = async (name: string, ...[wine, details]: Parameters<typeof drawSheet>): Promise<string[]> => {
  takeMeasured()
  const before = process.cpuUsage()
  const bytes = await drawSheet(wine, details)
  const { user, system } = process.cpuUsage(before)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return [name, String(takeMeasured()), String(Math.round((user + system) / 1000)), String(bytes.length), hash]
}

// Written as they come: without its limits, drawing some of them takes minutes.
const write = ([name = '', ...cells]: readonly string[]): void => {
  process.stdout.write(`${[name.padEnd(48), ...cells.map(cell => cell.padStart(12))].join('  ')}\n`)
}

write(['sheet', 'measured', 'CPU ms', 'bytes', 'hash'])
write(await drawn('warming up', full))
write(await drawn('bare', bare))
write(await drawn('full', full))
write(await drawn('extreme', extreme, manyDetails))
for (const [n, row] of demoWinesOf('elbufer').slice(0, 40).entries()) {
  const { winery: _, categories: _categories, prices: _prices, stock: _stock, ...fields } = row
  write(await drawn(`demo ${n}`, { ...bare, ...fields }))
}
for (const [name, text] of Object.entries(hostileTexts)) {
  write(await drawn(`description: ${name}`, { ...full, description: text }))
  const { wine, details } = hostileWine(text)
  write(await drawn(`everything: ${name}`, wine, details))
}
