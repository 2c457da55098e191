import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { named } from '../mutation/named.ts'
import { childEnvironment } from '../support/child-environment.ts'

// `npm run mutate` tries thousands of mistakes; these few, which tests once let pass, are tried in every run.
test('former mistakes are detected', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/mutation/run-named.ts'], {
    env: childEnvironment({ DOMAIN_TABLE: process.env.DOMAIN_TABLE ?? '' }),
  })
  const outcomes = JSON.parse(stdout.slice(stdout.indexOf('{')))
  expect(outcomes).toEqual(Object.fromEntries(named.map(({ mistake }) => [mistake, 'seen'])))
})
