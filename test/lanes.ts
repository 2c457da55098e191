import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The test files of a command of package.json; all unless it names some. */
type Lane = { files?: readonly string[]; environment?: Readonly<Record<string, string>>; maxWorkers?: number }

/** Files that another lane than the fast one runs, by what they are; each group names its witness in `npm test`. */
type Groups = Readonly<Record<string, readonly string[]>>

/** The files that `npm run test:slow`, and so `.ci/run`, adds to `npm test`. */
const slowGroups: Groups = {
  'the deployed form; witness: domain/isolation, which calls every route': [
    'test/browser/shop-orders.test.ts',
    'test/service/baskets-waiting.test.ts',
    'test/service/clients.test.ts',
    'test/service/docs.test.ts',
    'test/service/eu-label.test.ts',
    'test/service/law-check.test.ts',
    'test/service/merchant-day.test.ts',
    'test/service/openapi.test.ts',
    'test/service/order-races.test.ts',
    'test/service/paypal-webhook.test.ts',
    'test/service/pictures.test.ts',
    'test/service/request-counts.test.ts',
    'test/service/shop.test.ts',
    'test/service/smoke.test.ts',
    'test/service/start.test.ts',
    'test/service/tour.test.ts',
    'test/service/twin-table.test.ts',
  ],
  'the operator tool as a process; witnesses: the domain tests of imports and tools': [
    'test/service/events.test.ts',
    'test/service/merchant-tool.test.ts',
    'test/service/record-import.test.ts',
    'test/service/wine-import.test.ts',
  ],
  'what payments and sign-ins become over time; witnesses: domain/payment-ends, paypal-outside, sign-in': [
    'test/domain/client-throttle.test.ts',
    'test/domain/payment-refused.test.ts',
    'test/domain/timed-jobs.test.ts',
  ],
  'the edge and the bundles; witnesses: stack/service-stack, rights, alarms': [
    'test/stack/bundle-start.test.ts',
    'test/stack/bundled-files.test.ts',
    'test/stack/front.test.ts',
  ],
}

/** The files of `npm run test:campaigns`, which is run before a release and after a change of a group's subject. */
const campaignGroups: Groups = {
  'pages in Chromium; witness: browser/shop-orders': [
    'test/browser/docs.test.ts',
    'test/browser/elabel.test.ts',
    'test/browser/shop-look.test.ts',
    'test/browser/shop-pages.test.ts',
    'test/browser/shop-payments.test.ts',
    'test/browser/typed-client.test.ts',
  ],
  'twins of their own, stopped, killed, broken and restored; witness: service/start': [
    'test/service/merchant-settings.test.ts',
    'test/service/paypal-credentials.test.ts',
    'test/service/restart.test.ts',
    'test/service/restore.test.ts',
    'test/service/smoke-faults.test.ts',
    'test/service/start-refusals.test.ts',
    'test/service/tool-payments.test.ts',
    'test/service/twin.test.ts',
    'test/service/twin-trouble.test.ts',
    'test/service/watch.test.ts',
    'test/service/weak-consistency.test.ts',
  ],
  'races between instances, and their kills; witness: service/order-races': [
    'test/domain/upload-races.test.ts',
    'test/service/expertise-first-day.test.ts',
    'test/service/order-burst.test.ts',
    'test/service/payment-kills.test.ts',
    'test/service/quotas.test.ts',
    'test/service/record-import-races.test.ts',
    'test/service/wine-edit-concurrency.test.ts',
  ],
  'jobs that the stream and the clock start; witness: service/events': [
    'test/service/dead-letters.test.ts',
    'test/service/metrics.test.ts',
    'test/service/publishing.test.ts',
    'test/service/snapshot-rebuild.test.ts',
    'test/service/sweep-dispatch.test.ts',
    'test/service/wine-snapshots.test.ts',
  ],
  'walks over all faults, keys, routes and guides; witnesses: domain/isolation, service/request-counts and smoke': [
    'test/domain/leading-keys.test.ts',
    'test/domain/storefront.test.ts',
    'test/service/faults.test.ts',
    'test/service/former-pictures.test.ts',
    'test/service/guides.test.ts',
    'test/service/reference-examples.test.ts',
    'test/service/typed-client.test.ts',
  ],
  'files that the operator tool uploads; witness: service/wine-import': [
    'test/service/expertise-upload.test.ts',
    'test/service/wine-field-files.test.ts',
  ],
  'large records, many wines, orders and events; witnesses: domain/orders, publishing, events, whole-exports': [
    'test/domain/demo.test.ts',
    'test/domain/events-at-once.test.ts',
    'test/domain/missing-snapshots.test.ts',
    'test/domain/order-groups.test.ts',
    'test/domain/order-sizes.test.ts',
    'test/domain/page-sizes.test.ts',
    'test/domain/publishing-faults.test.ts',
    'test/domain/record-limits.test.ts',
    'test/unit/openapi-limits.test.ts',
    'test/unit/search-phrases.test.ts',
    'test/unit/search-snapshots.test.ts',
    'test/unit/simulated-orders.test.ts',
  ],
  'mutants that tests once let pass': ['test/domain/mutants.test.ts'],
  'drawn PDFs and pictures at their limits; witnesses: unit/expertise-sheet, unit/pictures': [
    'test/unit/drawn-pictures.test.ts',
    'test/unit/expertise-limits.test.ts',
    'test/unit/expertise-pictures.test.ts',
    'test/unit/expertise-scripts.test.ts',
  ],
  'builds, packages, a release and checks by other programs; witnesses: stack/service-stack, bundled-files': [
    'test/stack/build.test.ts',
    'test/stack/checks.test.ts',
    'test/stack/release.test.ts',
    'test/stack/synth.test.ts',
    'test/unit/openapi-tools.test.ts',
    'test/unit/typed-client-package.test.ts',
  ],
}

export const slow: readonly string[] = Object.values(slowGroups).flat()
export const campaigns: readonly string[] = Object.values(campaignGroups).flat()

const root = join(import.meta.dirname, '..')

/** The test files whose text matches. */
const filesWith = (pattern: RegExp): string[] =>
  globSync('test/*/**/*.test.ts', { cwd: root }).filter(file => pattern.test(readFileSync(join(root, file), 'utf8')))

/** The files of which `npm test` runs a sample or fewer rounds, and `npm run test:campaigns` all. */
const sampled = (): string[] =>
  filesWith(/InFastLane\(/).filter(file => !slow.includes(file) && !campaigns.includes(file))

/** The files with fewer cases in another lane, and those with random values. */
const shortened = (): string[] => filesWith(/from '(\.\.\/support\/sampling\.ts|fast-check)'/)

const lanes: Readonly<Record<string, () => Lane>> = {
  fast: () => ({}),
  slow: () => ({ files: slow }),
  campaigns: () => ({ files: [...campaigns, ...sampled()] }),
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
