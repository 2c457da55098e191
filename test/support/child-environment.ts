import { join } from 'node:path'

const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/**
 * The environment of a process that a test starts: nothing of the test's own but the path. Node keeps the code it has
 * compiled, because the tests start the same programs many times.
 */
export const childEnvironment = (more: Record<string, string | undefined> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: compiled,
  ...more,
})
