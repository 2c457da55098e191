import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The sources that `npm run mutate` changes. */
export const mutated: readonly string[] = [
  'shared/values/money.ts',
  'shared/orders/**/*.ts',
  'shared/payments/**/*.ts',
  'shared/platform/table/**/*.ts',
]

/** A module that loads the schemas of all routes. */
export const contract = 'shared/contract/routes/index.ts'

// The unit tests of what is mutated, by the beginnings of their names.
const units = [
  'address-contention',
  'documents',
  'draft',
  'expressions',
  'failures',
  'ids-and-time',
  'keys',
  'money',
  'numbers',
  'order-view',
  'packages',
  'credit-amounts',
  'order-amounts',
  'order-steps',
  'payment-looks',
  'payment-model',
  'payment-states',
  'paypal',
  'price.',
  'pricing',
  'providers',
  'rebates',
  'redirects',
  'retry',
  'sandbox',
  'sold-record',
  'states',
  'sweep-dispatch',
  'table',
  'totals',
  'transitions',
]

/** The test files that mutants are tried with. */
export const patterns: readonly string[] = [...units.map(name => `test/unit/${name}*.ts`), 'test/domain/*.test.ts']

/** The test files that mutants are tried with, the quickest kind first; only that one where ONLY_UNITS is set. */
export const testFiles = (): string[] =>
  patterns
    .filter(pattern => !process.env.ONLY_UNITS || pattern.startsWith('test/unit/'))
    .flatMap(pattern => globSync(pattern, { cwd: root }).sort())
    // This one runs this very code.
    .filter(file => !file.startsWith('test/domain/mutants'))
