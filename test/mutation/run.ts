import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { startTable } from '../support/table.ts'

const root = join(import.meta.dirname, '../..')
process.chdir(root)

const all = ['shared/money.ts', 'shared/price.ts', 'shared/{orders,payments,baskets,table}/**/*.ts']
const wanted = process.argv.slice(2)

const table = await startTable()
process.env.DOMAIN_TABLE = JSON.stringify(table.environment)

const results = await new Stryker({
  plugins: [join(import.meta.dirname, 'runner.ts'), join(import.meta.dirname, 'texts.ts')],
  testRunner: 'own-jest',
  ignorers: ['texts'],
  coverageAnalysis: 'perTest',
  mutate: wanted.length > 0 ? wanted : all,
  concurrency: 1,
  // The machine may be busy: what loops for ever is mostly noticed by its count, not by the clock.
  timeoutMS: 60_000,
  tempDirName: '.local/mutation',
  ignorePatterns: ['.local', 'cdk.out', 'dist'],
  // Reading it needs the API of an older TypeScript.
  tsconfigFile: 'none',
  reporters: ['progress-append-only'],
  allowConsoleColors: false,
}).runMutationTest()
await table.close()

type Explained = { file: string; line: string; mutation: string; why: string }

const source = (file: string): string[] => readFileSync(file, 'utf8').split('\n')

/** What stands at a mutant's place, and what stands there instead. */
const described = ({ fileName, location: { start, end }, replacement = '' }: MutantResult) => {
  const file = relative(root, fileName)
  const lines = source(file)
  const taken = lines.slice(start.line, end.line + 1)
  const last = taken.length - 1
  const before = taken
    .map((line, n) => line.slice(n === 0 ? start.column : 0, n === last ? end.column : undefined).trim())
    .join(' ')
  return {
    file,
    place: `${file}:${start.line + 1}`,
    line: lines[start.line]?.trim() ?? '',
    mutation: `${before} → ${replacement.replace(/\s+/g, ' ')}`,
  }
}

const isDetected = ({ status }: MutantResult) => status === 'Killed' || status === 'Timeout'
const counted = results.filter(({ status }) => status !== 'Ignored')

for (const [folder, mutants] of Map.groupBy(counted, ({ fileName }) => relative(root, fileName))) {
  const killed = mutants.filter(isDetected).length
  const timeouts = mutants.filter(({ status }) => status === 'Timeout').length
  process.stdout.write(
    `${folder.padEnd(45)} ${((100 * killed) / mutants.length).toFixed(1).padStart(6)} %  ${killed} of ${mutants.length}, ${timeouts} by time\n`,
  )
}
for (const mutant of counted.filter(one => !isDetected(one))) {
  const { place, mutation } = described(mutant)
  process.stdout.write(`${mutant.status} ${place} ${mutation}\n`)
}
const killed = counted.filter(isDetected).length
process.stdout.write(`score ${((100 * killed) / counted.length).toFixed(1)} %: ${killed} of ${counted.length}\n`)
