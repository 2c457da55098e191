import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { countFailures } from '../../shared/merchants/failures.ts'
import { countInReview } from '../../shared/orders/checkout/sweep.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { writeMetrics } from '../../shared/platform/log.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { captureLog } from '../support/captured-log.ts'
import { itemsOf } from '../support/cellar.ts'
import { newCheckout, returning } from '../support/checkout.ts'

const { lines } = captureLog()

/** The metrics since the test began. */
const measured = () => {
  writeMetrics()
  return lines().map(({ _aws, stage, ...values }) => values)[0]
}

type Answer = { output: { $metadata: { attempts: number } } }

/** Errors of the next requests of a kind, and how often the SDK is to have tried those that succeed. */
let errors: { command: string; error: object }[] = []
let attempts = 1
tableClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      const at = errors.findIndex(({ command }) => commandName.startsWith(command))
      if (at >= 0) throw errors.splice(at, 1)[0]?.error
      const answer = (await next(args)) as unknown as Answer
      answer.output.$metadata.attempts = attempts
      return answer as never
    },
  { step: 'initialize', priority: 'low', name: 'tampering' },
)
afterEach(() => {
  errors = []
  attempts = 1
})

const canceled = (...codes: string[]) => ({
  name: 'TransactionCanceledException',
  CancellationReasons: codes.map(Code => ({ Code })),
})

const { shop, billing_id } = await newCheckout('Kellerei Gezählt')
const place = (data: object = {}) => {
  const order = { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 2 }), ...data }
  const request = { data: v.parse(NewOrder, order), idempotencyKey: null }
  return placeOrder({ merchant: shop.id, user: { id: 1, name: 'test' } }, request)
}

test('an order is counted with its gross amount after it is written', async () => {
  const { data } = await place()
  expect(measured()).toEqual({ Orders: 1, Turnover: Number(data.gross) })
})

test('an order that is refused is not counted', async () => {
  await expect(place({ items: [{ item_type: 'wine', item_id: 4711, quantity: 1 }] })).rejects.toThrow()
  expect(measured()).toBeUndefined()
})

test('a transaction that conflicted is counted as a conflict, and its repeat as a retry', async () => {
  errors = [{ command: 'TransactWrite', error: canceled('None', 'TransactionConflict') }]
  await place()
  expect(measured()).toMatchObject({ Orders: 1, Conflicts: 1, Retries: 1 })
})

test('a transaction with a failed condition is counted as a retry, not as a conflict', async () => {
  errors = [{ command: 'TransactWrite', error: canceled('ConditionalCheckFailed') }]
  await place()
  const values = measured()
  expect(values).toMatchObject({ Orders: 1, Retries: 1 })
  expect(values).not.toHaveProperty('Conflicts')
})

test('a write that conflicted with a transaction is counted as a conflict', async () => {
  errors = [{ command: 'UpdateItem', error: { name: 'TransactionConflictException' } }]
  await expect(
    updateItem(key('numbers', { merchant: shop.id, counter: 'orders' }), { set: { last: 0 } }),
  ).rejects.toThrow()
  expect(measured()).toEqual({ Conflicts: 1 })
})

test('retries of the SDK are counted, whether they succeeded or not', async () => {
  attempts = 3
  await getItem(key('merchant', { merchant: shop.id }))
  expect(measured()).toEqual({ Retries: 2 })
})

test('the retries of a call that failed in the end are counted as well', async () => {
  errors = [{ command: 'GetItem', error: { name: 'TimeoutError', $metadata: { attempts: 3 } } }]
  await expect(getItem(key('merchant', { merchant: shop.id }))).rejects.toThrow()
  expect(measured()).toEqual({ Retries: 2 })
})

test('a failed sign-in is counted once, however many limits count it', async () => {
  await countFailures(['ip#192.0.2.7', 'authid#nobody'])
  expect(measured()).toEqual({ FailedLogins: 1 })
})

test('payments in review are counted, those of another state are not', async () => {
  const paypal = { payment_type: 'paypal', ...returning }
  const [decided] = [await place(paypal), await place(paypal)]
  expect(await countInReview(shop.id)).toBe(0)
  const at = key('payment', { merchant: shop.id, uuid: decided.payment?.uuid ?? '' })
  await updateItem(at, { set: { status: 'review' }, index: taskKey('review', Date.now()) })
  expect(await countInReview(shop.id)).toBe(1)
})
