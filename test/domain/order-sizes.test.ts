import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { clientFields } from '../../shared/contract/records/client.ts'
import { jsonBytes } from '../../shared/contract/records/size.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import type { Field } from '../../shared/contract/schema/fields.ts'
import { itemOf, orderOf, packSold, unpackSold } from '../../shared/orders/record.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, getItems, putItem, tableClient } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { finishing, returning, visit } from '../support/checkout.ts'
import type { Answer, Json } from '../support/harness.ts'
import { newClient } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'

// A placed order is always answered: it keeps of each record no more than an answer of 50 can hold.

const shop = await newCellar('Kellerei Wälzer', ['invoice', 'paypal'])
const merchant = shop.id
const line = '🍷'.repeat(255)
const remark = '"\\'.repeat(2000)
const texts = { company: line, department: line, title: line, first_name: line, last_name: line, address: line }
const more = { address_supplement: line, zip: line, city: line, phone: line, mobile: line, fax: line, www: line }
const client = await newClient(shop, { ...texts, ...more, invoice_remark: '🍷'.repeat(4000) })

// Every text of a client as long as it may be.
const fullClient = Object.fromEntries(
  Object.entries(clientFields).flatMap(([name, { column = v.never() }]: [string, Field]) => {
    const longest = ['🍷'.repeat(4000), line].find(text => v.is(column, text))
    return longest && name !== 'number' && name !== 'price_range' ? [[name, longest]] : []
  }),
)

const { doc: stored = '' } = (await getItem(key('wine', { merchant, id: shop.wine.riesling ?? 0 }))) ?? {}
const price = { taxrate: 19, net: '7.48', tax: '1.42', gross: '8.90', priceRangeName: line }
const large: Partial<Wine> = {
  ...{ place: line, terroir: remark, maturation: line, quality_note: line, nostocktext: line, articlenumber: line },
  prices: counted(50).map(n => ({ ...price, wine_id: 1, price_range_id: n })),
  translations: [{ id: 1, language: 'en', name: 'Riesling', path_segment: 'riesling-en' }],
}
const wines = counted(50).map(n => ({
  ...JSON.parse(stored),
  ...large,
  description: (n % 2 ? '"\\' : '🍷').repeat(n % 2 ? 5000 : 10_000),
  id: 5_000_000 + n,
}))
for (const wine of wines)
  await putItem(key('wine', { merchant, id: wine.id }), { doc: JSON.stringify(wine), version: 1 })

const items = wines.map(({ id: item_id }) => ({ item_type: 'wine', item_id, quantity: 1 }))
const remarks = { client_remark: remark, invoice_remark: remark, delivery_note_remark: remark, note: remark }
const add = (data: object = {}) =>
  shop.call('orders/add', { data: { billing_id: client.id, payment_type: 'invoice', items, ...remarks, ...data } })

/** The data of a success, or the word and fields of an error. */
const answered = ({ status, json, text }: Answer): Json => {
  expect([status, json.error]).toEqual([200, undefined])
  // As Lambda takes it.
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(6 * 1024 * 1024)
  return json
}

const longest = ({ positions }: Json): number => Math.max(...positions.map(({ item }: Json) => jsonBytes(item)))

test('an order of 50 records of 100 KB is placed, read, listed and cancelled', async () => {
  expect(Math.min(...wines.map(jsonBytes))).toBeGreaterThan(90_000)
  const { data } = answered(await add())
  expect(data.positions).toHaveLength(50)
  expect(longest(data)).toBeLessThanOrEqual(40 * 1024)
  expect(data.positions[1].item).toMatchObject({
    id: 5_000_002,
    name: 'Riesling Kabinett',
    gross: '8.90',
    translations: [],
  })
  expect(data.positions[1].item.description.endsWith('…')).toBe(true)
  expect(answered(await shop.call('orders/get', { id: data.id })).data.positions).toEqual(data.positions)
  const { data: listed } = answered(await shop.call('orders/getAll', { include: 'items,client', pageSize: 100 }))
  expect(listed[0].positions).toEqual(data.positions)
  expect(answered(await shop.call('orders/checkout/cancel', { id: data.id })).data.status).toBe('cancelled')
})

test('such an order is previewed before it is placed, and paid', async () => {
  const preview = await shop.call('orders/add', { data: { billing_id: client.id, items, ...remarks }, dry_run: true })
  expect(longest(answered(preview).data)).toBeLessThanOrEqual(40 * 1024)
  const added = await add({ payment_type: 'paypal', ...returning })
  const back = await visit(answered(added).targetUrl)
  const finished = await shop.call('orders/checkout/finish', finishing(added, back))
  expect(answered(finished).data.status).toBe('need_package')
})

test('such an order may have all other fields at their limit: clients, remarks, rebates and their names', async () => {
  const [billing, delivery] = [await newClient(shop, fullClient), await newClient(shop, fullClient)]
  const off = { item_type: 'rebate', name: line, net: 0, tax: 0, gross: 0 }
  const wide = '🍷'.repeat(4000)
  const said = { client_remark: wide, invoice_remark: wide, delivery_note_remark: wide, note: wide, source: line }
  const parties = { billing_id: billing.id, delivery_type: 'client', delivery_id: delivery.id }
  const { data } = answered(await add({ ...parties, ...said, items: [...items.slice(0, 1), ...Array(49).fill(off)] }))
  expect(data.rebates).toHaveLength(49)
  expect(
    answered(await shop.call('orders/checkout/cancel', { id: data.id })).data.documents.creditAdvices,
  ).toHaveLength(1)
  answered(await add({ ...parties, ...said }))
  answered(await shop.call('orders/getAll', { pageSize: 100, include: 'client,billing,delivery,documents,items,user' }))
})

test('a basket of 50 such records is shown', async () => {
  const { uuid } = (await shop.call('baskets/add')).json.data
  answered(await shop.call('baskets/edit', { uuid, data: { basketItems: items } }))
  const { basketItems } = answered(await shop.call('baskets/get', { uuid })).data
  expect(basketItems).toHaveLength(50)
  expect(Math.max(...basketItems.map(({ item }: Json) => jsonBytes(item)))).toBeLessThanOrEqual(40 * 1024)
})

/** Stores an order again under another id, with other lines and a note. */
const storeAgain = async (from: number, id: number, item: object, note: string): Promise<number> => {
  const found = await getItem(key('order', { merchant, id: from }))
  if (!found) throw new Error('there is no order to be stored again')
  const order = orderOf(found)
  const parts = await getItems([key('orderItems', { merchant, order: from, part: 0 })])
  const { positions } = unpackSold(parts.flatMap(part => part ?? []))
  const packed = packSold({
    positions: positions.map(line => ({ ...line, item: { ...line.item, ...item } })),
    package: null,
  })
  const uuid = randomUUID()
  await putItem(
    key('order', { merchant, id }),
    itemOf({ ...order, header: { ...order.header, id, uuid, note }, parts: packed.length }, 1),
  )
  for (const [part, doc] of packed.entries()) await putItem(key('orderItems', { merchant, order: id, part }), { doc })
  return packed.length
}

describe('orders of older data', () => {
  const one = { billing_id: client.id, payment_type: 'invoice', items: items.slice(0, 1) }

  test('with larger copies of each record are still read', async () => {
    const { data } = answered(await add())
    await storeAgain(data.id, 900, { description: 'x'.repeat(120_000) }, '')
    const { data: read } = answered(await shop.call('orders/get', { id: 900 }))
    expect([read.positions.length, longest(read) <= 40 * 1024]).toEqual([50, true])
  })

  test('that are long are read as the page fills, not all together', async () => {
    const { data } = answered(await shop.call('orders/add', { data: one }))
    const noise = Array.from({ length: 25_000 }, () => randomUUID()).join('')
    for (const n of counted(12))
      expect(await storeAgain(data.id, 1000 + n, { other: noise }, 'x'.repeat(150_000))).toBe(2)
    let parts = 0
    let responses = 0
    tableClient.middlewareStack.add(
      (next, { commandName }) =>
        args => {
          const { RequestItems } = args.input as { RequestItems?: Record<string, { Keys?: { pk: string }[] }> }
          const keys = Object.values(RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys)
          parts += keys.filter(({ pk }) => pk.endsWith('#order-items')).length
          if (commandName?.startsWith('Query')) responses++
          return next(args)
        },
      { step: 'initialize', name: 'parts' },
    )
    const { json, status } = await shop.call('orders/getAll', { include: 'items', pageSize: 100 })
    expect([status, json.data[0].id, json.data.length, json.pages.next]).toEqual([200, 1012, 1, { start: 1 }])
    // Of the table's first response of 1 MB, the orders in it, and two second parts.
    expect(parts).toBeLessThanOrEqual(6)
    expect(responses).toBe(1)
  })
})
