import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { documents } from '../../shared/platform/table/table.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { median, printTable } from './median.ts'
import { measureColdStarts, measureMemory } from './wine-loads.ts'
import { type Figures, measureSearches } from './wine-searches.ts'
import { newShop, quicken, type Shop } from './wine-shops.ts'

// Measures the cost of a search of wines at two sizes, compared with the textbook way on the same table and SQLite's trigrams on the
// same text; the load of a new instance; and the cost of an import. Contestants run in turns, so that other load of the
// machine affects all equally. Requests and units carry over to AWS, times do not.

const sizes = (process.env.SIZES ?? '2000,20000').split(',').map(Number)
const rounds = Number(process.env.ROUNDS ?? 5)

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const importing = `
  const before = performance.now()
  await import(process.argv[1])
  process.stdout.write(String(performance.now() - before))
`

/** Milliseconds that a fresh process takes to import the function of wines/search. */
const moduleTime = (folder: string, environment: Record<string, string>): number => {
  const file = pathToFileURL(join(folder, 'build/bundles/service/wines/search/index.mjs')).href
  const env = { ...process.env, ...environment }
  const run = () => Number(execFileSync(process.execPath, ['--input-type=module', '-e', importing, file], { env }))
  return median(Array.from({ length: rounds }, run))
}

const printRatios = (figures: readonly Figures[]): void => {
  const pair = (one: number, other: number, digits: number) => [
    one.toFixed(digits),
    other.toFixed(digits),
    (other / one).toFixed(digits),
  ]
  printTable([
    [
      'wines',
      'units',
      '(t)',
      'times',
      'sequential',
      '(t)',
      'ms',
      '(t)',
      'times',
      'CPU ms',
      '(t)',
      'times',
      'index',
      'FTS5',
      'times',
    ],
    ...figures.map(({ size, ours, textbook, index, trigrams }) => [
      ...[String(size), ...pair(ours.units, textbook.units, 0), String(ours.sequential), String(textbook.sequential)],
      ...[...pair(ours.ms, textbook.ms, 1), ...pair(ours.cpu, textbook.cpu, 1), ...pair(index, trigrams, 2)],
    ]),
  ])
}

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bench-'))
const twin = await startTwinProcess(folder)
actAsOperator(twin.connection)
quicken(join(folder, 'table.db'))

const shops: Shop[] = []
for (const size of sizes) {
  const { shop, imported } = await newShop(twin.connection.url, size)
  const { ms, requests } = imported
  say(`import of ${size}: ${((size / ms) * 1000).toFixed(0)} wines/s, ${(requests / size).toFixed(3)} requests a wine`)
  shops.push(shop)
}
// Waits for the last window of the stream, so that the snapshot function does not write during the measurements.
await new Promise(done => setTimeout(done, 20_000))

const figures: Figures[] = []
for (const shop of shops) {
  say(`\n${shop.size} wines, a page of 16, median of ${rounds}; (t) is the textbook, CPU is that of the caller`)
  figures.push(await measureSearches(twin.connection.url, shop, rounds))
}
say(`\na new instance, until its first search can begin, median of ${rounds}`)
await measureColdStarts(shops, twin.connection, rounds)
say(`import of the function in a fresh process: ${moduleTime(folder, twin.connection.environment).toFixed(0)} ms`)
say('\nmemory of an index that came from its snapshot')
await measureMemory(shops)
say('\nratios, means over the phrases that are found')
printRatios(figures)

await twin.stop()
await rm(folder, { recursive: true, force: true })
documents.destroy()
