import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'expect'
import circus, { getState, resetState } from 'jest-circus'
import { takeAfterFile } from '../support/jest/environment.ts'
import { newLoad } from '../support/jest/modules.ts'
import { exchange, freshGlobals } from './globals.ts'
import { stryker, testId } from './stryker.ts'

type Block = ReturnType<typeof getState>['rootDescribeBlock']
type Entry = Extract<Block['children'][number], { type: 'test' }>
type Hook = Block['hooks'][number]

/** A test of a file, by its id. */
export type Test = { id: string; name: string; entry: Entry }

/** Why a test failed; it is late when it only took too long. */
export type Failure = { message: string; isLate: boolean }

const root = join(import.meta.dirname, '../..')
const setup = 'test/support/jest/on-table.ts'

const usualLimit = 20_000

Object.assign(globalThis, circus, { expect })

class TooLong extends Error {}

// Tests may put a clock of their own in the place of these.
const { setTimeout, clearTimeout } = globalThis

const within = (milliseconds: number, act: () => unknown): Promise<unknown> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TooLong(`Exceeded timeout of ${milliseconds} ms`)), milliseconds)
  return Promise.race([(async () => act())(), promise]).finally(() => clearTimeout(timer))
}

// A rejection that no one awaits belongs to the test that runs when it fails, unless that test awaits it later.
const stray = new Map<unknown, unknown>()
process.on('uncaughtException', error => void stray.set(error, error))
process.on('unhandledRejection', (error, promise) => void stray.set(promise, error))
process.on('rejectionHandled', promise => void stray.delete(promise))

/** The text of an error of a test. */
export const failureOf = (error: unknown): Failure => ({
  message: (error instanceof Error ? error.message : String(error)).slice(0, 500),
  isLate: error instanceof TooLong,
})

const blocksOf = ({ parent }: Entry): Block[] => {
  const blocks: Block[] = []
  for (let block: Block | undefined = parent; block; block = block.parent) blocks.unshift(block)
  return blocks
}

const hooksOf = (blocks: readonly Block[], type: Hook['type']): Hook[] =>
  blocks.flatMap(({ hooks }) => hooks.filter(hook => hook.type === type))

const runHooks = async (hooks: readonly Hook[]): Promise<void> => {
  for (const { fn, timeout } of hooks) await within(timeout ?? usualLimit, fn as () => unknown)
}

const entriesIn = (block: Block): Entry[] =>
  block.children.flatMap(child => (child.type === 'test' ? [child] : entriesIn(child)))

const nameOf = (entry: Entry): string =>
  [
    ...blocksOf(entry)
      .slice(1)
      .map(({ name }) => name),
    entry.name,
  ].join(' ')

/**
 * A test file that is loaded and stays so: its tests may run again and again, in any order. What it changes of the
 * process counts only while it runs.
 */
export class TestFile {
  readonly path: string
  #globals = freshGlobals()
  #tests: Test[] = []
  readonly #begun = new Set<Block>()
  readonly #closes: (() => unknown)[] = []

  private constructor(path: string) {
    this.path = path
  }

  /** Loads a file, and its imports again, except for a folder that is loaded once. Rejects with what fails in it. */
  static async load(path: string, loadedOnce?: readonly string[]): Promise<TestFile> {
    const file = new TestFile(path)
    const load = newLoad(loadedOnce)
    await file
      .#inside(testId(path, ''), async () => {
        resetState()
        expect.setState({ testPath: join(root, path) })
        await within(60_000, async () => {
          for (const one of [setup, path]) await load(join(root, one))
        })
      })
      .catch(error => {
        file.close()
        throw error
      })
    const { rootDescribeBlock } = getState()
    file.#tests = entriesIn(rootDescribeBlock)
      .filter(({ mode }) => mode !== 'skip')
      .map(entry => ({ id: testId(path, nameOf(entry)), name: nameOf(entry), entry }))
    return file
  }

  get tests(): readonly Test[] {
    return this.#tests
  }

  /** The hooks before the first test of a block, of all blocks. */
  begin(): Promise<void> {
    return this.#inside(testId(this.path, ''), async () => {
      for (const { entry } of this.#tests) await this.#beginBlocks(blocksOf(entry))
    })
  }

  /** Runs a test with its hooks; returns why it failed. */
  async run({ id, name, entry }: Test, limit = entry.timeout ?? usualLimit): Promise<Failure | undefined> {
    const blocks = blocksOf(entry)
    try {
      await this.#inside(testId(this.path, ''), () => this.#beginBlocks(blocks))
    } catch (error) {
      return failureOf(error)
    }
    return this.#inside(id, async () => {
      stray.clear()
      expect.setState({ testPath: join(root, this.path), currentTestName: name, assertionCalls: 0 })
      const failures: unknown[] = []
      const note = (error: unknown) => void failures.push(error)
      await runHooks(hooksOf(blocks, 'beforeEach'))
        .then(() => within(limit, entry.fn as () => unknown))
        .catch(note)
      await runHooks(hooksOf(blocks.toReversed(), 'afterEach')).catch(note)
      await turn()
      const [first] = [...failures, ...stray.values()]
      return failures.length + stray.size > 0 ? failureOf(first) : undefined
    })
  }

  /** The hooks after the last test, of all blocks that were begun; then the file is over. */
  end(): Promise<void> {
    return this.#inside(testId(this.path, ''), () =>
      runHooks(hooksOf([...this.#begun].toReversed(), 'afterAll')),
    ).finally(() => this.close())
  }

  /** Closes what the file had opened. */
  close(): void {
    const before = exchange(this.#globals)
    for (const act of this.#closes.splice(0)) act()
    exchange(before)
  }

  async #beginBlocks(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) {
      if (this.#begun.has(block)) continue
      this.#begun.add(block)
      await runHooks(hooksOf([block], 'beforeAll'))
    }
  }

  async #inside<T>(id: string, act: () => Promise<T>): Promise<T> {
    const before = exchange(this.#globals)
    stryker.currentTestId = id
    try {
      return await act()
    } finally {
      stryker.currentTestId = ''
      this.#closes.push(...takeAfterFile())
      this.#globals = exchange(before)
    }
  }
}
