import { actionsOf, type PreparedOrder, placeActions } from '../../shared/orders/placing/transaction.ts'
import { taskKeyOf, unopenedFields } from '../../shared/payments/record.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import type { Action } from '../../shared/platform/table/transact.ts'

const merchant = 7 as MerchantId
const now = Date.UTC(2026, 4, 1, 12)
const { now: realNow } = Date
beforeAll(() => {
  process.env.TABLE_NAME = 'test'
  Date.now = () => now
})
afterAll(() => {
  Date.now = realNow
})

const numbers = { orders: 4, invoices: 0, deliveryNotes: 0, creditAdvices: 0 }
const takeNothing: Action = { name: '', key: { pk: '', sk: '' }, request: () => ({}) }
const payment: PaymentItem = {
  uuid: 'payment',
  order: 5,
  order_uuid: 'five',
  type: 'paypal',
  amount: 2400,
  currency: 'EUR',
  status: 'created',
  ...unopenedFields,
  return_url: 'https://shop.example/done',
  cancel_url: 'https://shop.example/no',
  crstamp: '2026-05-01 12:00:00',
}

const prepared = (id: number, changes: Partial<PreparedOrder> = {}, order: object = {}): PreparedOrder =>
  ({
    order: {
      header: { id, uuid: `order ${id}`, status: 'new', client_id: 3 },
      counted: [],
      basket: null,
      history: [],
      ...order,
    },
    sold: { positions: [], package: null },
    parts: [],
    numbers: { ...numbers, orders: id },
    newParties: { client: null, addresses: [] },
    basketVersion: null,
    payment: null,
    idempotencyKey: null,
    requestHash: 'hash',
    ...changes,
  }) as PreparedOrder

type Plain = {
  Put?: { Item: Record<string, unknown>; ConditionExpression?: string }
  Update?: object
  Delete?: object
}
const requestsOf = (actions: readonly Action[]) => {
  const named = Object.fromEntries(actions.map(({ name, request }) => [name, request() as Plain]))
  expect(Object.keys(named)).toHaveLength(actions.length)
  return named
}
const isNew = 'attribute_not_exists(#n0)'

describe('placing an order', () => {
  test('writes the order with its uuid and parts, each new', () => {
    const requests = requestsOf(actionsOf(merchant, prepared(5, { parts: [Buffer.of(1), Buffer.of(2)] })))
    expect(Object.keys(requests)).toEqual(['order', 'uuid', 'part 0', 'part 1'])
    expect(requests.order?.Put).toMatchObject({
      Item: { ...key('order', { merchant, id: 5 }), uuid: 'order 5', version: 1 },
      ConditionExpression: isNew,
    })
    expect(requests.uuid?.Put).toMatchObject({
      Item: { ...key('orderUuid', { merchant, uuid: 'order 5' }), id: 5 },
      ConditionExpression: isNew,
    })
    for (const part of [0, 1])
      expect(requests[`part ${part}`]?.Put).toMatchObject({
        Item: { ...key('orderItems', { merchant, order: 5, part }), doc: Buffer.of(part + 1) },
        ConditionExpression: isNew,
      })
  })

  test('closes the version of the basket that it read, unless that was ordered or changed', () => {
    const of = (changes: Partial<PreparedOrder>, order: object = {}) =>
      requestsOf(actionsOf(merchant, prepared(5, changes, { basket: 'basket', ...order }))).basket?.Update
    expect(of({ basketVersion: 8 })).toEqual({
      TableName: 'test',
      Key: key('basket', { merchant, uuid: 'basket' }),
      UpdateExpression: 'SET #n0 = :v0',
      ConditionExpression: '#n1 = :v1 AND attribute_not_exists(#n0)',
      ExpressionAttributeNames: { '#n0': 'ordered', '#n1': 'version' },
      ExpressionAttributeValues: {
        ':v0': { uuid: 'order 5', hash: 'hash', id: 5, version: 8, waits: true },
        ':v1': 8,
      },
    })
    const header = { id: 5, uuid: 'order 5', status: 'need_package', client_id: null }
    expect(of({ basketVersion: 8 }, { header })).toMatchObject({
      ExpressionAttributeValues: { ':v0': { waits: false } },
    })
    expect(of({})).toMatchObject({ ExpressionAttributeValues: { ':v0': { version: 0 }, ':v1': 0 } })
  })

  test('writes the payment, new and indexed for the sweep, with its merchant', () => {
    const requests = requestsOf(actionsOf(merchant, prepared(5, { payment })))
    expect(requests.payment?.Put).toEqual({
      TableName: 'test',
      Item: { ...payment, ...key('payment', { merchant, uuid: 'payment' }), lsi1sk: taskKeyOf(payment, now) },
      ConditionExpression: isNew,
      ExpressionAttributeNames: { '#n0': 'pk' },
    })
    expect(requests.owner?.Put).toMatchObject({
      Item: { ...key('paymentOwner', { payment: 'payment' }), customers_id: 7 },
      ConditionExpression: isNew,
    })
  })

  test('writes the Idempotency-Key, new and stored for two days', () => {
    const { idempotency } = requestsOf(actionsOf(merchant, prepared(5, { idempotencyKey: 'key' })))
    expect(idempotency?.Put).toMatchObject({
      Item: {
        ...key('idempotency', { merchant, key: 'key' }),
        uuid: 'order 5',
        hash: 'hash',
        expires: now / 1000 + 172_800,
      },
      ConditionExpression: isNew,
    })
  })
})

test('one transaction takes the numbers after its last order, and the quantity of each good in all orders', () => {
  const counted = (type: 'wine' | 'product', id: number, quantity: number) => ({ type, id, quantity })
  const orders = [
    prepared(5, {}, { counted: [counted('wine', 1, 2)] }),
    prepared(6, {}, { counted: [counted('wine', 1, 3), counted('product', 1, 1)] }),
    prepared(7, {}, { counted: [counted('wine', 2, 9)] }),
  ]
  const own = (name: string): Action => ({ ...takeNothing, name })
  const requests = requestsOf(placeActions(merchant, numbers, orders, [own('of one'), own('of another')]))
  expect(Object.keys(requests)).toEqual([
    ...['numbers orders', 'of one', 'of another'],
    ...['stock wine#1', 'stock product#1', 'stock wine#2'],
  ])
  expect(requests['numbers orders']).toMatchObject({ Update: { ExpressionAttributeValues: { ':v0': 7, ':v1': 4 } } })
  const takenOf = (name: string) => requests[name]?.Update
  expect(takenOf('stock wine#1')).toEqual({
    TableName: 'test',
    Key: key('stock', { merchant, type: 'wine', id: 1 }),
    UpdateExpression: 'ADD #n0 :v0',
    ConditionExpression: '#n0 >= :v1',
    ExpressionAttributeNames: { '#n0': 'quantity' },
    ExpressionAttributeValues: { ':v0': -5, ':v1': 5 },
  })
  expect(takenOf('stock product#1')).toMatchObject({ ExpressionAttributeValues: { ':v0': -1, ':v1': 1 } })
  expect(takenOf('stock wine#2')).toMatchObject({ ExpressionAttributeValues: { ':v0': -9, ':v1': 9 } })
})
