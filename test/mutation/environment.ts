import { relative } from 'node:path'
import ProcessEnvironment from '../support/jest/environment.ts'

type CircusEvent = { name: string; test?: Named }
type Named = { name: string; parent?: Named; mode?: string | undefined; errors?: readonly unknown[] }

const nameOf = ({ name, parent }: Named): string =>
  parent && parent.name !== 'ROOT_DESCRIBE_BLOCK' ? `${nameOf(parent)} ${name}` : name

/** What Stryker's instrumented sources look at while they run. */
export const stryker = (): Record<string, unknown> => {
  const holder = globalThis as { __stryker__?: Record<string, unknown> }
  holder.__stryker__ ??= {}
  return holder.__stryker__
}

/** A test as Stryker knows it: the file's path in the project, and the test's full name. */
export const testId = (file: string, name: string): string => `${file} > ${name}`

/**
 * Tells the instrumented sources which test runs; what runs outside of one counts for the file. One failed test says
 * enough of a mutant: the rest of its file is skipped, where each test might wait for what never comes.
 */
export default class MutationEnvironment extends ProcessEnvironment {
  readonly #file: string
  #hasFailed = false
  #isOver = false

  constructor(config: ConstructorParameters<typeof ProcessEnvironment>[0], { testPath }: { testPath: string }) {
    super(config)
    this.#file = relative(process.cwd(), testPath)
  }

  override async setup(): Promise<void> {
    await super.setup()
    stryker().currentTestId = testId(this.#file, '')
  }

  override async teardown(): Promise<void> {
    this.#isOver = true
    await super.teardown()
  }

  // jest-circus goes on telling it of the files that come after its own.
  handleTestEvent({ name, test }: CircusEvent): void {
    if (this.#isOver) return
    if (name === 'test_start' && test) {
      if (this.#hasFailed && stryker().activeMutant !== undefined) test.mode = 'skip'
      stryker().currentTestId = testId(this.#file, nameOf(test))
    }
    if (name === 'test_done') {
      this.#hasFailed ||= (test?.errors ?? []).length > 0
      stryker().currentTestId = testId(this.#file, '')
    }
  }
}
