import { randomUUID } from 'node:crypto'
import { absent, equals, present } from '../../shared/platform/table/expressions.ts'
import { retry, TransactionRefused } from '../../shared/platform/table/failures.ts'
import { sortable } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, query } from '../../shared/platform/table/table.ts'
import { type Action, check, put, remove, transact, update } from '../../shared/platform/table/transact.ts'
import '../support/harness.ts'
import { counted, newPartition, probeKey, refusal } from '../support/partitions.ts'

// As in dynamodb.test.ts: the code's assumptions about DynamoDB, checked on its local engine.

const pk = newPartition()
let made = 0
const newKey = () => probeKey(pk, `item ${++made}`)

const refused = async (actions: Action[], token?: string): Promise<TransactionRefused> => {
  const error = await refusal(transact(actions, token))
  expect(error).toBeInstanceOf(TransactionRefused)
  return error as TransactionRefused
}

test('a transaction puts, changes, deletes and checks items in several partitions', async () => {
  const [added, changed, removed, checked] = [newKey(), probeKey(newPartition(), 'x'), newKey(), newKey()]
  await Promise.all([changed, removed, checked].map(key => putItem(key, { n: 1 })))
  await transact([
    put('put', added, { n: 1 }, { when: [absent] }),
    update('update', changed, { set: { text: 't' }, add: { n: 1 } }, [equals('n', 1)]),
    remove('remove', removed, [present]),
    check('check', checked, [present]),
  ])
  expect(await getItem(added)).toEqual({ n: 1 })
  expect(await getItem(changed)).toEqual({ n: 2, text: 't' })
  expect(await getItem(removed)).toBeUndefined()
  expect(await getItem(checked)).toEqual({ n: 1 })
})

test('a transaction with one failed condition writes nothing, and returns its position', async () => {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  await putItem(third, { n: 3 })
  const error = await refused([
    put('first', first, { n: 1 }),
    check('second', second, [present]),
    update('third', third, { add: { n: 1 } }, [equals('n', 3)]),
  ])
  expect(error.reasons).toEqual({ first: 'None', second: 'ConditionalCheckFailed', third: 'None' })
  expect([error.hasFailed('second'), error.hasFailed('third'), error.contended]).toEqual([true, false, false])
  expect(await getItem(first)).toBeUndefined()
  expect(await getItem(third)).toMatchObject({ n: 3 })
})

test('a transaction with several failed conditions returns them all', async () => {
  const there = newKey()
  await putItem(there, {})
  const { reasons } = await refused([
    put('there', there, {}, { when: [absent] }),
    put('fine', newKey(), {}),
    remove('missing', newKey(), [present]),
  ])
  expect(reasons).toEqual({ there: 'ConditionalCheckFailed', fine: 'None', missing: 'ConditionalCheckFailed' })
})

test('a transaction repeated with its token is the same write', async () => {
  const [counter, born] = [newKey(), newKey()]
  const token = randomUUID()
  const actions: Action[] = [update('counter', counter, { add: { n: 1 } }), put('born', born, {}, { when: [absent] })]
  await transact(actions, token)
  await transact(actions, token)
  await Promise.all(counted(5).map(() => transact(actions, token)))
  expect(await getItem(counter)).toMatchObject({ n: 1 })
})

test('a token belongs to one transaction', async () => {
  const token = randomUUID()
  const key = newKey()
  await transact([update('one', key, { add: { n: 1 } })], token)
  const error = await refusal(transact([update('one', key, { add: { n: 2 } })], token))
  expect(error.name).toBe('IdempotentParameterMismatchException')
  expect(await getItem(key)).toMatchObject({ n: 1 })
})

test('a refused transaction does not use up its token', async () => {
  const [key, other] = [newKey(), newKey()]
  const token = randomUUID()
  const actions: Action[] = [update('write', key, { add: { n: 1 } }), check('other', other, [present])]
  await refused(actions, token)
  await putItem(other, {})
  await transact(actions, token)
  expect(await getItem(key)).toMatchObject({ n: 1 })
})

test('two actions of a transaction must not be on one item', async () => {
  const key = newKey()
  const twice = [check('check', key, [absent]), put('put', key, {})]
  expect((await refusal(transact(twice))).name).toBe('ValidationException')
})

test('a transaction takes a hundred actions and no more', async () => {
  const pk = newPartition()
  const puts = (n: number): Action[] => counted(n).map(at => put(`${at}`, probeKey(pk, sortable(at)), {}))
  expect((await refusal(transact(puts(101)))).name).toBe('ValidationException')
  expect(await query({ pk })).toHaveLength(0)
  await transact(puts(100))
  expect(await query({ pk })).toHaveLength(100)
})

test('an item above 400 KB fails the whole transaction', async () => {
  const small = newKey()
  const error = await refusal(
    transact([put('small', small, {}), put('large', newKey(), { text: 'x'.repeat(401 * 1024) })]),
  )
  expect(error.message).not.toBe('not refused')
  expect(await getItem(small)).toBeUndefined()
})

test('30 concurrent transactions that take the next number get consecutive numbers, each its own', async () => {
  const pk = newPartition()
  const counter = probeKey(pk, 'counter')
  await putItem(counter, { n: 0 })
  const take = async (): Promise<number> => {
    const n = Number((await getItem(counter))?.n) + 1
    await transact([
      update('counter', counter, { set: { n } }, [equals('n', n - 1)]),
      put('order', probeKey(pk, sortable(n)), { n }, { when: [absent] }),
    ])
    return n
  }
  const again = (error: TransactionRefused) => error.contended || error.hasFailed('counter')
  const numbers = await Promise.all(counted(30).map(() => retry(take, again, 100)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(counted(30))
  expect(await getItem(counter)).toMatchObject({ n: 30 })
  expect(await query({ pk, between: [sortable(1), sortable(30)] })).toHaveLength(30)
})
