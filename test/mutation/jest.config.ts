import { join } from 'node:path'
import type { Config } from 'jest'

const rootDir = join(import.meta.dirname, '../..')

// The unit tests of what is mutated, by the beginnings of their names.
const units = [
  'address-contention',
  'documents',
  'expressions',
  'failures',
  'ids-and-time',
  'keys',
  'money',
  'numbers',
  'order-view',
  'packages',
  'parties',
  'payment-looks',
  'paypal',
  'place-actions',
  'price.',
  'pricing',
  'providers',
  'rebates',
  'redirects',
  'sandbox',
  'sold-record',
  'states',
  'sweep-dispatch',
  'table',
  'totals',
  'transitions',
]

// The tests of routes that need no more than a table, but for races and faults, which take too long.
const services = [
  'baskets',
  'order-goods',
  'order-pages',
  'order-requests',
  'order-shapes',
  'orders',
  'orders-amounts',
  'orders-get',
  'orders-numbers',
  'orders-refusals',
  'paid-by-hand',
  'payment-ends',
  'payment-refused',
  'payments',
  'paypal-checkout',
  'sandbox',
  'sweep',
]

const config: Config = {
  rootDir,
  roots: [join(rootDir, 'test')],
  testMatch: [
    ...services.map(name => `<rootDir>/test/service/${name}.test.ts`),
    '<rootDir>/test/domain/**/*.test.ts',
    ...units.map(name => `<rootDir>/test/unit/${name}*.ts`),
  ],
  // It runs this very configuration.
  testPathIgnorePatterns: ['<rootDir>/test/domain/mutants'],
  testEnvironment: '<rootDir>/test/mutation/environment.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/on-table.ts', '<rootDir>/test/mutation/with-paypal.ts'],
  testRunner: '<rootDir>/test/support/jest/runner.ts',
  testTimeout: 20_000,
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/.local'],
}

export default config
