import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import type { DryRunCompletedEvent, Reporter } from '@stryker-mutator/api/report'
import type { TestResult } from '@stryker-mutator/api/test-runner'

/** Where results are kept for the next run with --changed. */
export const resultsFile = '.local/mutation.json'

const savedEvery = 60_000

const nameOf = (file = ''): string => relative(process.cwd(), resolve(file))

const tell = ({ status, fileName, location, replacement = '' }: MutantResult): void => {
  if (status !== 'Survived') return
  const place = `${nameOf(fileName)}:${location.start.line}:${location.start.column}`
  process.stdout.write(`alive: ${place} → ${replacement.replace(/\s+/g, ' ').slice(0, 100)}\n`)
}

const byFile = <T extends { fileName?: string }, U>(all: readonly T[], made: (some: T[]) => U) =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ fileName }) => nameOf(fileName))].map(([name, some]) => {
      return [name, { language: 'typescript', source: readFileSync(name, 'utf8'), ...made(some) }]
    }),
  )

/**
 * Prints each surviving mutant as soon as it is known, and stores results every minute: a whole run takes its
 * time. Stryker itself keeps results when it ends, or is asked to.
 */
class Results implements Reporter {
  readonly #results: MutantResult[] = []
  #tests: TestResult[] = []
  #saving: NodeJS.Timeout | undefined

  onDryRunCompleted({ result }: DryRunCompletedEvent): void {
    this.#tests = result.tests
    this.#saving = setInterval(() => this.#save(), savedEvery)
  }

  onMutantTested(result: MutantResult): void {
    tell(result)
    this.#results.push(result)
  }

  onMutationTestReportReady(): void {
    clearInterval(this.#saving)
  }

  /** Writes what Stryker would write at its end; tests are numbers, because a mutant may be covered by thousands. */
  #save(): void {
    const numbers = new Map(this.#tests.map(({ id }, n) => [id, String(n)]))
    const numbersOf = (ids: readonly string[] = []) => ids.flatMap(id => numbers.get(id) ?? [])
    const files = byFile(this.#results, some => ({
      mutants: some.map(({ fileName: _, ...one }) => {
        return { ...one, coveredBy: numbersOf(one.coveredBy), killedBy: numbersOf(one.killedBy) }
      }),
    }))
    const testFiles = byFile(this.#tests, some => ({
      tests: some.map(({ id, name }) => ({ id: numbers.get(id), name })),
    }))
    const report = { schemaVersion: '1.0', thresholds: { high: 100, low: 90 }, files, testFiles }
    writeFileSync(`${resultsFile}.new`, JSON.stringify(report))
    renameSync(`${resultsFile}.new`, resultsFile)
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'results', Results)]
