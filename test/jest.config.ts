import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from 'jest'
import { campaigns, lane, slow } from './lanes.ts'

const rootDir = join(import.meta.dirname, '..')

if (!lane) throw new Error(`there is no lane ${process.env.LANE}`)
const { files, environment, maxWorkers } = lane
Object.assign(process.env, environment)
if (environment?.SEED) process.stderr.write(`SEED=${environment.SEED}\n`)

// A test of another lane that is named is run by `npm test`, too.
const left = [...slow, ...campaigns].filter(
  file => !process.argv.some(word => /^test\/\w+\/./.test(word) && file.startsWith(word)),
)

/** The test files of a folder that the lane may run, as patterns. */
const filesOf = (folder: string): string[] =>
  files
    ? files.filter(file => file.startsWith(`test/${folder}/`)).map(file => `<rootDir>/${file}`)
    : [`<rootDir>/test/${folder}/**/*.test.ts`]

/**
 * A folder of tests: what is slower than its limit hangs, unless the test itself says that it takes longer. The limits
 * are those of a machine that is busy with other things, too.
 */
const project = (displayName: string, testTimeout: number, more: Config = {}) => ({
  displayName,
  testTimeout,
  rootDir,
  testMatch: filesOf(displayName),
  testPathIgnorePatterns: files ? [] : left.map(file => `<rootDir>/${file}$`),
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  testRunner: '<rootDir>/test/support/jest/runner.ts',
  // Much of what a test file loads, and nothing there changes.
  testEnvironmentOptions: {
    loadedOnce: ['shared/contract/', 'shared/search/', 'shared/media/letters/', 'shared/documents/typesetting/'],
  },
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
  maxWorkers: maxWorkers ?? availableParallelism() + 2,
  // By default half a second: the teardown of a worker's heap takes longer on a busy machine.
  workerGracefulExitTimeout: 20_000,
  testSequencer: '<rootDir>/test/support/jest/sequencer.ts',
  reporters: ['default', '<rootDir>/test/support/jest/errors-reporter.ts'],
  projects: [
    project('unit', 60_000),
    project('domain', 180_000, {
      ...setUp('domain'),
      setupFilesAfterEnv: ['<rootDir>/test/support/jest/on-table.ts'],
    }),
    // One process loads the CDK, and synthesizes each variant once. The slow files share less.
    project('stack', 180_000, files ? {} : { runner: '<rootDir>/test/support/jest/in-band.ts' }),
    project('service', 180_000, setUp('global')),
    project('browser', 180_000, setUp('browser')),
    // A project without patterns would take every file for a test.
  ].filter(({ testMatch }) => testMatch.length > 0),
}

export default config
