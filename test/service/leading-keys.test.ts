import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { accessKeyIdOf, createPrincipals } from '../../lib/twin/iam/principals.ts'
import { type DynamoRequest, requestedActions } from '../../lib/twin/iam/required-permissions.ts'
import { readTemplate } from '../../lib/twin/template/model.ts'
import { tableArn } from '../../lib/twin/template/resolve.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { templateOf } from '../support/synthesized.ts'
import { patience } from '../support/tool.ts'

/*
 * No document says whether IAM sees the keys of all items of a transaction with each of its actions. Should it, a stage is
 * deployed with leadingKeys=together; this twin has that template, and evaluates transactions so.
 */

test(
  'with leadingKeys=together every route works if IAM checks each statement against all items of a transaction',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weinkontor-together-'))
    const twin = await startTwinProcess(folder, { environment: { DEMO: 'no', LEADING_KEYS: 'together' } })
    try {
      actAsOperator(twin.connection)
      const merchant = await createMerchant({ name: 'Kellerei Beisammen', paymentTypes: ['invoice', 'paypal'] })
      const { token } = await issueToken(merchant, 'smoke', { role: 'desk' })
      const words = ['bin/smoke.ts', '--url', twin.connection.url, '--authid', merchant.authid]
      const smoke = spawn(process.execPath, words, { env: childEnvironment({ SMOKE_TOKEN: token }) })
      const exited = once(smoke, 'exit')
      const out = await text(smoke.stdout)
      await exited
      expect(out.split('\n').filter(line => line.includes('DIFFERS'))).toEqual([])
      expect(out).toMatch(new RegExp(`^${routes.length} routes, \\d+ calls, 0 differences$`, 'm'))
    } finally {
      await twin.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
  patience,
)

// An order puts its own items and updates the merchant's counters.
const transaction = (table: string): DynamoRequest => ({
  TransactItems: [
    { Put: { TableName: table, Item: { pk: { S: 'm#7#orders' } } } },
    { Update: { TableName: table, Key: { pk: { S: 'm#7#stock' } } } },
  ],
})

test.each([
  ['apart', 'one by one', false, true],
  ['apart', 'all together', true, false],
  ['together', 'one by one', false, true],
  ['together', 'all together', true, true],
])('statements %s, keys %s: an order is allowed or not', (leadingKeys, _, together, expected) => {
  const { template } = templateOf('dev', { leadingKeys })
  const model = readTemplate(template.toJSON() as never)
  const principals = createPrincipals()
  principals.apply(model)
  const add = model.functions.find(({ name }) => /^serviceordersadd/i.test(name.replaceAll('-', '')))
  const actions = requestedActions('TransactWriteItems', transaction(model.table.name), tableArn, together)
  expect(actions.every(action => principals.allows(accessKeyIdOf(add?.name ?? ''), action))).toBe(expected)
})
