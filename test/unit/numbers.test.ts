import {
  counterKeys,
  numbersIn,
  onlyNumbersLost,
  QueueHasLeader,
  updateNumbers,
  withNumbers,
} from '../../shared/orders/numbering/numbers.ts'
import { TransactionRefused, Unavailable } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { useFakeClock } from '../support/fake-clock.ts'

// The retries of a request that takes a number. Time passes only in pauses.

const noon = Date.UTC(2026, 4, 1, 12)
const clock = useFakeClock(noon)
beforeEach(() => {
  clock.now = noon
})

const lost = () => new TransactionRefused({ 'numbers orders': 'ConditionalCheckFailed' })
const more = () =>
  new TransactionRefused({ 'numbers orders': 'ConditionalCheckFailed', basket: 'ConditionalCheckFailed' })
const again = () => true

/** An attempt that fails so often, with the moments at which it was made. */
const failing = (times: number, error: () => Error) => {
  const moments: number[] = []
  const attempt = async () => {
    if (moments.push(clock.now - noon) <= times) throw error()
    return 'done'
  }
  return { attempt, moments }
}

test('a successful attempt is the only one', async () => {
  const { attempt, moments } = failing(0, lost)
  expect([await withNumbers({ attempt, again }), moments]).toEqual(['done', [0]])
})

test.each([
  ['loses a number', lost],
  ['meets more than that', more],
])('an attempt that %s is repeated after longer and longer pauses', async (_, error) => {
  const { attempt, moments } = failing(4, error)
  expect([await withNumbers({ attempt, again }), moments]).toEqual(['done', [0, 10, 30, 70, 150]])
})

test.each([
  ['is refused for good', lost(), () => false],
  ['fails', new Unavailable('no answer'), again],
])('an attempt that %s is not repeated', async (_, error, may) => {
  const { attempt, moments } = failing(1, () => error)
  await expect(withNumbers({ attempt, again: may })).rejects.toBe(error)
  expect(moments).toEqual([0])
})

test.each([
  ['loses its number', lost, TransactionRefused],
  ['sees a leader', () => new QueueHasLeader(), Unavailable],
] as const)('an attempt that %s for 15 seconds is the last attempt', async (_, error, thrown) => {
  const { attempt, moments } = failing(1000, error)
  await expect(withNumbers({ attempt, again })).rejects.toBeInstanceOf(thrown)
  expect(moments.at(-1)).toBeGreaterThan(15_000)
  expect(moments.at(-2)).toBeLessThanOrEqual(15_000)
})

describe('a request that can wait in the queue', () => {
  const waiting = (outcome: string | undefined) => {
    const deadlines: number[] = []
    const wait = async (deadline: number) => {
      deadlines.push(deadline - noon)
      return outcome
    }
    return { wait, deadlines }
  }

  test.each([
    ['loses a number', lost],
    ['sees a leader', () => new QueueHasLeader()],
  ])('waits if it %s, and succeeds when its order is committed', async (_, error) => {
    const { attempt, moments } = failing(1, error)
    const { wait, deadlines } = waiting('committed')
    expect(await withNumbers({ attempt, again, wait })).toBe('committed')
    expect([moments, deadlines]).toEqual([[0], [15_000]])
  })

  test('tries again itself when its draft is withdrawn', async () => {
    const { attempt, moments } = failing(1, lost)
    expect(await withNumbers({ attempt, again, wait: waiting(undefined).wait })).toBe('done')
    expect(moments).toEqual([0, 10])
  })

  test('does not wait if more than a number was in conflict', async () => {
    const { attempt } = failing(1, more)
    const { wait, deadlines } = waiting('committed')
    expect([await withNumbers({ attempt, again, wait }), deadlines]).toEqual(['done', []])
  })
})

const merchant = 7 as MerchantId
const numbers = { orders: 4, invoices: 3, deliveryNotes: 2, creditAdvices: 1 }
const names = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const
const items = names.map(name => ({ last: numbers[name] }))

const failed = 'ConditionalCheckFailed'

beforeAll(() => {
  process.env.TABLE_NAME = 'test'
})

describe('the numbers in the counters', () => {
  test('are the last number of each kind', () => {
    expect(counterKeys(merchant)).toEqual(names.map(counter => key('numbers', { merchant, counter })))
    expect(numbersIn(items)).toEqual(numbers)
  })

  test.each([0, 1, 2, 3])('are undefined without counter %p', missing => {
    expect(numbersIn(items.map((item, n) => (n === missing ? undefined : item)))).toBeUndefined()
  })
})

test('taking numbers updates only the counters that differ, on condition that they are unchanged', () => {
  const taken = (after: Partial<typeof numbers>) =>
    updateNumbers(merchant, numbers, { ...numbers, ...after }).map(({ name, key: { sk }, request }) => {
      const { UpdateExpression, ConditionExpression, ExpressionAttributeValues } = request().Update ?? {}
      return { name, sk, UpdateExpression, ConditionExpression, values: Object.values(ExpressionAttributeValues ?? {}) }
    })
  const move = (name: string, values: number[]) => ({
    name: `numbers ${name}`,
    sk: name,
    UpdateExpression: 'SET #n0 = :v0',
    ConditionExpression: '#n0 = :v1 AND attribute_not_exists(#n1)',
    values,
  })
  expect(taken({ invoices: 5, creditAdvices: 2 })).toEqual([move('invoices', [5, 3]), move('creditAdvices', [2, 1])])
  expect(taken({})).toEqual([])
})

test('a counter is updated on condition that its series is unchanged, too', () => {
  const series = { invoices: { format: 'R-{n}', period: '', offset: 0 } }
  const before = { ...numbers, series }
  const conditionOf = (after: typeof before) =>
    updateNumbers(merchant, before, after).map(({ request }) => {
      const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = request().Update ?? {}
      return ConditionExpression?.replaceAll(/#n\d+/g, name => ExpressionAttributeNames?.[name] ?? '').replaceAll(
        /:v\d+/g,
        name => JSON.stringify(ExpressionAttributeValues?.[name]),
      )
    })
  const seen = `last = 3 AND series = ${JSON.stringify(series.invoices)}`
  expect(conditionOf({ ...before, invoices: 4 })).toEqual([seen])
  expect(conditionOf({ ...before, series: { invoices: { ...series.invoices, format: 'RE-{n}' } } })).toEqual([seen])
})

test.each([
  [{ 'numbers orders': failed, 'part 0': failed, order: failed }, true],
  [{ 'numbers orders': failed, basket: 'TransactionConflict', 'stock wine#1': 'None' }, true],
  [{ 'numbers orders': failed, basket: failed }, false],
  [{ 'stock wine#1': failed }, false],
  [{ 'the order': failed }, false],
  [{ 'order 1': failed }, false],
  [{ 'no part 0': failed }, false],
])('a transaction refused for %j lost only numbers: %p', (reasons, expected) => {
  expect(onlyNumbersLost(new TransactionRefused(reasons))).toBe(expected)
})
