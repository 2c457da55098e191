import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'

type Place = Pick<MutantResult, 'location' | 'replacement'>

/** A mutant by what is written there: `line` is the source's, without indents. */
export type Described = { file: string; line: string; mutation: string }

/** Why a mutant lives: it changes nothing that counts, or no test can see it. */
type Explained = Described & { why: string }

export const explained: readonly Explained[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8'),
)

/** The text at a mutant's location, and its replacement, each in one line. */
export const described = (
  file: string,
  source: string,
  { location: { start, end }, replacement = '' }: Place,
): Described => {
  const lines = source.split('\n')
  // Stryker counts lines and columns from 1.
  const taken = lines.slice(start.line - 1, end.line)
  const last = taken.length - 1
  const before = taken
    .map((line, n) => line.slice(n === 0 ? start.column - 1 : 0, n === last ? end.column - 1 : undefined).trim())
    .join(' ')
  return {
    file,
    line: lines[start.line - 1]?.trim() ?? '',
    mutation: `${before} → ${replacement.replace(/\s+/g, ' ')}`,
  }
}

export const isSame = (one: Described, { file, line, mutation }: Described): boolean =>
  one.file === file && one.line === line && one.mutation === mutation

export const isExplained = (one: Described): boolean => explained.some(why => isSame(why, one))

type Report = { files: Record<string, { source: string; mutants: (Place & { status: string })[] }> }

/** Takes out of the results of the last run what lived without a reason: a busy machine may have left it no time. */
export const forgetUnexplained = (resultsFile: string): void => {
  if (!existsSync(resultsFile)) return
  const report: Report = JSON.parse(readFileSync(resultsFile, 'utf8'))
  for (const [file, one] of Object.entries(report.files))
    one.mutants = one.mutants.filter(
      mutant => mutant.status !== 'Survived' || isExplained(described(file, one.source, mutant)),
    )
  writeFileSync(resultsFile, JSON.stringify(report))
}
