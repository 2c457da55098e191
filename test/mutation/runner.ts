import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type CompleteDryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { Ranking } from './ranking.ts'
import { type Coverage, fileOf, stryker, testId } from './stryker.ts'
import type { Failure, Test, TestFile } from './test-file.ts'
import { contract as contractIndex, testFiles } from './test-files.ts'

// A wait for a lease or for a slow provider would be repeated for hundreds of mutants.
const slowTest = 3000

// Beyond it a kill is not tried a second time.
const quickTest = 500

// A mutant that the unit tests, and those on a table for so many milliseconds of work, let live counts as survived:
// first as files are loaded, then reloaded. Much of a test's time is waiting, more of it on a busy machine.
const patience = Number(process.env.PATIENCE ?? 1)
const budget = 2000 * patience
const budgetAnew = 1000 * patience
const waiting = 5

// So many tests of a file are tried before the next file has its turn.
const portion = 8

// A test that takes so much longer than usual hangs.
const limitOf = (usual: number): number => 8000 + 4 * usual

// Where the slow tests of the last run are named: they need not be tried again to be left out.
const slowFile = (): string => process.env.SLOW_TESTS ?? ''

const knownSlow = (): Set<string> =>
  new Set(existsSync(slowFile()) ? (JSON.parse(readFileSync(slowFile(), 'utf8')) as string[]) : [])

// The time of loading a file, and of a test that has not run yet.
const loading = 100
const usualTest = 50

// The memory of loads in the process adds up; Stryker starts another process for the rest.
const maxMemory = 3e9

// The schemas of all routes are most of what a test file loads; they hold no state.
const contract = 'shared/contract/'

const hits = (id: string): Coverage => stryker.mutantCoverage.perTest[id] ?? {}

/** How many milliseconds this process has worked since a look at its usage. */
const workSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const isSlow = (file: string): boolean => !file.startsWith('test/unit/')

/** A test that failed under a mutant. */
type Seen = { id: string; failure: Failure }

/** A mutant, and the tests of a file that run it, or some of them. */
type Trial = { mutant: string; source: string; path: string; ids: readonly string[] }

type Try = (trial: Trial, until: number) => Promise<Seen | undefined>

const underMutant = async <T>(mutant: string, act: () => Promise<T>): Promise<T> => {
  stryker.activeMutant = mutant
  try {
    return await act()
  } finally {
    stryker.activeMutant = undefined
  }
}

/** Code that a file runs while it is loaded, and before its tests, is covered by each of its tests. */
const spread = (tests: readonly TestResult[]): Record<string, Coverage> =>
  Object.fromEntries(
    tests.map(({ id }) => {
      const all = { ...hits(testId(fileOf(id), '')) }
      for (const [mutant, count] of Object.entries(hits(id))) all[mutant] = (all[mutant] ?? 0) + count
      return [id, all]
    }),
  )

/**
 * Runs this project's tests for Stryker. Test files stay loaded, and a mutant is switched on while their tests run. A
 * test that fails then counts only if it does not fail without the mutant, and fails with it again; what lives is
 * tried again in files that are reloaded; code that a file runs while it is loaded is tried there immediately.
 */
class LoadedFiles implements TestRunner {
  #from!: typeof import('./test-file.ts')
  readonly #loaded = new Map<string, TestFile>()
  readonly #ranking = new Ranking()
  // How long a test took, at first, that saw nothing.
  readonly #usual = new Map<string, number>()
  // How often a test failed without a mutant, where others ran before.
  readonly #spoilt = new Map<string, number>()

  capabilities() {
    return { reloadEnvironment: true }
  }

  /** Stryker runs this in its copy of the project, whose sources hold the mutants: from there comes all that follows. */
  async init(): Promise<void> {
    // Open handles of tests would keep this process running when Stryker is stopped.
    process.on('disconnect', () => process.exit())
    this.#from = await import(join(process.cwd(), 'test/mutation/test-file.ts'))
    stryker.currentTestId = contract
    await import(join(process.cwd(), contractIndex))
    stryker.currentTestId = ''
  }

  async dryRun(): Promise<CompleteDryRunResult> {
    const known = knownSlow()
    const tests: TestResult[] = []
    for (const path of testFiles()) {
      const { tests: all } = await this.#load(path)
      for (const { id } of all) if (!known.has(id)) tests.push(await this.#first(path, id))
    }
    const quick = tests.filter(({ timeSpentMs }) => timeSpentMs < slowTest)
    const slow = tests.filter(({ timeSpentMs }) => timeSpentMs >= slowTest)
    writeFileSync(slowFile(), JSON.stringify([...known, ...slow.map(({ id }) => id)]))
    return { status: DryRunStatus.Complete, tests: quick, mutantCoverage: { static: {}, perTest: spread(quick) } }
  }

  async mutantRun({ activeMutant, testFilter = [], hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    if (process.memoryUsage().rss > maxMemory) process.exit()
    Object.assign(stryker, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 })
    const { id: mutant, fileName: source } = activeMutant
    const trials = [...Map.groupBy(testFilter, fileOf)].map(([path, ids]) => ({ mutant, source, path, ids }))
    const seen = await this.#firstSeen(trials)
    const reached = determineHitLimitReached(stryker.hitCount, hitLimit)
    if (reached) return { status: MutantRunStatus.Timeout, reason: reached.reason ?? '' }
    const nrOfTests = testFilter.length
    if (!seen) return { status: MutantRunStatus.Survived, nrOfTests }
    const { id, failure } = seen
    // A test that took too long says no more than that.
    if (failure.isLate) return { status: MutantRunStatus.Timeout, reason: id }
    return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage: failure.message, nrOfTests }
  }

  async #load(path: string): Promise<TestFile> {
    const known = this.#loaded.get(path)
    if (known) return known
    const file = await this.#from.TestFile.load(path, [contract])
    await file.begin()
    this.#loaded.set(path, file)
    return file
  }

  #unload(path: string): void {
    this.#loaded.get(path)?.close()
    this.#loaded.delete(path)
  }

  /** Runs a test as it is; a failure in a file where others ran is tried again in the reloaded file. */
  async #first(path: string, id: string, isLast = false): Promise<TestResult> {
    const file = await this.#load(path)
    const test = file.tests.find(one => one.id === id)
    const start = performance.now()
    const failure = test && (await file.run(test))
    const timeSpentMs = performance.now() - start
    this.#usual.set(id, timeSpentMs)
    const result = { id, name: test?.name ?? '', fileName: path, timeSpentMs }
    if (!failure) return { ...result, status: TestStatus.Success }
    this.#unload(path)
    return isLast
      ? { ...result, status: TestStatus.Failed, failureMessage: failure.message }
      : this.#first(path, id, true)
  }

  /** Tries files in the order of their worth: as they are loaded, and then, as long as none saw the mutant, reloaded. */
  async #firstSeen(trials: readonly Trial[]): Promise<Seen | undefined> {
    const { loaded = [], anew = [] } = Object.groupBy(trials, one => (this.#isAnew(one) ? 'anew' : 'loaded'))
    const parts = loaded.flatMap(trial => this.#portions(trial))
    const seen = await this.#inBudget([...anew, ...parts], budget, this.#try)
    return seen ?? (await this.#inBudget(loaded, budgetAnew, this.#tryAnew))
  }

  /** Returns the first sign of the mutant; a test that took too long is a sign only if it stays the only one. */
  async #inBudget(trials: readonly Trial[], milliseconds: number, act: Try): Promise<Seen | undefined> {
    let left = milliseconds
    let late: Seen | undefined
    for (const trial of this.#ordered(trials)) {
      if (isSlow(trial.path) && left <= 0) continue
      const before = process.cpuUsage()
      const start = performance.now()
      const seen = await act(trial, isSlow(trial.path) ? start + waiting * left : Number.POSITIVE_INFINITY)
      const spent = performance.now() - start
      if (isSlow(trial.path)) left -= Math.max(workSince(before), spent / waiting)
      this.#ranking.note(trial.source, trial.path, spent, seen !== undefined)
      if (seen && (late || !seen.failure.isLate)) return seen
      late ??= seen
    }
    return late
  }

  #ordered(trials: readonly Trial[]): Trial[] {
    const length = (trial: Trial): number =>
      trial.ids.reduce((sum, id) => sum + this.#usualOf(id), this.#isAnew(trial) ? loading : 0)
    const worth = new Map(trials.map(one => [one, this.#ranking.worth(one.source, one.path, length(one))]))
    return trials.toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0))
  }

  /** The tests of a file, a few at a time, those that are worth most first; apart those that bear no second run. */
  #portions({ ids: all, ...trial }: Trial): Trial[] {
    const { once = [], ids = [] } = Object.groupBy(all, id => (this.#isOnce(id) ? 'once' : 'ids'))
    const worth = new Map(ids.map(id => [id, this.#ranking.worth(trial.source, id, this.#usualOf(id))]))
    const sorted = ids.toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0))
    const starts = sorted.flatMap((_, n) => (n % portion === 0 ? [n] : []))
    const portions = [once, ...starts.map(start => sorted.slice(start, start + portion))]
    return portions.filter(some => some.length > 0).map(some => ({ ...trial, ids: some }))
  }

  #usualOf(id: string): number {
    return this.#usual.get(id) ?? usualTest
  }

  /**
   * True if the file has to be loaded under the mutant: because it runs it while it is loaded, so that only this switches
   * all of it, or because its tests bear no second run.
   */
  #isAnew({ mutant, path, ids }: Trial): boolean {
    const isStatic = [contract, testId(path, '')].some(id => hits(id)[mutant] !== undefined)
    return isStatic || ids.every(id => this.#isOnce(id))
  }

  #isOnce(id: string): boolean {
    return (this.#spoilt.get(id) ?? 0) > 1
  }

  readonly #try: Try = async (trial, until) => {
    const { mutant, source, path, ids } = trial
    await this.#load(path)
    if (this.#isAnew(trial)) return this.#tryAnew(trial, until)
    for (const id of ids) {
      const file = await this.#load(path)
      const test = file.tests.find(one => one.id === id)
      if (!test || performance.now() > until) continue
      const start = performance.now()
      const run = () => underMutant(mutant, () => file.run(test, limitOf(this.#usualOf(id))))
      const failure = await run()
      const spent = performance.now() - start
      this.#ranking.note(source, id, spent, failure !== undefined)
      if (!failure) this.#usual.set(id, this.#usual.get(id) ?? spent)
      if (!failure) continue
      if (!failure.isLate && (await this.#isSure(file, test, run))) return { id, failure }
      // Other mutants, or this one, left something in the file.
      this.#unload(path)
      if (!failure.isLate) return this.#tryAnew(trial, until)
      const seen = await this.#tryAnew({ ...trial, ids: [id] }, Number.POSITIVE_INFINITY)
      if (seen) return seen
    }
    return undefined
  }

  /** True if a test that failed under a mutant passes without it, and, where that is quick, fails under it again. */
  async #isSure(file: TestFile, test: Test, again: () => Promise<Failure | undefined>): Promise<boolean> {
    if (await file.run(test)) {
      this.#spoilt.set(test.id, (this.#spoilt.get(test.id) ?? 0) + 1)
      return false
    }
    return this.#usualOf(test.id) > quickTest || (await again()) !== undefined
  }

  /** Tries a mutant with a file that is loaded under it, in the order of its tests. */
  readonly #tryAnew: Try = ({ mutant, path, ids }, until) =>
    underMutant(mutant, async () => {
      let last = ids[0] ?? ''
      try {
        const file = await this.#from.TestFile.load(path)
        for (const test of file.tests.filter(({ id }) => ids.includes(id))) {
          if (performance.now() > until) break
          last = test.id
          const failure = await file.run(test, limitOf(this.#usualOf(last)))
          if (failure) file.close()
          if (failure) return { id: last, failure }
        }
        await file.end()
        return undefined
      } catch (error) {
        return { id: last, failure: this.#from.failureOf(error) }
      }
    })
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'loaded-files', LoadedFiles)]
