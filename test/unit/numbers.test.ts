import { counterKeys, numbersIn, onlyNumbersLost, takeNumbers } from '../../shared/orders/numbering/numbers.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'

const merchant = 7 as MerchantId
const numbers = { orders: 4, invoices: 3, deliveryNotes: 2, creditAdvices: 1 }
const names = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const
const items = names.map(name => ({ last: numbers[name] }))

const failed = 'ConditionalCheckFailed'

beforeAll(() => {
  process.env.TABLE_NAME = 'test'
})

describe('what was read of the counters', () => {
  test('is the last number of each kind', () => {
    expect(counterKeys(merchant)).toEqual(names.map(counter => key('numbers', { merchant, counter })))
    expect(numbersIn(items)).toEqual(numbers)
  })

  test.each([0, 1, 2, 3])('is nothing without counter %p', missing => {
    expect(numbersIn(items.map((item, n) => (n === missing ? undefined : item)))).toBeUndefined()
  })
})

test('taking numbers moves just the counters that differ, from what was read', () => {
  const taken = (after: Partial<typeof numbers>) =>
    takeNumbers(merchant, numbers, { ...numbers, ...after }).map(({ name, key: { sk }, request }) => {
      const { UpdateExpression, ConditionExpression, ExpressionAttributeValues } = request().Update ?? {}
      return { name, sk, UpdateExpression, ConditionExpression, values: Object.values(ExpressionAttributeValues ?? {}) }
    })
  const move = (name: string, values: number[]) => ({
    name: `numbers ${name}`,
    sk: name,
    UpdateExpression: 'SET #n0 = :v0',
    ConditionExpression: '#n0 = :v1',
    values,
  })
  expect(taken({ invoices: 5, creditAdvices: 2 })).toEqual([move('invoices', [5, 3]), move('creditAdvices', [2, 1])])
  expect(taken({})).toEqual([])
})

test.each([
  [{ 'numbers orders': failed, 'part 0': failed, order: failed }, true],
  [{ 'numbers orders': failed, basket: 'TransactionConflict', 'stock wine#1': 'None' }, true],
  [{ 'numbers orders': failed, basket: failed }, false],
  [{ 'stock wine#1': failed }, false],
  [{ 'the order': failed }, false],
  [{ 'order 1': failed }, false],
  [{ 'no part 0': failed }, false],
])('a transaction refused for %j lost nothing but numbers: %p', (reasons, expected) => {
  expect(onlyNumbersLost(new TransactionRefused(reasons))).toBe(expected)
})
