import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { campaigns, slow } from '../../lanes.ts'
import { complaintsOf, seenErrorsFile, slowErrors } from '../declared-errors.ts'

type Results = { numFailedTests: number; testResults: readonly { testFilePath: string }[] }

const root = join(import.meta.dirname, '../../..')

const seenErrors = (): Set<string> => {
  try {
    return new Set(readFileSync(seenErrorsFile(), 'utf8').trim().split('\n'))
  } catch {
    return new Set()
  }
}

/** The line that a whole run of the fast lane leaves for one of the slow lane that has the same SEEN_ERRORS, as in .ci/run. */
const isFastLaneSeen = 'npm test'

/** Fails a run of a whole lane if it did not see a declared error word: one that the fast lane sees, or after that any. */
export default class ErrorsReporter {
  readonly #isNarrowed: boolean
  #error: Error | undefined

  constructor({ testNamePattern }: { testNamePattern?: string }) {
    this.#isNarrowed = Boolean(testNamePattern)
  }

  onRunComplete(_contexts: unknown, { numFailedTests, testResults }: Results): void {
    const ran = new Set(testResults.map(({ testFilePath }) => testFilePath))
    const all = globSync('test/{domain,service}/**/*.test.ts', { cwd: root }).filter(file => !campaigns.includes(file))
    const hasRun = (file: string) => ran.has(join(root, file))
    // A failed test may not have got to the errors it would have seen.
    if (this.#isNarrowed || numFailedTests > 0) return
    const seen = seenErrors()
    const isFastLane = all.every(file => hasRun(file) || slow.includes(file))
    const isSlowLane = all.filter(file => slow.includes(file)).every(hasRun) && seen.has(isFastLaneSeen)
    if (!isFastLane && !isSlowLane) return
    if (isFastLane) appendFileSync(seenErrorsFile(), `${isFastLaneSeen}\n`)
    const complaints = complaintsOf(isSlowLane ? seen : new Set([...seen, ...slowErrors]))
    if (complaints.length === 0) return
    this.#error = new Error('error words are declared that no test sees')
    process.stderr.write(`\nError words of the contract (test/support/declared-errors.ts):\n${complaints.join('\n')}\n`)
  }

  getLastError(): Error | undefined {
    return this.#error
  }
}
