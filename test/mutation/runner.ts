import { basename } from 'node:path'
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

// A mutant that the quick tests, and then those of routes for so many milliseconds, did not kill counts as survived.
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
  // How many mutants of a source the tests of a file killed so far: those that killed most are asked first.
  readonly #kills = new Map<string, number>()

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
    const kills = (file: string) => this.#kills.get(pair(file)) ?? 0
    const source = basename(activeMutant.fileName, '.ts')
    const kind = (file: string) => kinds.indexOf(file.split('/')[1] ?? '')
    const cost = (file: string) => (file.includes(`/${source}`) ? 0 : kind(file))
    const isSlow = (file: string) => kinds[kind(file)] === 'service'
    const tests: TestResult[] = []
    let spent = 0
    try {
      for (const file of [...idsOf.keys()].sort((a, b) => kills(b) - kills(a) || cost(a) - cost(b))) {
        if (isSlow(file) && spent > budget) continue
        const start = performance.now()
        const done = await run([file], idsOf.get(file))
        if (isSlow(file)) spent += performance.now() - start
        tests.push(...done)
        if (!done.some(({ status }) => status === TestStatus.Failed)) continue
        this.#kills.set(pair(file), kills(file) + 1)
        if (!disableBail) break
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
