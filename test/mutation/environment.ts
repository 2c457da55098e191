import { relative } from 'node:path'
import ProcessEnvironment from '../support/jest/environment.ts'

type CircusEvent = { name: string; test?: Named }
type Named = { name: string; parent?: Named }

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

/** Tells the instrumented sources which test runs; what runs outside of one counts for the file. */
export default class MutationEnvironment extends ProcessEnvironment {
  readonly #file: string

  constructor(_config: unknown, { testPath }: { testPath: string }) {
    super()
    this.#file = relative(process.cwd(), testPath)
  }

  override async setup(): Promise<void> {
    await super.setup()
    stryker().currentTestId = testId(this.#file, '')
  }

  handleTestEvent({ name, test }: CircusEvent): void {
    if (name === 'test_start' && test) stryker().currentTestId = testId(this.#file, nameOf(test))
    if (name === 'test_done') stryker().currentTestId = testId(this.#file, '')
  }
}
