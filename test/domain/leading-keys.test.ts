import { accessKeyIdOf, createPrincipals } from '../../lib/twin/iam/principals.ts'
import { type DynamoRequest, requestedActions } from '../../lib/twin/iam/required-permissions.ts'
import { readTemplate } from '../../lib/twin/template/model.ts'
import { tableArn } from '../../lib/twin/template/resolve.ts'
import { tableClient } from '../../shared/platform/table/table.ts'
import { newShop } from '../support/harness.ts'
import { walkInProcess } from '../support/smoke-walk.ts'
import { templateOf } from '../support/synthesized.ts'
import { servedRoute } from '../support/used-rights.ts'

/*
 * No document says whether IAM sees the keys of all items of a transaction with each of its actions. Should it, a stage is
 * deployed with leadingKeys=together; each request to the table is checked against the policies of that template.
 */

/** Returns which requests the policies of a template allow, if IAM sees the keys of a transaction one by one or together. */
const policiesWith = (leadingKeys: string, together: boolean) => {
  const { template } = templateOf('dev', { leadingKeys, sandbox: true })
  const model = readTemplate(template.toJSON() as never)
  const principals = createPrincipals()
  principals.apply(model)
  const names = model.functions.map(({ name }) => name)
  const letters = (text: string) => text.replace(/[^a-z0-9]/gi, '').toLowerCase()
  return (path: string, operation: string, request: DynamoRequest): boolean => {
    const name = names.find(one => letters(one).startsWith(`${letters(path)}function`)) ?? ''
    const actions = requestedActions(operation, request, () => tableArn(model.table.name), together)
    return actions.every(action => principals.allows(accessKeyIdOf(name), action))
  }
}

test('with leadingKeys=together every route works if IAM checks each statement against all items of a transaction', async () => {
  const allows = policiesWith('together', true)
  const transactions = new Set<string>()
  tableClient.middlewareStack.add(
    next => async args => {
      const path = servedRoute()?.path
      const { headers, body } = args.request as { headers: Record<string, string>; body: Uint8Array }
      const operation = headers['x-amz-target']?.split('.').at(-1) ?? ''
      if (path && operation === 'TransactWriteItems') transactions.add(path)
      const sent = new TextDecoder().decode(body)
      if (path && !allows(path, operation, JSON.parse(sent))) throw new Error(`${path} may not ${operation} ${sent}`)
      return next(args)
    },
    { step: 'finalizeRequest', name: 'leadingKeys' },
  )
  expect(await walkInProcess(await newShop('Kellerei Beisammen', ['invoice', 'paypal']))).toEqual([])
  expect(transactions).toContain('/service/orders/add')
})

// An order puts its own items and updates the merchant's counters.
const transaction: DynamoRequest = {
  TransactItems: [
    { Put: { TableName: 'any', Item: { pk: { S: 'm#7#orders' } } } },
    { Update: { TableName: 'any', Key: { pk: { S: 'm#7#stock' } } } },
  ],
}

test.each([
  ['apart', 'one by one', false, true],
  ['apart', 'all together', true, false],
  ['together', 'one by one', false, true],
  ['together', 'all together', true, true],
])('statements %s, keys %s: an order is allowed or not', (leadingKeys, _, together, expected) => {
  const allows = policiesWith(leadingKeys, together)
  expect(allows('/service/orders/add', 'TransactWriteItems', transaction)).toBe(expected)
})
