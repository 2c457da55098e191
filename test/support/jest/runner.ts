import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

type Timed = { testTimeout?: number; testEnvironmentOptions?: { loadedOnce?: string } }
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

const own = pathToFileURL(join(import.meta.dirname, '../../..', '/')).href
const loadingLimit = 60_000

let filesSoFar = 0
let testFile = ''
let loadedOnce: string | undefined

const withoutTypes = new Map<string, string>()

/** The source of a module without its types, which are taken away once a process. */
const stripped = (source: string): string => {
  const known = withoutTypes.get(source) ?? stripTypeScriptTypes(source)
  withoutTypes.set(source, known)
  return known
}

const isOwn = (url: string): boolean => url.startsWith(own) && !url.includes('/node_modules/')
const isKept = (url: string): boolean => loadedOnce !== undefined && url.startsWith(own + loadedOnce)

// The project's modules are loaded anew for each test file, so that none finds the state that another left. Packages
// are loaded once a process, and so is a folder that the configuration names because it holds no state.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const { url } = resolved
    return testFile && isOwn(url) && !isKept(url) ? { ...resolved, url: `${url}?${testFile}` } : resolved
  },
  load(url, context, next) {
    const loaded = next(url, context)
    if (loaded.format !== 'module-typescript' || !loaded.source) return loaded
    return { ...loaded, format: 'module', source: stripped(loaded.source.toString()) }
  },
})

const load = async (path: string): Promise<unknown> => {
  const stop = new AbortController()
  const tooLong = setTimeout(loadingLimit, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`the test file is still loading after ${loadingLimit / 1000} seconds`)
  })
  tooLong.catch(() => {})
  return Promise.race([import(pathToFileURL(path).href), tooLong]).finally(() => stop.abort())
}

/**
 * jest-circus, except that Node itself loads the modules and takes the types away: without transforms, each package
 * once a process. A project's testTimeout counts, which jest-circus by itself ignores.
 */
const run: TestRunner = (globalConfig, projectConfig, environment, runtime, testPath, tell) => {
  testFile = `file=${++filesSoFar}`
  loadedOnce = projectConfig.testEnvironmentOptions?.loadedOnce
  Object.assign(runtime, {
    // What jest-circus keeps of one file's tests must not reach the next.
    requireInternalModule: (path: string) => {
      delete require.cache[path]
      return require(path)
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: load,
  } satisfies Runtime)
  const { testTimeout = globalConfig.testTimeout } = projectConfig
  // Without await, which would put a line of this file into the stack of every failure.
  return circus({ ...globalConfig, testTimeout }, projectConfig, environment, runtime, testPath, tell).finally(() => {
    testFile = ''
  })
}

export default run
