import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { newLoad } from './modules.ts'

type Timed = { testTimeout?: number; testEnvironmentOptions?: { loadedOnce?: readonly string[] } }
type Runtime = {
  requireInternalModule(path: string): unknown
  unstable_shouldLoadAsEsm(path: string): boolean
  unstable_importModule(path: string): Promise<unknown>
}
type TestRunner = (
  globalConfig: Timed,
  projectConfig: Timed,
  environment: object,
  runtime: Runtime,
  testPath: string,
  tell: unknown,
) => Promise<unknown>

const require = createRequire(import.meta.url)
const { default: circus } = require('jest-circus/runner') as { default: TestRunner }

const loadingLimit = 180_000

const within = async (loaded: Promise<unknown>): Promise<unknown> => {
  const stop = new AbortController()
  const tooLong = setTimeout(loadingLimit, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`the test file is still loading after ${loadingLimit / 1000} seconds`)
  })
  tooLong.catch(() => {})
  return Promise.race([loaded, tooLong]).finally(() => stop.abort())
}

/**
 * jest-circus, except that Node itself loads the modules and takes the types away: without transforms, each package
 * once a process. A project's testTimeout counts, which jest-circus by itself ignores.
 */
const run: TestRunner = (globalConfig, projectConfig, environment, runtime, testPath, tell) => {
  const load = newLoad(projectConfig.testEnvironmentOptions?.loadedOnce)
  Object.assign(runtime, {
    // jest-circus's state of one file must not reach the next.
    requireInternalModule: (path: string) => {
      delete require.cache[path]
      return require(path)
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: path => within(load(path)),
  } satisfies Runtime)
  const { testTimeout = globalConfig.testTimeout } = projectConfig
  // Without await, which would put a line of this file into the stack of every failure.
  return circus({ ...globalConfig, testTimeout }, projectConfig, environment, runtime, testPath, tell)
}

export default run
