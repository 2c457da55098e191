import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seed } from './corpus.ts'
import { measureImports } from './imports.ts'
import type { Measured } from './one-size.ts'
import { plot } from './plot.ts'
import { type Circumstances, panelsOf, report } from './report.ts'

// Proves what search-report.md says: the CPU of searches of our index, compared with a scan, SQLite and PostgreSQL, and of
// the imports of functions. `npm run bench:search -- --sizes=2000,20000,200000,1000000` takes half an hour and 10 GB;
// without sizes, minutes.

const { sizes: given, keep: isKept } = parseArgs({
  options: { sizes: { type: 'string', default: '2000,20000' }, keep: { type: 'boolean', default: false } },
}).values
const sizes = given.split(',').map(Number)
const target = join(import.meta.dirname, '..')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: target }).toString().trim()

const circumstances = (): Circumstances => {
  // An earlier run may have written the report.
  const isClean = git('status', '--porcelain', '--', ':/', ':!/test/bench/search-report.*') === ''
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0)
  return {
    command: `npm run bench:search${given === '2000,20000' ? '' : ` -- --sizes=${given}`}`,
    commit: `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : ' with changes'}`,
    seed,
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GB`,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? '',
  }
}

// With --keep, the measurements of an earlier run are reused for their sizes; the report names their commit.
const measure = (size: number, { commit }: Circumstances): Measured => {
  const folder = join(target, '../../.local/search-bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${size}.json`)
  if (isKept && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const script = join(import.meta.dirname, 'one-size.ts')
  const options = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=14000', script, String(size)]
  execFileSync(process.execPath, [...options, file, commit], { stdio: 'inherit' })
  return JSON.parse(readFileSync(file, 'utf8'))
}

const made = circumstances()
const imports = await measureImports()
const all: Measured[] = []
for (const size of sizes) {
  all.push(measure(size, made))
  // After every size, because the next size may take hours.
  writeFileSync(join(target, 'search-report.svg'), plot(panelsOf(all)))
  writeFileSync(join(target, 'search-report.md'), report(all, imports, made))
}
