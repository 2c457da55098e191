import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from 'jest'

const rootDir = join(import.meta.dirname, '..')

/**
 * A folder of tests: what is slower than its limit hangs, unless the test itself says that it takes longer. The limits
 * are those of a machine that is busy with other things, too.
 */
const project = (displayName: string, testTimeout: number, more: Config = {}) => ({
  displayName,
  testTimeout,
  rootDir,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  testRunner: '<rootDir>/test/support/jest/runner.ts',
  // The schemas of all routes are most of what a test file loads, and nothing there changes.
  testEnvironmentOptions: { loadedOnce: 'shared/contract/' },
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/cdk.out', '<rootDir>/.local'],
  ...more,
})

const setUp = (name: string) => ({
  globalSetup: `<rootDir>/test/support/${name}-setup.ts`,
  globalTeardown: `<rootDir>/test/support/${name}-teardown.ts`,
})

const config: Config = {
  rootDir,
  // Some tests only wait for a time to be over.
  maxWorkers: availableParallelism() + 2,
  testSequencer: '<rootDir>/test/support/jest/sequencer.ts',
  reporters: ['default', '<rootDir>/test/support/jest/errors-reporter.ts'],
  projects: [
    project('unit', 60_000),
    project('domain', 180_000, {
      ...setUp('domain'),
      setupFilesAfterEnv: ['<rootDir>/test/support/jest/on-table.ts'],
    }),
    project('stack', 180_000),
    project('service', 180_000, setUp('global')),
    project('browser', 180_000, setUp('browser')),
  ],
}

export default config
