import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { startTables } from '../support/table.ts'
import { resultsFile } from './report.ts'
import { mutated } from './test-files.ts'

const root = join(import.meta.dirname, '../..')
process.chdir(root)

const flags = process.argv.slice(2)
const wanted = flags.filter(flag => !flag.startsWith('--'))
/** The number of a flag such as `--patience=4`. */
const numberOf = (name: string, usual: number): number =>
  Number(flags.find(flag => flag.startsWith(`--${name}=`))?.split('=')[1] ?? usual)
const patience = numberOf('patience', 1)

const leastScore = 0.9

type Report = { files: Record<string, { mutants: MutantResult[] }> }

/** Removes the survivors from the results of the last run: a busy machine may have left them no time. */
const forgetSurvivors = (): void => {
  if (!existsSync(resultsFile)) return
  const report: Report = JSON.parse(readFileSync(resultsFile, 'utf8'))
  for (const file of Object.values(report.files))
    file.mutants = file.mutants.filter(({ status }) => status !== 'Survived')
  writeFileSync(resultsFile, JSON.stringify(report))
}

// With --changed, known results of unchanged sources and tests are reused, except for survivors.
const isWhole = !flags.includes('--changed')
const slowFile = join(root, '.local/slow-tests.json')
mkdirSync('.local', { recursive: true })
if (isWhole) rmSync(slowFile, { force: true })
else forgetSurvivors()

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
  mutate: wanted.length > 0 ? wanted : [...mutated],
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
const survivors = counted.filter(one => !isDetected(one))

say('')
for (const [file, mutants] of Map.groupBy(counted, ({ fileName }) => relative(root, fileName))) say(line(file, mutants))
say('')
for (const [folder, mutants] of Map.groupBy(counted, ({ fileName }) => dirname(relative(root, fileName)))) {
  say(line(folder, mutants))
}
say(line('all', counted))
if (survivors.length > 0) say('\nAlive, and not explained at their line:')
for (const { fileName, location, replacement = '', status } of survivors) {
  const place = `${relative(root, fileName)}:${location.start.line}:${location.start.column}`
  say(`${place} → ${replacement.replace(/\s+/g, ' ')}${status === 'NoCoverage' ? ' (no test runs it)' : ''}`)
}
const killed = counted.filter(isDetected).length
process.exitCode = survivors.length > 0 || killed < leastScore * counted.length ? 1 : 0
