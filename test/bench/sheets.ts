import { createHash } from 'node:crypto'
import PDFDocument from 'pdfkit'
import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { drawSheet } from '../../shared/expertise/sheet.ts'
import { bare, extreme, full, manyDetails } from '../support/expertise-sheet-samples.ts'
import { hostileTexts, hostileWine } from '../support/hostile-sheets.ts'

// What drawing expertise sheets costs: characters measured, and milliseconds of CPU. The last column tells whether two
// versions of the code draw the same bytes.

let measured = 0
const measure = PDFDocument.prototype.widthOfString
PDFDocument.prototype.widthOfString = function (text, options) {
  measured += text.length
  return measure.call(this, text, options)
}

const drawn = async (name: string, ...[wine, details]: Parameters<typeof drawSheet>): Promise<string[]> => {
  measured = 0
  const before = process.cpuUsage()
  const bytes = await drawSheet(wine, details)
  const { user, system } = process.cpuUsage(before)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return [name, String(measured), String(Math.round((user + system) / 1000)), String(bytes.length), hash]
}

// Written as they come: without its limits, drawing some of them takes minutes.
const write = ([name = '', ...cells]: readonly string[]): void => {
  process.stdout.write(`${[name.padEnd(48), ...cells.map(cell => cell.padStart(12))].join('  ')}\n`)
}

write(['sheet', 'measured', 'CPU ms', 'bytes', 'hash'])
for (const [name, ...sheet] of [
  ['warming up', full],
  ['bare', bare],
  ['full', full],
  ['extreme', extreme, manyDetails],
] as const) {
  write(await drawn(name, ...sheet))
}
for (const [n, row] of demoWinesOf('elbufer').slice(0, 40).entries()) {
  const { winery: _, categories: _categories, prices: _prices, stock: _stock, ...fields } = row
  write(await drawn(`demo ${n}`, { ...bare, ...fields }))
}
for (const [name, text] of Object.entries(hostileTexts)) {
  write(await drawn(`description: ${name}`, { ...full, description: text }))
  const { wine, details } = hostileWine(text)
  write(await drawn(`everything: ${name}`, wine, details))
}
