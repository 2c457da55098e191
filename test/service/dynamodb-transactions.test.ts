import { randomUUID } from 'node:crypto'
import { absent, equals, present } from '../../shared/table/expressions.ts'
import { TransactionRefused } from '../../shared/table/failures.ts'
import { type Key, sortable } from '../../shared/table/keys.ts'
import { getItem, putItem, query } from '../../shared/table/table.ts'
import { type Action, retrying, transact } from '../../shared/table/transact.ts'
import '../support/harness.ts'
import { counted, newPartition, refusal } from '../support/partitions.ts'

// As in dynamodb.test.ts: what the code relies on, held against the engine that stands in for DynamoDB.

const pk = newPartition()
let made = 0
const newKey = (): Key => ({ pk, sk: `item ${++made}` })

const refused = async (actions: Action[], token?: string): Promise<TransactionRefused> => {
  const error = await refusal(transact(actions, token))
  expect(error).toBeInstanceOf(TransactionRefused)
  return error as TransactionRefused
}

test('a transaction puts, changes, deletes and checks, in several partitions at once', async () => {
  const [put, update, remove, check] = [newKey(), { ...newKey(), pk: newPartition() }, newKey(), newKey()]
  await Promise.all([update, remove, check].map(key => putItem(key, { n: 1 })))
  await transact([
    { name: 'put', key: put, when: [absent], put: { n: 1 } },
    { name: 'update', key: update, when: [equals('n', 1)], update: { set: { text: 't' }, add: { n: 1 } } },
    { name: 'remove', key: remove, when: [present], remove: true },
    { name: 'check', key: check, when: [present], check: true },
  ])
  expect(await getItem(put)).toEqual({ ...put, n: 1 })
  expect(await getItem(update)).toEqual({ ...update, n: 2, text: 't' })
  expect(await getItem(remove)).toBeUndefined()
  expect(await getItem(check)).toEqual({ ...check, n: 1 })
})

test('a transaction with one failed condition writes nothing, and tells which by its place', async () => {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  await putItem(third, { n: 3 })
  const error = await refused([
    { name: 'first', key: first, put: { n: 1 } },
    { name: 'second', key: second, when: [present], check: true },
    { name: 'third', key: third, when: [equals('n', 3)], update: { add: { n: 1 } } },
  ])
  expect(error.reasons).toEqual({ first: 'None', second: 'ConditionalCheckFailed', third: 'None' })
  expect([error.failed('second'), error.failed('third'), error.contended]).toEqual([true, false, false])
  expect(await getItem(first)).toBeUndefined()
  expect(await getItem(third)).toMatchObject({ n: 3 })
})

test('a transaction with several failed conditions tells them all', async () => {
  const there = newKey()
  await putItem(there, {})
  const { reasons } = await refused([
    { name: 'there', key: there, when: [absent], put: {} },
    { name: 'fine', key: newKey(), put: {} },
    { name: 'missing', key: newKey(), when: [present], remove: true },
  ])
  expect(reasons).toEqual({ there: 'ConditionalCheckFailed', fine: 'None', missing: 'ConditionalCheckFailed' })
})

test('a transaction sent again under its token is the same write', async () => {
  const [counter, born] = [newKey(), newKey()]
  const token = randomUUID()
  const actions: Action[] = [
    { name: 'counter', key: counter, update: { add: { n: 1 } } },
    { name: 'born', key: born, when: [absent], put: {} },
  ]
  await transact(actions, token)
  await transact(actions, token)
  await Promise.all(counted(5).map(() => transact(actions, token)))
  expect(await getItem(counter)).toMatchObject({ n: 1 })
})

test('a token belongs to one transaction', async () => {
  const token = randomUUID()
  const key = newKey()
  await transact([{ name: 'one', key, update: { add: { n: 1 } } }], token)
  const error = await refusal(transact([{ name: 'one', key, update: { add: { n: 2 } } }], token))
  expect(error.name).toBe('IdempotentParameterMismatchException')
  expect(await getItem(key)).toMatchObject({ n: 1 })
})

test('a refused transaction does not use up its token', async () => {
  const [key, gate] = [newKey(), newKey()]
  const token = randomUUID()
  const actions: Action[] = [
    { name: 'write', key, update: { add: { n: 1 } } },
    { name: 'gate', key: gate, when: [present], check: true },
  ]
  await refused(actions, token)
  await putItem(gate, {})
  await transact(actions, token)
  expect(await getItem(key)).toMatchObject({ n: 1 })
})

test('no two actions of a transaction may be on one item', async () => {
  const key = newKey()
  const twice = [
    { name: 'check', key, when: [absent], check: true as const },
    { name: 'put', key, put: {} },
  ]
  expect((await refusal(transact(twice))).name).toBe('ValidationException')
})

test('a transaction takes a hundred actions and no more', async () => {
  const pk = newPartition()
  const puts = (n: number): Action[] =>
    counted(n).map(at => ({ name: `${at}`, key: { pk, sk: sortable(at) }, put: {} }))
  expect((await refusal(transact(puts(101)))).name).toBe('ValidationException')
  expect(await query({ pk })).toHaveLength(0)
  await transact(puts(100))
  expect(await query({ pk })).toHaveLength(100)
})

test('an item above 400 KB stops the whole transaction', async () => {
  const small = newKey()
  const error = await refusal(
    transact([
      { name: 'small', key: small, put: {} },
      { name: 'large', key: newKey(), put: { text: 'x'.repeat(401 * 1024) } },
    ]),
  )
  expect(error.message).not.toBe('not refused')
  expect(await getItem(small)).toBeUndefined()
})

test('30 transactions at once that take the next number get dense numbers, each its own', async () => {
  const pk = newPartition()
  const counter = { pk, sk: 'counter' }
  await putItem(counter, { n: 0 })
  const take = async (): Promise<number> => {
    const n = ((await getItem<{ n: number }>(counter))?.n ?? 0) + 1
    await transact([
      { name: 'counter', key: counter, when: [equals('n', n - 1)], update: { set: { n } } },
      { name: 'order', key: { pk, sk: sortable(n) }, when: [absent], put: { n } },
    ])
    return n
  }
  const again = (error: TransactionRefused) => error.contended || error.failed('counter')
  const numbers = await Promise.all(counted(30).map(() => retrying(take, again, 100)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(counted(30))
  expect(await getItem(counter)).toMatchObject({ n: 30 })
  expect(await query({ pk, between: [sortable(1), sortable(30)] })).toHaveLength(30)
}, 30_000)
