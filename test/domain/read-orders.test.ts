import { Problem } from '../../shared/contract/errors.ts'
import { ordersGetAll } from '../../shared/contract/routes/order-reads.ts'
import type { OrderRelation } from '../../shared/contract/vocabulary.ts'
import { validate } from '../../shared/http/request.ts'
import { touchOrder } from '../../shared/orders/mark-read.ts'
import { getOrder, listClientOrders, listOrders } from '../../shared/orders/read.ts'
import { type OrderRecord, orderOf, packSold, type SoldItems } from '../../shared/orders/record.ts'
import {
  addOrder,
  identifierOf,
  loadOrder,
  orderIdOf,
  partKey,
  putOrder,
  readOrder,
  readOrderVersion,
  soldOf,
} from '../../shared/orders/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { MerchantItem } from '../../shared/platform/table/items.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { deleteItem, putItem, query, tableClient } from '../../shared/platform/table/table.ts'
import { transact } from '../../shared/platform/table/transact.ts'
import { merchant as account } from '../support/order-sample.ts'
import { placed, plain } from '../support/placed-order.ts'

// Orders as they are found, read and listed: 30 of them, every third of client 3, and the others of client 4.

const merchant = 71 as MerchantId
const count = 30
const clientOf = (id: number) => (id % 3 === 0 ? 3 : 4)
const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
const sample = placed(plain)
/** Writes the account of a merchant whose days are those of a time zone. */
const setTimeZone = (of: MerchantId, timezone: string) =>
  putItem(key('merchant', { merchant: of }), { ...account, id: of, timezone, tokens: [], issued: 0 })

const long = 'x'.repeat(2500)
const price = (price_range_id: number) => ({ price_range_id, gross: '1.00' })

const recordOf = (id: number): OrderRecord => ({
  ...sample.order,
  header: { ...sample.order.header, id, uuid: uuidOf(id), number: String(id), client_id: clientOf(id), note: long },
  parts: 1,
})
const soldBy = (id: number): SoldItems => ({
  ...sample.sold,
  positions: sample.sold.positions.map(line => ({
    ...line,
    name: `Ware von ${id}`,
    item: { ...line.item, prices: [price(5), price(6)] },
  })),
})

/** Stores an order with its sold records in a number of parts. */
const store = async (id: number, parts = 1) => {
  await transact([addOrder(merchant, { ...recordOf(id), parts })])
  await putItem(key('orderUuid', { merchant, uuid: uuidOf(id) }), { id })
  const [whole = Buffer.of()] = packSold(soldBy(id))
  const size = Math.ceil(whole.length / parts)
  for (let part = 0; part < parts; part++)
    await putItem(partKey(merchant, id, part), { doc: whole.subarray(part * size, (part + 1) * size) })
}

beforeAll(async () => {
  for (const counter of ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'])
    await putItem(key('numbers', { merchant, counter }), { last: count })
  await putItem(key('merchant', { merchant }), { id: 71, name: 'Lager' } as unknown as MerchantItem)
  for (let id = 1; id <= count; id++) await store(id)
})

const reads: string[] = []
tableClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    args => {
      reads.push(commandName)
      return next(args)
    },
  { step: 'initialize', name: 'reads' },
)
beforeEach(() => {
  reads.length = 0
})

const relations = (...names: OrderRelation[]) => new Set(names)
const none = relations()
const ids = ({ data }: { data: readonly { id: number }[] }) => data.map(({ id }) => id)
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n)

describe('an order is found', () => {
  test.each([
    [{ id: 4 }, 4],
    [{ uuid: uuidOf(4) }, 4],
    [{ id: 4, uuid: uuidOf(4) }, 4],
    [{ id: null, uuid: uuidOf(4) }, 4],
  ])('by %j', async (identifier, id) => {
    expect(await orderIdOf(merchant, identifier)).toBe(id)
  })

  test.each([
    [{}, 'missing_identifier', '`id` or `uuid` is required.'],
    [{ uuid: '' }, 'missing_identifier', '`id` or `uuid` is required.'],
    [{ uuid: uuidOf(99) }, 'order_not_found', 'There is no such order.'],
    [{ id: 5, uuid: uuidOf(4) }, 'identifier_conflict', '`id` and `uuid` identify different orders.'],
  ])('not by %j: %s', async (identifier, word, message) => {
    await expect(orderIdOf(merchant, identifier)).rejects.toMatchObject({ word, message })
  })

  test('by its uuid under either name, unless the names differ', () => {
    expect(identifierOf({ id: 4, uuid: 'a', order_id: 'a' })).toEqual({ id: 4, uuid: 'a' })
    expect(identifierOf({ order_id: 'a' })).toEqual({ id: undefined, uuid: 'a' })
    expect(identifierOf({ uuid: 'a' })).toEqual({ id: undefined, uuid: 'a' })
    expect(identifierOf({ id: 4 })).toEqual({ id: 4, uuid: undefined })
    expect(() => identifierOf({ uuid: 'a', order_id: 'b' })).toThrow('`uuid` and `order_id` identify different orders.')
  })

  test('only if it is complete', async () => {
    const lost = 'order_not_found'
    for (const read of [readOrder, loadOrder, readOrderVersion])
      await expect(read(merchant, 99)).rejects.toMatchObject({ word: lost })
    await transact([addOrder(merchant, { ...recordOf(98), header: { ...recordOf(98).header, client_id: null } })])
    for (const read of [readOrder, loadOrder]) await expect(read(merchant, 98)).rejects.toThrow(Unavailable)
    expect(await readOrderVersion(merchant, 98)).toMatchObject({ version: 1 })
    // An order without a client is in no client's list.
    const listed = await query({ pk: partition('order', { merchant }), indexed: true })
    expect(listed.map(item => orderOf(item).header.id)).not.toContain(98)
    await store(1002)
    expect(await loadOrder(merchant, 1002)).toMatchObject({ version: 1, numbers: { orders: count } })
    await expect(loadOrder(72 as MerchantId, 4)).rejects.toMatchObject({ word: lost })
  })
})

test('sold lines are joined, whatever the number of parts', async () => {
  await store(1003, 3)
  expect(await soldOf(merchant, await readOrder(merchant, 1003))).toEqual(soldBy(1003))
  reads.length = 0
  expect(await soldOf(merchant, await readOrder(merchant, 4))).toEqual(soldBy(4))
  expect(reads).toEqual(['BatchGetItemCommand'])
})

test('an order is written only over the version that was read', async () => {
  await store(1004)
  const { order, version } = await readOrderVersion(merchant, 1004)
  await transact([putOrder(merchant, { ...order, basket: 'b' }, version)])
  expect(await readOrderVersion(merchant, 1004)).toMatchObject({ version: 2, order: { basket: 'b' } })
  await expect(transact([putOrder(merchant, order, version)])).rejects.toThrow('order ConditionalCheckFailed')
  await expect(transact([putOrder(merchant, recordOf(1005), 0)])).rejects.toThrow('order ConditionalCheckFailed')
  await expect(transact([addOrder(merchant, order)])).rejects.toThrow('order ConditionalCheckFailed')
})

test('marking an order as read changes nothing else, also next to another change', async () => {
  await store(1006)
  let isFirst = true
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        if (commandName.startsWith('TransactWrite') && isFirst) {
          isFirst = false
          await transact([putOrder(merchant, { ...recordOf(1006), basket: 'later' }, 1)])
        }
        return next(args)
      },
    { step: 'initialize', name: 'besides' },
  )
  const before = Math.floor(Date.now() / 1000)
  const shown = await touchOrder(merchant, { uuid: uuidOf(1006) })
  tableClient.middlewareStack.remove('besides')
  const { order, version } = await readOrderVersion(merchant, 1006)
  expect(shown).toEqual({ ...order.header, credited: 'none' })
  expect(order).toEqual({
    ...recordOf(1006),
    basket: 'later',
    header: { ...recordOf(1006).header, touched: shown.touched },
  })
  expect([version, shown.touched >= before && shown.touched <= before + 60]).toEqual([3, true])
})

describe('an order that a client reads', () => {
  test('contains only its own, with the prices of its range', async () => {
    const all = relations('items')
    const own = await getOrder(merchant, { id: 3 }, all, { id: 3, price_range_id: 6 })
    expect(own.positions?.map(({ item }) => item?.prices)).toEqual([[price(6)], [price(6)]])
    const shown = await getOrder(merchant, { id: 3 }, all)
    expect(shown.positions?.map(({ item }) => item?.prices)).toEqual([
      [price(5), price(6)],
      [price(5), price(6)],
    ])
    await expect(getOrder(merchant, { id: 4 }, all, { id: 3, price_range_id: 6 })).rejects.toMatchObject({
      word: 'order_not_found',
    })
  })
})

describe('the list of orders', () => {
  const list = (wanted: object, include: ReadonlySet<OrderRelation> = none) =>
    listOrders(merchant, { page: 1, pageSize: 10, ...wanted }, include)

  beforeAll(async () => {
    // Other tests stored orders beyond the last number.
    const stray = (await query({ pk: partition('order', { merchant }) }))
      .map(orderOf)
      .filter(({ header }) => header.id > count)
    for (const { header } of stray) await deleteItem(key('order', { merchant, id: header.id }))
  })

  test.each([
    [{}, down(30, 21)],
    [{ page: 2 }, down(20, 11)],
    [{ page: 3 }, down(10, 1)],
    [{ page: 4 }, []],
    [{ page: 4, pageSize: 9 }, down(3, 1)],
    [{ page: 2, pageSize: 30 }, []],
    [{ page: 2, pageSize: 29 }, [1]],
    [{ pageSize: 100 }, down(30, 1)],
    [{ start: 7, pageSize: 3 }, down(23, 21)],
  ])('contains on page %j the newest first', async (wanted, expected) => {
    const page = await list(wanted)
    expect([ids(page), page.totalCount]).toEqual([expected, count])
  })

  test('of a merchant without orders is empty, on every page', async () => {
    for (const page of [1, 2])
      expect(await listOrders(73 as MerchantId, { page, pageSize: 10 }, none)).toMatchObject({
        data: [],
        totalCount: 0,
      })
  })

  test('contains the sold records of each order, many read concurrently', async () => {
    const { data } = await list({ pageSize: 30 }, relations('items'))
    expect(data.map(({ positions }) => positions?.[0]?.name)).toEqual(down(30, 1).map(id => `Ware von ${id}`))
    expect(reads).toEqual(['QueryCommand', 'BatchGetItemCommand', 'BatchGetItemCommand'])
    reads.length = 0
    expect((await list({ pageSize: 1 })).data[0]).not.toHaveProperty('positions')
    expect(reads).toEqual(['QueryCommand'])
  })

  test('cuts long texts on request', async () => {
    const noteOf = async (wanted: object) => (await list({ pageSize: 1, ...wanted })).data[0]?.note
    expect(await noteOf({})).toBe(long)
    expect(await noteOf({ short: 0 })).toBe(long)
    expect((await noteOf({ short: 1 }))?.length).toBeLessThan(2100)
  })

  test('of a client contains only its own, with its prices', async () => {
    const of = (wanted: object, include: ReadonlySet<OrderRelation> = none) =>
      listClientOrders(merchant, { id: 3, price_range_id: 6 }, { page: 1, pageSize: 4, ...wanted }, include)
    expect(ids(await of({}))).toEqual([30, 27, 24, 21])
    expect(ids(await of({ page: 3 }))).toEqual([6, 3])
    expect(ids(await of({ page: 4 }))).toEqual([])
    const page = await of({ page: 2 }, relations('items'))
    expect([ids(page), page.totalCount]).toEqual([[18, 15, 12, 9], 10])
    expect(page.data[0]?.positions?.[0]?.item).toMatchObject({ prices: [price(6)] })
    expect((await of({ short: 1 })).data[0]?.note?.length).toBeLessThan(2100)
    expect((await of({})).data[0]?.note).toBe(long)
  })
})

describe('a list of selected orders', () => {
  const shop = 74 as MerchantId
  const days = ['2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01', '2026-03-01']
  const header = [
    { status: 'closed', paid: true, payment_type: 'prepaid', client_id: 3, source: 'shop' },
    { status: 'cancelled', paid: false, payment_type: 'card', client_id: null, source: 'shop' },
    { status: 'need_package', paid: false, payment_type: 'invoice', client_id: 3, source: 'fair' },
    { status: 'in_delivery', paid: true, payment_type: 'card', client_id: 4, source: 'shop' },
    { status: 'need_package', paid: true, payment_type: 'paypal', client_id: 3, source: 'shop' },
    { status: 'new', paid: false, payment_type: 'paypal', client_id: null, source: 'shop' },
  ] as const
  const buyer = { ...recordOf(1).client, first_name: null, last_name: null, company: null, mail: null }
  const parties = [
    { billing: { ...buyer, first_name: 'Jörg', last_name: 'Groß' } },
    { delivery: { ...buyer, company: 'Weinbar GROSSE Freiheit' } },
    { client: { ...buyer, mail: 'kasse@weinbar.example' } },
    {},
    { billing: { ...buyer, last_name: '6. Stock' } },
    {},
  ]

  beforeAll(async () => {
    await setTimeZone(shop, 'UTC')
    await putItem(key('numbers', { merchant: shop, counter: 'orders' }), { last: days.length })
    for (const [n, day] of days.entries()) {
      const record = {
        ...recordOf(n + 1),
        client: buyer,
        billing: buyer,
        delivery: buyer,
        ...parties[n],
      } as OrderRecord
      const of = { ...record.header, ...header[n], customers_id: shop, crstamp: `${day} 23:59:59` }
      await transact([addOrder(shop, { ...record, header: of })])
      await putItem(key('orderUuid', { merchant: shop, uuid: of.uuid }), { id: n + 1 })
    }
  })

  const { body } = ordersGetAll
  const list = (asked: object, merchant = shop) => listOrders(merchant, validate(body, asked), none)

  test.each([
    [{ filter: [] }, [6, 5, 4, 3, 2, 1]],
    [{ filter: { shop: true }, inshop: true, whatever: 7 }, [6, 5, 4, 3, 2, 1]],
    [{ filter: { status: 'need_package' } }, [5, 3]],
    [{ filter: { status: ['new', 'closed'] } }, [6, 1]],
    [{ filter: { status: [] } }, []],
    [{ filter: { paid: 0 } }, [6, 3, 2]],
    [{ filter: { paid: 'true' } }, undefined],
    [{ filter: { paid: ['1', false] } }, [6, 5, 4, 3, 2, 1]],
    [{ filter: { payment_type: ['card', 'bill'] } }, [4, 3, 2]],
    [{ filter: { client_id: '3' } }, [5, 3, 1]],
    [{ filter: { client_id: [3, 4], paid: 1 } }, [5, 4, 1]],
    [{ filter: { client_id: 3 }, from: '2026-02-01', to: '2026-02-28' }, [3]],
    [{ filter: { source: 'fair' } }, [3]],
    [{ from: '2026-02-01' }, [6, 5, 4, 3]],
    [{ to: '2026-02-01' }, [3, 2, 1]],
    [{ from: '2026-01-31', to: '2026-02-28' }, [4, 3, 2]],
    [{ from: '2026-03-01', to: '2026-02-01' }, []],
    [{ from: '2027-01-01' }, []],
    [{ from: '0001-01-01', to: '9999-12-31' }, [6, 5, 4, 3, 2, 1]],
    [{ to: '', from: null }, [6, 5, 4, 3, 2, 1]],
    [{ to: '2026-02-30' }, undefined],
    [{ query: 'jörg gro' }, [1]],
    [{ query: 'grosse' }, [2]],
    [{ query: 'WEINBAR' }, [3, 2]],
    [{ query: '6' }, [6]],
    [{ query: '6', filter: { status: 'closed' } }, []],
    [{ query: '99' }, []],
    [{ query: uuidOf(4).toUpperCase() }, [4]],
    [{ query: uuidOf(99) }, []],
    [{ query: '' }, [6, 5, 4, 3, 2, 1]],
  ])('by %j contains exactly those', async (asked, expected) => {
    if (expected) expect(ids(await list(asked))).toEqual(expected)
    else expect(() => list(asked)).toThrow(Problem)
  })

  test('has pages of the selected orders', async () => {
    const asked = { filter: { source: 'shop' }, pageSize: 2 }
    const pages = { total: 3, size: 2 }
    expect(await list(asked)).toMatchObject({ totalCount: 5, pages: { current: 1, ...pages } })
    const third = await list({ ...asked, page: 3 })
    expect([ids(third), third.totalCount, third.pages]).toEqual([[1], 5, { current: 3, ...pages }])
    expect(ids(await list({ ...asked, start: 1 }))).toEqual([5, 4])
  })

  test('of a client who reads its own has no others', async () => {
    const own = (filter: object) =>
      listClientOrders(shop, { id: 3, price_range_id: null }, validate(body, { filter }), none)
    expect(ids(await own({ paid: 1 }))).toEqual([5, 1])
    expect(ids(await own({ client_id: 4 }))).toEqual([])
  })

  test('with an unknown field is refused with the valid fields', () => {
    const refusal = (asked: object) => {
      try {
        return validate(body, asked)
      } catch (error) {
        return (error as Problem).message
      }
    }
    expect(refusal({ filter: { colour: 'red' } })).toBe(
      '`filter` must be limited to status, paid, payment_type, client_id, source.',
    )
    expect(refusal({ filter: { status: ['new', 'open'] } })).toMatch(
      /^`filter\.status\.1` must be one of new, need_payment/,
    )
    expect(refusal({ from: '1.3.2026' })).toBe('`from` must be a day such as 2026-01-31.')
  })

  test('of too many orders is refused with the day from which they are few enough, and reads none of them', async () => {
    const busy = 75 as MerchantId
    const at = async (id: number, crstamp: string) => {
      const order = recordOf(id)
      await transact([addOrder(busy, { ...order, header: { ...order.header, client_id: 3, crstamp } })])
    }
    await setTimeZone(busy, 'Europe/Berlin')
    await putItem(key('numbers', { merchant: busy, counter: 'orders' }), { last: 25_000 })
    await at(15_000, '2026-02-28 23:30:00')
    await at(25_000, '2026-03-02 12:00:00')
    reads.length = 0
    await expect(list({ filter: { paid: 0 } }, busy)).rejects.toMatchObject({
      word: 'validation_failed',
      status: 400,
      message: expect.stringContaining('`from` must be 2026-03-02 or later'),
      fields: [{ path: 'from', rule: 'range' }],
    })
    expect(reads).toEqual(['GetItemCommand', 'GetItemCommand', 'GetItemCommand'])
    expect(ids(await list({ filter: { client_id: 3 } }, busy))).toEqual([25_000, 15_000])
    reads.length = 0
    expect(ids(await list({ query: '15000' }, busy))).toEqual([15_000])
    expect(reads).toEqual(['GetItemCommand', 'QueryCommand'])
  })
})

describe('the days of a list', () => {
  const berliner = 76 as MerchantId
  const stamps = [
    ...['2026-03-28 22:59:59', '2026-03-28 23:00:00', '2026-03-29 21:59:59', '2026-03-29 22:00:00'],
    ...['2026-10-24 21:59:59', '2026-10-24 22:00:00', '2026-10-25 22:59:59', '2026-10-25 23:00:00'],
    ...['2026-12-31 22:59:59', '2026-12-31 23:05:00', '2027-01-01 22:59:59', '2027-01-01 23:00:00'],
  ]

  beforeAll(async () => {
    await putItem(key('numbers', { merchant: berliner, counter: 'orders' }), { last: stamps.length })
    for (const [n, crstamp] of stamps.entries()) {
      const record = recordOf(n + 1)
      await transact([addOrder(berliner, { ...record, header: { ...record.header, crstamp } })])
    }
  })

  beforeEach(() => setTimeZone(berliner, 'Europe/Berlin'))

  const list = (asked: object) => listOrders(berliner, validate(ordersGetAll.body, asked), none)

  test.each([
    ['the day of 23 hours', { from: '2026-03-29', to: '2026-03-29' }, [3, 2]],
    ['the day of 25 hours', { from: '2026-10-25', to: '2026-10-25' }, [7, 6]],
    ['the first day of a year', { from: '2027-01-01', to: '2027-01-01' }, [11, 10]],
    ['a year until its last second', { from: '2026-04-01', to: '2026-12-31' }, [9, 8, 7, 6, 5]],
    ['all days from one on', { from: '2027-01-01' }, [12, 11, 10]],
    ['all days to one', { to: '2026-03-29' }, [3, 2, 1]],
    ['the orders of a client by day', { filter: { client_id: 3 }, from: '2026-03-29', to: '2026-12-31' }, [9, 6, 3]],
  ])('are the merchant’s: %s', async (_, asked, expected) => {
    expect(ids(await list(asked))).toEqual(expected)
  })

  test('follow the merchant’s setting at once', async () => {
    const day = { from: '2026-12-31', to: '2026-12-31' }
    expect(ids(await list(day))).toEqual([9])
    await setTimeZone(berliner, 'UTC')
    expect(ids(await list(day))).toEqual([10, 9])
  })
})
