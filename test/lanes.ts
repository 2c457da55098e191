import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The test files of a command of package.json; all unless it names some. */
type Lane = { files?: readonly string[]; environment?: Readonly<Record<string, string>>; maxWorkers?: number }

/** Run by `npm run test:slow` only. `npm test` has a witness of each kind: start.test.ts stops, kills and starts a twin. */
export const slow: readonly string[] = [
  'test/browser/shop-look.test.ts',
  'test/service/dead-letters.test.ts',
  'test/service/leading-keys.test.ts',
  'test/service/metrics.test.ts',
  'test/service/order-burst.test.ts',
  'test/service/payment-kills.test.ts',
  'test/service/publishing.test.ts',
  'test/service/restart.test.ts',
  'test/service/restore.test.ts',
  'test/service/smoke-faults.test.ts',
  'test/service/snapshot-rebuild.test.ts',
  'test/service/storefront.test.ts',
  'test/service/sweep-dispatch.test.ts',
  'test/service/tool-payments.test.ts',
  'test/service/twin-trouble.test.ts',
  'test/service/weak-consistency.test.ts',
  'test/service/watch-changes.test.ts',
  'test/service/watch.test.ts',
  'test/service/wine-import.test.ts',
  'test/stack/build.test.ts',
  'test/stack/release.test.ts',
]

/** `npm test` runs a sample of their cases (`sampleInFastLane` in support/sampling.ts), `npm run test:slow` all. */
const sampled: readonly string[] = [
  'test/domain/publishing-faults.test.ts',
  'test/domain/wine-fields.test.ts',
  'test/stack/checks.test.ts',
  'test/stack/synth.test.ts',
]

const root = join(import.meta.dirname, '..')

/** The test files that run fewer cases in `npm test`, and those with random values. */
const shortened = (): string[] =>
  globSync('test/*/**/*.test.ts', { cwd: root }).filter(file =>
    /from '(\.\.\/support\/sampling\.ts|fast-check)'/.test(readFileSync(join(root, file), 'utf8')),
  )

const lanes: Readonly<Record<string, () => Lane>> = {
  fast: () => ({}),
  slow: () => ({ files: [...slow, ...sampled] }),
  /** All cases, more rounds, and other random values. */
  long: () => ({
    files: shortened(),
    environment: {
      ...{ OUTCOMES: 'all', FUZZ: '8', SEARCH_EPOCHS: '20', STALE_READ_EDITS: '1000', ROUNDS: '200' },
      ...{ BURST: '300', TEST_INSTANCES: '64', SEED: process.env.SEED ?? String(Math.floor(Date.now() / 1000)) },
    },
    maxWorkers: 1,
  }),
  /** Kills processes in the middle of their work, many times. */
  kills: () => ({
    files: ['test/service/payment-kills.test.ts', 'test/service/restart.test.ts'],
    environment: { KILLS: '20', TEST_INSTANCES: '8' },
  }),
}

/** The lane that test/run.ts runs; the fast one if jest is started without it. */
export const lane: Lane | undefined = lanes[process.env.LANE ?? 'fast']?.()
