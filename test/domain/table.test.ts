import { absent, equals, present } from '../../shared/platform/table/expressions.ts'
import { ConditionFailed, TooLarge, TransactionRefused, Unavailable } from '../../shared/platform/table/failures.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { indexKey, key, type MerchantId, partition, sortable } from '../../shared/platform/table/keys.ts'
import {
  deleteItem,
  getEntries,
  getItem,
  getItemGroups,
  getItems,
  putItem,
  query,
  queryEntries,
  queryPages,
  tableClient,
  tableName,
  updateItem,
} from '../../shared/platform/table/table.ts'
import { check, put, remove, transact, update } from '../../shared/platform/table/transact.ts'

// Merchants of this file only.
let last = 900_000_000 + Math.floor(Math.random() * 1_000_000)
const newMerchant = () => ++last as MerchantId

const stockKey = (merchant: MerchantId, id: number) => key('stock', { merchant, type: 'wine', id })

describe('one item', () => {
  const place = stockKey(newMerchant(), 1)

  test('is written, read without the table’s own attributes, and deleted', async () => {
    expect(await getItem(place)).toBeUndefined()
    await putItem(place, { quantity: 5 })
    expect(await getItem(place)).toEqual({ quantity: 5 })
    expect(await deleteItem(place)).toEqual({ quantity: 5 })
    expect(await deleteItem(place)).toBeUndefined()
    expect(await getItem(place)).toBeUndefined()
  })

  test('is written without its undefined values, in lists as well', async () => {
    await putItem(place, { quantity: 5, gone: undefined, list: [{ gone: undefined, left: 1 }] } as never)
    expect(await getItem(place)).toEqual({ quantity: 5, list: [{ left: 1 }] })
    await deleteItem(place)
  })

  test('is returned with its sort key and its index keys on request', async () => {
    await putItem(place, { quantity: 5 })
    const entries = await getEntries([place, stockKey(newMerchant(), 1)])
    expect(entries).toEqual([{ item: { quantity: 5 }, sk: place.sk, index: undefined }, undefined])
    await deleteItem(place)
  })

  test('is requested three times at most, and never for longer than the caller’s patience', async () => {
    // The SDK's handler has its limits from the first request that it sends itself.
    const { TEST_TABLE } = process.env
    delete process.env.TEST_TABLE
    await getItem(place)
    Object.assign(process.env, { TEST_TABLE })
    expect(await tableClient.config.maxAttempts()).toBe(3)
    // The types lack a method of Node's own handler.
    const handler = tableClient.config.requestHandler as unknown as { httpHandlerConfigs(): object }
    expect(handler.httpHandlerConfigs()).toMatchObject({
      ...{ connectionTimeout: 2000, requestTimeout: 3000, throwOnRequestTimeout: true },
    })
  })

  test('is written only if its condition is true; else the existing item is returned', async () => {
    await putItem(place, { quantity: 5 }, { when: [absent] })
    const error = await putItem(place, { quantity: 6 }, { when: [absent] }).catch(thrown => thrown)
    expect(error).toBeInstanceOf(ConditionFailed)
    expect(error.present(place)).toEqual({ quantity: 5 })
    await putItem(place, { quantity: 7 }, { when: [present] })
    expect(await getItem(place)).toEqual({ quantity: 7 })
  })

  test('is changed, and returned in its new state', async () => {
    await putItem(place, { quantity: 7 })
    expect(await updateItem(place, { add: { quantity: -2 } })).toEqual({ quantity: 5 })
    expect(await updateItem(place, { set: { quantity: 9 } }, [equals('quantity', 5)])).toEqual({ quantity: 9 })
    const error = await updateItem(place, { set: { quantity: 1 } }, [equals('quantity', 5)]).catch(thrown => thrown)
    expect(error).toBeInstanceOf(ConditionFailed)
    expect(error.present(place)).toEqual({ quantity: 9 })
    expect(await getItem(place)).toEqual({ quantity: 9 })
  })
})

test('an item that is too large is refused as such, alone and in a transaction', async () => {
  const merchant = newMerchant()
  const place = key('product', { merchant, id: 1 })
  const large = { doc: 'x'.repeat(410_000), version: 1 }
  const refused = [
    putItem(place, large),
    transact([put('large', place, large), put('small', key('product', { merchant, id: 2 }), { doc: '', version: 1 })]),
    updateItem(place, { set: large }),
    transact([update('large', place, { set: large })]),
    transact(
      Array.from({ length: 12 }, (_, id) =>
        put(`${id}`, key('product', { merchant, id: 9 + id }), { ...large, doc: 'x'.repeat(390_000) }),
      ),
    ),
  ]
  for (const one of refused) await expect(one).rejects.toBeInstanceOf(TooLarge)
})

test('many items are in the order of their keys, repeated and missing keys as well, more than 100 of them', async () => {
  const merchant = newMerchant()
  for (const id of [1, 2, 120]) await putItem(stockKey(merchant, id), { quantity: id })
  const ids = [2, 1, 2, 3, ...Array.from({ length: 150 }, (_, n) => n + 4)]
  const found = await getItems(ids.map(id => stockKey(merchant, id)))
  expect(found).toHaveLength(154)
  expect(found.slice(0, 4)).toEqual([{ quantity: 2 }, { quantity: 1 }, { quantity: 2 }, undefined])
  expect(found.flatMap((item, n) => (item ? [n] : []))).toEqual([0, 1, 2, ids.indexOf(120)])
  expect(await getItems([])).toEqual([])
})

test('groups of items are under their names', async () => {
  const merchant = newMerchant()
  for (const id of [1, 2, 3]) await putItem(stockKey(merchant, id), { quantity: id })
  const groups = await getItemGroups({
    first: [stockKey(merchant, 3)],
    none: [],
    second: [stockKey(merchant, 1), stockKey(merchant, 4), stockKey(merchant, 2)],
  })
  expect(groups).toEqual({ first: [{ quantity: 3 }], none: [], second: [{ quantity: 1 }, undefined, { quantity: 2 }] })
})

describe('a range', () => {
  const merchant = newMerchant()
  const pk = partition('order', { merchant })
  const order = (id: number) => ({ uuid: `order ${id}`, version: 1, doc: String(id) })
  const docs = (items: { doc: string }[]) => items.map(({ doc }) => Number(doc))

  beforeAll(async () => {
    for (const id of [1, 2, 3, 4, 10]) await putItem(key('order', { merchant, id }), order(id))
    // A neighbour's, which must never show.
    await putItem(key('order', { merchant: newMerchant(), id: 1 }), order(99))
  })

  test.each([
    ['all', {}, [1, 2, 3, 4, 10]],
    ['the newest first', { descending: true }, [10, 4, 3, 2, 1]],
    ['just the first', { limit: 2 }, [1, 2]],
    ['just the newest', { limit: 3, descending: true }, [10, 4, 3]],
    ['from one to another', { between: [sortable(2), sortable(4)] as const }, [2, 3, 4]],
    ['above one', { above: sortable(3) }, [4, 10]],
    ['above nothing', { above: ' ' }, [1, 2, 3, 4, 10]],
    ['with a prefix', { prefix: sortable(10) }, [10]],
  ])('%s', async (_, range, expected) => {
    expect(docs(await query({ pk, ...range }))).toEqual(expected)
  })

  test('contains the sort keys', async () => {
    expect(await queryEntries({ pk, limit: 1 })).toEqual([{ item: order(1), sk: sortable(1), index: undefined }])
  })

  test('of the index is sorted by the index', async () => {
    const other = newMerchant()
    const wine = (id: number) => key('wine', { merchant: other, id })
    const item = { doc: '', version: 1 }
    for (const [id, version] of [
      [1, 9],
      [2, 3],
      [3, 5],
    ] as const) {
      await putItem(wine(id), { ...item, version }, { index: indexKey('wine', { version }) })
    }
    await putItem(wine(4), item)
    const inOrder = () => queryEntries({ pk: partition('wine', { merchant: other }), indexed: true })
    expect((await inOrder()).map(({ sk, index }) => [Number(sk), Number(index)])).toEqual([
      [2, 3],
      [3, 5],
      [1, 9],
    ])
    await updateItem(wine(2), { index: indexKey('wine', { version: 20 }) })
    await updateItem(wine(3), { index: null })
    await transact([put('wine', wine(4), item, { index: indexKey('wine', { version: 1 }) })])
    expect((await inOrder()).map(({ sk }) => Number(sk))).toEqual([4, 1, 2])
    expect(await getItem(wine(2))).toEqual({ ...item, version: 3 })
  })

  test('larger than a response is returned in several, with a limit over all of them', async () => {
    const other = newMerchant()
    const large = 'x'.repeat(390_000)
    for (const id of [1, 2, 3, 4]) await putItem(key('order', { merchant: other, id }), { ...order(id), uuid: large })
    const of = partition('order', { merchant: other })
    const pages: number[] = []
    for await (const page of queryPages({ pk: of })) pages.push(page.length)
    expect(pages.length).toBeGreaterThan(1)
    expect(docs(await query({ pk: of }))).toEqual([1, 2, 3, 4])
    expect(docs(await query({ pk: of, limit: 3 }))).toEqual([1, 2, 3])
  })

  test('every read is strongly consistent', async () => {
    const inputs: { ConsistentRead?: boolean; RequestItems?: Record<string, { ConsistentRead?: boolean }> }[] = []
    const middleware = (next: (args: never) => Promise<never>) => (args: { input: object }) => {
      inputs.push(args.input)
      return next(args as never)
    }
    tableClient.middlewareStack.add(middleware as never, { step: 'initialize', name: 'inputs' })
    await query({ pk })
    await getItem(key('order', { merchant, id: 1 }))
    await getItems([key('order', { merchant, id: 1 })])
    tableClient.middlewareStack.remove('inputs')
    expect(inputs.map(input => (input.RequestItems?.[tableName()] ?? input).ConsistentRead)).toEqual([true, true, true])
  })
})

describe('a transaction', () => {
  const merchant = newMerchant()
  const [a, b, c, d] = [1, 2, 3, 4].map(id => stockKey(merchant, id)) as [
    ReturnType<typeof stockKey>,
    ReturnType<typeof stockKey>,
    ReturnType<typeof stockKey>,
    ReturnType<typeof stockKey>,
  ]
  const quantities = async () => (await getItems([a, b, c, d])).map(item => item?.quantity)

  beforeEach(async () => {
    for (const [place, quantity] of [
      [a, 1],
      [b, 2],
      [c, 3],
    ] as const)
      await putItem(place, { quantity })
    await deleteItem(d)
  })

  test('writes all its actions', async () => {
    await transact([
      put('a', a, { quantity: 10 }, { when: [present, equals('quantity', 1)] }),
      update('b', b, { add: { quantity: 18 } }, [equals('quantity', 2)]),
      remove('c', c, [equals('quantity', 3)]),
      check('d', d, [absent]),
    ])
    expect(await quantities()).toEqual([10, 20, undefined, undefined])
  })

  test('writes without conditions as well', async () => {
    await transact([put('a', a, { quantity: 10 }), update('b', b, { set: { quantity: 20 } }), remove('c', c)])
    expect(await quantities()).toEqual([10, 20, undefined, undefined])
  })

  test.each([
    ['put', () => put('culprit', a, { quantity: 10 }, { when: [absent] })],
    ['update', () => update('culprit', a, { set: { quantity: 10 } }, [equals('quantity', 7)])],
    ['remove', () => remove('culprit', a, [equals('quantity', 7)])],
    ['check', () => check('culprit', a, [absent])],
  ])('writes nothing if the condition of a %s fails, and returns its action', async (_, culprit) => {
    const actions = [update('b', b, { set: { quantity: 20 } }), culprit(), put('d', d, { quantity: 4 })]
    const error: TransactionRefused = await transact(actions).then(
      () => Promise.reject(new Error('written')),
      thrown => thrown,
    )
    expect(error).toBeInstanceOf(TransactionRefused)
    expect(error.reasons).toEqual({ b: 'None', culprit: 'ConditionalCheckFailed', d: 'None' })
    expect(await quantities()).toEqual([1, 2, 3, undefined])
  })

  test('with a token is one write, however often it is sent', async () => {
    const token = `token ${merchant}`
    const actions = [update('a', a, { add: { quantity: 1 } })]
    await transact(actions, token)
    await transact(actions, token)
    expect(await quantities()).toEqual([2, 2, 3, undefined])
    await transact(actions)
    await transact(actions)
    expect(await quantities()).toEqual([4, 2, 3, undefined])
  })

  test('with an unknown outcome reports that; another error is thrown unchanged', async () => {
    const failing = (error: object) => {
      tableClient.middlewareStack.add(() => () => Promise.reject(Object.assign(new Error('no'), error)), {
        step: 'initialize',
        name: 'failing',
      })
      return transact([remove('a', a)])
        .catch(thrown => thrown)
        .finally(() => tableClient.middlewareStack.remove('failing'))
    }
    expect(await failing({ name: 'TimeoutError' })).toBeInstanceOf(Unavailable)
    expect(await failing({ name: 'ValidationException' })).toMatchObject({ name: 'ValidationException' })
    const canceled = (Code: string, Message: string) =>
      failing({ name: 'TransactionCanceledException', CancellationReasons: [{ Code, Message }] })
    expect(await failing({ name: 'TransactionCanceledException' })).toMatchObject({ reasons: { a: 'None' } })
    for (const [code, message] of [
      ['ValidationError', 'The provided key element does not match the schema'],
      ['ItemCollectionSizeLimitExceeded', 'Collection size exceeded.'],
    ] as const)
      expect(await canceled(code, message)).toMatchObject({ reasons: { a: code } })
  })
})

test('a payment’s index key is deleted by null, and kept by undefined', async () => {
  const merchant = newMerchant()
  const place = key('payment', { merchant, uuid: 'one' })
  await putItem(place, { uuid: 'one', status: 'open' } as PaymentItem, { index: 'due#1' })
  const inIndex = async () => (await query({ pk: partition('payment', { merchant }), indexed: true })).length
  await updateItem(place, { set: { status: 'pending' } })
  expect(await inIndex()).toBe(1)
  await updateItem(place, { set: { status: 'cancelled' }, index: null })
  expect([await inIndex(), (await getItem(place))?.status]).toEqual([0, 'cancelled'])
})
