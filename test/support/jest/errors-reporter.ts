import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slow } from '../../lanes.ts'
import { complaintsOf, seenErrorsFile } from '../declared-errors.ts'

type Results = { numFailedTests: number; testResults: readonly { testFilePath: string }[] }

const root = join(import.meta.dirname, '../../..')

const seenErrors = (): Set<string> => {
  try {
    return new Set(readFileSync(seenErrorsFile(), 'utf8').trim().split('\n'))
  } catch {
    return new Set()
  }
}

/** At the end of a run of all tests of routes, over the twin and in their process: fails it when a declared error word was never seen. */
export default class ErrorsReporter {
  readonly #isNarrowed: boolean
  #error: Error | undefined

  constructor({ testNamePattern }: { testNamePattern?: string }) {
    this.#isNarrowed = Boolean(testNamePattern)
  }

  onRunComplete(_contexts: unknown, { numFailedTests, testResults }: Results): void {
    const ran = new Set(testResults.map(({ testFilePath }) => testFilePath))
    const all = globSync('test/{domain,service}/**/*.test.ts', { cwd: root })
    const isWhole = all.every(file => ran.has(join(root, file)) || slow.includes(file))
    // A failed test may not have got to the errors it would have seen.
    if (!isWhole || this.#isNarrowed || numFailedTests > 0) return
    const complaints = complaintsOf(seenErrors())
    if (complaints.length === 0) return
    this.#error = new Error('error words are declared that no test sees')
    process.stderr.write(`\nError words of the contract (test/support/declared-errors.ts):\n${complaints.join('\n')}\n`)
  }

  getLastError(): Error | undefined {
    return this.#error
  }
}
