import { basename, dirname } from 'node:path'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type CompleteDryRunResult,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { stryker, testId } from './environment.ts'
import { runTests } from './run-tests.ts'

type Coverage = Record<string, number>

// What waits for a lease or for a slow provider would be waited for by hundreds of mutants.
const slowTest = 3000

// A mutant that the unit tests, and then those on a table for so many milliseconds, did not kill counts as survived.
const budget = 20_000

const fileOf = (id: string): string => id.slice(0, id.indexOf(' > '))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs test files, all of them or those of the ids given, and only the tests of the ids. */
const run = async (files: readonly string[], ids?: readonly string[]): Promise<TestResult[]> => {
  const pattern = ids?.map(id => `^${escaped(id.slice(id.indexOf(' > ') + 3))}$`).join('|')
  return (await runTests(files, pattern)).map(({ file, name, status, time, message }): TestResult => {
    const test = { id: testId(file, name), name, fileName: file, timeSpentMs: time }
    if (status === 'failed') return { ...test, status: TestStatus.Failed, failureMessage: message }
    return { ...test, status: status === 'passed' ? TestStatus.Success : TestStatus.Skipped }
  })
}

// Of the quickest kind first.
const kinds = ['unit', 'domain', 'service']

/** What a file runs while it is loaded, and in its hooks, each of its tests has run. */
const spread = (perTest: Record<string, Coverage>, tests: readonly TestResult[]): Record<string, Coverage> =>
  Object.fromEntries(
    tests.map(({ id }) => {
      const outside = perTest[testId(fileOf(id), '')] ?? {}
      const all = { ...outside }
      for (const [mutant, hits] of Object.entries(perTest[id] ?? {})) all[mutant] = (all[mutant] ?? 0) + hits
      return [id, all]
    }),
  )

/**
 * Drives jest for Stryker, as its own jest runner would, but for this project's way of running tests: modules are
 * loaded anew for each test file, so that a mutant of a module's constants is switched as any other.
 */
class JestRunner implements TestRunner {
  // How many mutants of a source the tests of a file killed so far, and how long that took: those that killed most in
  // their time are asked first.
  readonly #asked = new Map<string, { kills: number; milliseconds: number }>()
  // How long the tests of a file take when they see nothing.
  readonly #lengths = new Map<string, number>()

  capabilities() {
    return { reloadEnvironment: true }
  }

  async dryRun(): Promise<DryRunResult> {
    const state = stryker()
    const coverage = { static: {}, perTest: {} as Record<string, Coverage> }
    state.mutantCoverage = coverage
    const tests = (await run([])).filter(({ timeSpentMs }) => timeSpentMs < slowTest)
    return {
      status: DryRunStatus.Complete,
      tests,
      mutantCoverage: { static: {}, perTest: spread(coverage.perTest, tests) },
    } satisfies CompleteDryRunResult
  }

  async mutantRun({
    activeMutant,
    testFilter = [],
    hitLimit,
    disableBail,
  }: MutantRunOptions): Promise<MutantRunResult> {
    const state = stryker()
    Object.assign(state, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit === undefined ? undefined : 0 })
    const idsOf = Map.groupBy(testFilter, fileOf)
    const pair = (file: string) => `${activeMutant.fileName} ${file}`
    const asked = (file: string) => this.#asked.get(pair(file)) ?? { kills: 0, milliseconds: 1 }
    const worth = (file: string) => asked(file).kills / asked(file).milliseconds
    const kind = (file: string) => kinds.indexOf(file.split('/')[1] ?? '')
    const isSlow = (file: string) => kinds[kind(file)] !== 'unit'
    const names = [activeMutant.fileName, dirname(activeMutant.fileName)].map(name => `/${basename(name, '.ts')}`)
    // By kind, then those that are called as the source or its folder.
    const cost = (file: string) => kind(file) + (names.some(name => file.includes(name)) ? 0 : 0.5)
    const length = (file: string) => this.#lengths.get(file) ?? 0
    const first = (a: string, b: string) => worth(b) - worth(a) || cost(a) - cost(b) || length(a) - length(b)
    const tests: TestResult[] = []
    let spent = 0
    try {
      for (const file of [...idsOf.keys()].sort(first)) {
        if (isSlow(file) && spent > budget) continue
        const start = performance.now()
        const done = await run([file], idsOf.get(file))
        const milliseconds = performance.now() - start
        if (isSlow(file)) spent += milliseconds
        tests.push(...done)
        const isKilled = done.some(({ status }) => status === TestStatus.Failed)
        const before = asked(file)
        this.#asked.set(pair(file), {
          kills: before.kills + (isKilled ? 1 : 0),
          milliseconds: before.milliseconds + milliseconds,
        })
        if (!isKilled) this.#lengths.set(file, milliseconds)
        if (isKilled && !disableBail) break
      }
    } finally {
      state.activeMutant = undefined
    }
    // A test that took too long says no more than that.
    const slow = tests.find(
      test => test.status === TestStatus.Failed && test.failureMessage.includes('Exceeded timeout'),
    )
    if (slow) return { status: MutantRunStatus.Timeout, reason: slow.name }
    const reached = determineHitLimitReached(state.hitCount as number | undefined, hitLimit)
    return toMutantRunResult(reached ?? { status: DryRunStatus.Complete, tests }, disableBail)
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'own-jest', JestRunner)]
