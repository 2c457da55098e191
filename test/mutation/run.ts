import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { startTables } from '../support/table.ts'
import { resultsFile } from './report.ts'
import { described, explained, forgetUnexplained, isExplained, isSame } from './survivors.ts'

const root = join(import.meta.dirname, '../..')
process.chdir(root)

const all = ['shared/values/money.ts', 'shared/{orders,payments,baskets,table}/**/*.ts']
const flags = process.argv.slice(2)
const wanted = flags.filter(flag => !flag.startsWith('--'))
/** The number of a flag such as `--patience=4`. */
const numberOf = (name: string, usual: number): number =>
  Number(flags.find(flag => flag.startsWith(`--${name}=`))?.split('=')[1] ?? usual)
const patience = numberOf('patience', 1)

const leastScore = 0.9

// With --changed, what is known of sources and tests that did not change is not tried again, but what lives unexplained.
const isWhole = !flags.includes('--changed')
const slowFile = join(root, '.local/slow-tests.json')
mkdirSync('.local', { recursive: true })
if (isWhole) rmSync(slowFile, { force: true })
else forgetUnexplained(resultsFile)

const { environment, properties, close } = await startTables()
Object.assign(process.env, {
  DOMAIN_TABLE: JSON.stringify({ environment, properties }),
  OUTCOMES: 'all',
  SLOW_TESTS: slowFile,
  ...(flags.includes('--units') && { ONLY_UNITS: 'yes' }),
  PATIENCE: String(patience),
})

const results = await new Stryker({
  plugins: ['runner', 'texts', 'report'].map(name => join(import.meta.dirname, `${name}.ts`)),
  testRunner: 'loaded-files',
  ignorers: ['texts'],
  coverageAnalysis: 'perTest',
  mutate: wanted.length > 0 ? wanted : all,
  // DynamoDB needs a core, too.
  concurrency: numberOf('workers', Math.max(1, availableParallelism() - 1)),
  incremental: true,
  incrementalFile: resultsFile,
  force: isWhole,
  // The machine may be busy: what loops for ever is mostly noticed by its count, not by the clock.
  timeoutMS: 60_000 * Math.max(1, patience / 2),
  dryRunTimeoutMinutes: 30,
  tempDirName: '.local/mutation',
  ignorePatterns: ['.local', 'cdk.out', 'dist'],
  // Reading it needs the API of an older TypeScript.
  tsconfigFile: 'none',
  reporters: ['progress-append-only', 'results'],
  allowConsoleColors: false,
}).runMutationTest()
await close()

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const percent = (part: number, whole: number): string => `${(whole === 0 ? 100 : (100 * part) / whole).toFixed(1)} %`
const isDetected = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout'
const line = (name: string, mutants: readonly MutantResult[]): string => {
  const killed = mutants.filter(isDetected).length
  const byTime = mutants.filter(({ status }) => status === 'Timeout').length
  return `${name.padEnd(40)} ${percent(killed, mutants.length).padStart(7)}  ${killed} of ${mutants.length}${byTime > 0 ? `, ${byTime} by time` : ''}`
}

const counted = results.filter(({ status }) => status !== 'Ignored')
const survivors = counted
  .filter(one => !isDetected(one))
  .map(({ status, location, replacement, fileName }) => {
    const source = readFileSync(fileName, 'utf8')
    return {
      status,
      at: location.start.line,
      ...described(relative(root, fileName), source, { location, replacement }),
    }
  })
const unexplained = survivors.filter(one => !isExplained(one))
const tried = new Set(counted.map(({ fileName }) => relative(root, fileName)))
const needless = explained.filter(({ file }) => tried.has(file)).filter(why => !survivors.some(one => isSame(why, one)))

say('')
for (const [file, mutants] of Map.groupBy(counted, ({ fileName }) => relative(root, fileName))) say(line(file, mutants))
say('')
for (const [folder, mutants] of Map.groupBy(counted, ({ fileName }) => dirname(relative(root, fileName)))) {
  say(line(folder, mutants))
}
say(line('all', counted))
if (needless.length > 0) say('\nExplained, but killed or gone by now:')
for (const { file, line, mutation } of needless) say(`${file}: ${line} (${mutation})`)
if (unexplained.length > 0) say('\nAlive, and not explained in test/mutation/survivors.json:')
for (const { file, at, mutation, status } of unexplained)
  say(`${file}:${at} ${mutation}${status === 'NoCoverage' ? ' (no test runs it)' : ''}`)
if (wanted.length === 0 || unexplained.length > 0) {
  const entries = unexplained.map(({ file, line, mutation }) => ({ file, line, mutation, why: '' }))
  writeFileSync('.local/survivors.json', `${JSON.stringify(entries, null, 2)}\n`)
}
const killed = counted.filter(isDetected).length
process.exitCode = unexplained.length > 0 || killed < leastScore * counted.length ? 1 : 0
