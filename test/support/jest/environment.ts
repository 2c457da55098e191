import { configureGlobal } from 'fast-check'
import { ModuleMocker } from 'jest-mock'
import { whenStarted } from '../shared-twin.ts'

// Properties try the same values in every run: what is tested is the change, and not what chance finds beside it. The
// long run gives another seed each time.
configureGlobal({ seed: Number(process.env.SEED ?? 1) })

const kept = globalThis as { afterFile?: (() => unknown)[] }

/** Has something done when a test file and all its hooks are over. */
export const afterFile = (act: () => unknown): void => {
  kept.afterFile ??= []
  kept.afterFile.push(act)
}

/** Returns the acts for the end of the file, which the caller has to do. */
export const takeAfterFile = (): (() => unknown)[] => kept.afterFile?.splice(0) ?? []

/**
 * Tests run in the worker process itself. In a context of node:vm, which is jest's own way, every package is loaded
 * again for each test file, and everything global is slower to reach. Modules are kept apart by runner.ts.
 */
export default class ProcessEnvironment {
  readonly global = globalThis
  readonly moduleMocker = new ModuleMocker(globalThis)
  readonly fakeTimers = null
  readonly fakeTimersModern = null
  readonly #variables = process.env
  readonly #exit = process.exit
  readonly #console = globalThis.console
  readonly #project: string | undefined

  constructor({ projectConfig }: { projectConfig: { displayName?: { name: string } } }) {
    this.#project = projectConfig.displayName?.name
  }

  /** Each test file has environment variables of its own; the service's tests wait for the twin that they share. */
  async setup(): Promise<void> {
    process.env = { ...this.#variables }
    const { TEST_TWIN } = process.env
    if ((this.#project === 'service' || this.#project === 'browser') && TEST_TWIN)
      process.env.TEST_TWIN_LINES = JSON.stringify(await whenStarted(TEST_TWIN))
    // jest maps each place of each stack to a source that was transformed; nothing is transformed here.
    Reflect.deleteProperty(Error, 'prepareStackTrace')
    Error.stackTraceLimit = 25
  }

  async teardown(): Promise<void> {
    await Promise.all(takeAfterFile().map(act => act()))
    globalThis.console = this.#console
    process.env = this.#variables
    process.exit = this.#exit
  }

  exportConditions(): string[] {
    return ['node', 'node-addons']
  }

  getVmContext(): null {
    return null
  }
}
