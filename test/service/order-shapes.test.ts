import type { Client } from '../../shared/clients/record.ts'
import { partition } from '../../shared/table/keys.ts'
import { query } from '../../shared/table/table.ts'
import { itemsOf, newCellar } from './cellar.ts'
import { newProduct, returning, setMerchant, setPackages, setStock } from './checkout.ts'
import { type Answer, type Json, newClient } from './harness.ts'
import { violations } from './invariants.ts'

const allTypes = ['invoice', 'prepaid', 'paypal', 'card', 'debit', 'bank', 'cash'] as const
const shop = await newCellar('Kellerei Vielgestalt', [...allTypes])
const stranger = await newCellar('Kellerei Nebenan')
await setPackages(shop)
const merchant = shop.id
const client = await newClient(shop)
const glasses = await newProduct(shop, { name: 'Gläser', package_quantity: 3 })
const book = await newProduct(shop, { gross: '10.70', net: '10.00', tax: '0.70', taxrate: 7, package_quantity: 0 })
const soldOut = await newProduct(shop, { nostock: 1 })
const hidden = await newProduct(shop, { active: 0 })
const foreign = await newProduct(stranger)

const wines = (quantities: Record<string, unknown>): Json[] => itemsOf(shop, quantities)
const products = (id: number, quantity: number) => ({ item_type: 'product', item_id: id, quantity })
const parcel = (id: number) => ({ item_type: 'package', item_id: id })
const rebate = (name: string, gross: string, net: string, tax: string, more: object = {}) => ({
  item_type: 'rebate',
  name,
  gross,
  net,
  tax,
  ...more,
})

const send = (body: object, headers: Record<string, string> = {}) => shop.call('orders/add', body, { headers })
const add = (data: object) =>
  send({ data: { billing_id: client.id, payment_type: 'invoice', items: wines({ riesling: 1 }), ...data } })
const placed = async (data: object): Promise<Json> => {
  const answer = await add(data)
  expect([answer.status, answer.json.error]).toEqual([200, undefined])
  return answer.json.data
}
const refusal = ({ status, json }: Answer) => [status, json.error, ...(json.fields ?? []).map(({ path }: Json) => path)]
const records = async (shape: 'client' | 'address') => (await query({ pk: partition(shape, { merchant }) })).length
const stored = async () => [
  await records('client'),
  await records('address'),
  (await shop.call('orders/getAll', { pageSize: 1 })).json.totalCount,
]

const person = {
  gender: 'f',
  first_name: 'Änne',
  last_name: 'Groß',
  company: '',
  address: 'Am Markt 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'DE',
  mail: 'aenne@example.org',
  phone: '',
}
const inline = (data: object) => placed({ billing_id: undefined, billing: person, ...data })

const newBasket = async (items: object[], of = shop): Promise<string> => {
  const { uuid } = (await of.call('baskets/add')).json.data
  for (const data of items) await of.call('baskets/addItem', { uuid, data })
  return uuid
}

afterAll(async () => expect(await violations(merchant)).toEqual([]))

describe('an address typed at the checkout', () => {
  test('of an unknown buyer becomes a client, who is billed and gets the goods', async () => {
    const order = await inline({})
    expect(order).toMatchObject({ billing_type: 'client', delivery_type: 'client', client_id: order.billing_id })
    expect(order.delivery_id).toBe(order.billing_id)
    expect(order.client).toMatchObject({
      ...person,
      id: order.client_id,
      company: null,
      phone: null,
      countrycode: 'de',
      type: 'private',
      customers_id: merchant,
    })
    expect([order.billing, order.delivery]).toEqual([order.client, order.client])
    const again = await placed({ billing_id: order.client_id })
    expect(again.client).toEqual(order.client)
  })

  test('of a known client, or one called an address, becomes an address', async () => {
    const mine = await inline({ client_id: client.id })
    expect(mine).toMatchObject({ billing_type: 'address', client_id: client.id, client })
    expect(mine.billing).toMatchObject({ last_name: 'Groß', type: 'invoice', client_id: client.id })
    expect((await shop.call('addresses/get', { id: mine.billing_id })).json.data).toEqual(mine.billing)
    const nobodys = await inline({ billing_type: 'address' })
    expect(nobodys).toMatchObject({ billing_type: 'address', client_id: null, client: null })
    expect(nobodys.billing.client_id).toBeNull()
  })

  test('for the delivery becomes a shipping address of the client', async () => {
    const order = await inline({ delivery: { ...person, city: 'Pirna' } })
    expect(order).toMatchObject({ billing_type: 'client', delivery_type: 'address' })
    expect(order.delivery).toMatchObject({ id: order.delivery_id, city: 'Pirna', type: 'shipping' })
    expect(order.delivery.client_id).toBe(order.client_id)
    const known = await placed({ delivery: person })
    expect(known).toMatchObject({ billing_id: client.id, delivery_type: 'address', delivery: { client_id: client.id } })
  })

  test('gives way to a record that is named', async () => {
    const before = await records('client')
    expect((await placed({ billing: person, delivery: person, delivery_id: client.id })).billing).toEqual(client)
    expect(await records('client')).toBe(before)
  })

  test.each([
    ['address', ''],
    ['zip', null],
    ['city', undefined],
    ['countrycode', 'Germany'],
    ['gender', 'x'],
    ['mail', 7],
  ])('needs a good %s', async (field, value) => {
    for (const side of ['billing', 'delivery']) {
      const answer = await add({ billing_id: undefined, billing: person, [side]: { ...person, [field]: value } })
      expect(refusal(answer)).toEqual([400, 'validation_failed', `data.${side}.${field}`])
    }
  })

  test('needs somebody who lives there', async () => {
    const answer = await add({ billing_id: undefined, billing: { ...person, last_name: ' ' } })
    expect(refusal(answer)).toEqual([400, 'validation_failed', 'data.billing'])
    expect((await add({ billing_id: undefined })).json.error).toBe('validation_failed')
  })

  test("of a client who is unknown, deleted or another merchant's is refused", async () => {
    const deleted = await newClient(shop, { deleted: 1 })
    const theirs = await newClient(stranger)
    for (const client_id of [2 ** 50, deleted.id, theirs.id]) {
      const answer = await add({ billing_id: undefined, billing: person, client_id })
      expect([client_id, ...refusal(answer)]).toEqual([client_id, 422, 'reference_not_found', 'data.client_id'])
    }
  })
})

describe('an order of a basket', () => {
  const goods = () => [
    { item_type: 'wine', item_id: shop.wine.secco, quantity: '2' },
    { item_type: 'product', item_id: String(glasses.id), quantity: 1 },
  ]

  test.each(['basket', 'basket_uuid'])('named as %s sells what is in it, whatever items say', async name => {
    const basket = await newBasket(goods())
    const order = await placed({ [name]: basket, items: wines({ juice: 9 }) })
    expect(order.positions.map(({ item_type, quantity }: Json) => [item_type, quantity])).toEqual([
      ['wine', 2],
      ['product', 1],
    ])
    expect(order.gross).toBe('41.85')
    const { json } = await shop.call('baskets/get', { uuid: basket })
    expect(json.data.order_uuid).toBe(order.uuid)
  })

  test('is answered again to the same request, and refused to another', async () => {
    const basket = await newBasket(goods())
    const first = await add({ basket })
    const second = await add({ basket })
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(refusal(await add({ basket, note: 'zwei' }))).toEqual([409, 'basket_already_ordered'])
    await shop.call('orders/checkout/cancel', { id: first.json.data.id })
    expect((await add({ basket, note: 'zwei' })).json.data.id).toBe(first.json.data.id + 1)
  })

  test('as the storefront sends it works unchanged', async () => {
    const basket = await newBasket(goods())
    const card = [{ id: 1, item_type: 'wine', item: { gross: '12.00' }, quantity: 2 }]
    const data = {
      source: 'shop',
      payment_type: 'prepaid',
      basket,
      billing: person,
      delivery: person,
      invoice_type: 'gross',
      payment_period: 1,
      note: '',
      session: { billing: person, basket, card, payment: 'prepaid', campaign: null },
    }
    const { status, json } = await send({ data, filter: [] })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'need_payment', source: 'shop', payment_period: 1, note: null })
    expect(json.data).toMatchObject({ billing_type: 'client', delivery_type: 'address', payment_type: 'prepaid' })
    const read = (await shop.call('orders/get', { uuid: json.data.uuid, filter: [] })).json.data
    expect(read).toEqual(json.data)
  })

  test('needs the basket, and something in it', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    const theirs = await newBasket([{ item_type: 'wine', item_id: stranger.wine.secco, quantity: 1 }], stranger)
    expect(refusal(await add({ basket: unknown }))).toEqual([422, 'basket_not_found'])
    expect(refusal(await add({ basket: theirs }))).toEqual([422, 'basket_not_found'])
    expect(refusal(await add({ basket: await newBasket([]) }))).toEqual([422, 'empty_order'])
    expect(refusal(await add({ basket: unknown, basket_uuid: theirs }))).toEqual([400, 'identifier_conflict'])
    expect(refusal(await add({ basket: 'x' }))).toEqual([400, 'validation_failed', 'data.basket'])
  })
})

describe('packing', () => {
  test.each([
    [{ riesling: 1 }, 1, '5.95'],
    [{ riesling: 6 }, 1, '5.95'],
    [{ riesling: 4, juice: 3 }, 2, '8.33'],
    [{ riesling: 13 }, 3, '11.90'],
  ])('the bottles of %j go into package %i', async (quantities, id, gross) => {
    const order = await placed({ items: wines(quantities) })
    expect(order.package).toMatchObject({ item_type: 'package', item_id: id, quantity: 1, gross, taxrate: 19 })
    expect(order.package.item).toMatchObject({ id, type: 'bottles', gross })
    expect(order.positions).toHaveLength(Object.keys(quantities).length)
    expect(Number(order.gross)).toBeCloseTo(Number(order.item_gross) + Number(gross), 9)
  })

  test('a product takes as much room as its package quantity says', async () => {
    const items = [...wines({ riesling: 1 }), products(glasses.id, 2), products(book.id, 50)]
    expect((await placed({ items })).package).toMatchObject({ item_id: 2 })
    expect((await placed({ items: items.slice(0, 1) })).package).toMatchObject({ item_id: 1 })
  })

  test('is as the order names it, if it is one of the packages', async () => {
    expect((await placed({ items: [...wines({ riesling: 1 }), parcel(3)] })).package.gross).toBe('11.90')
    const answer = await add({ items: [...wines({ riesling: 1 }), parcel(9)] })
    expect(refusal(answer)).toEqual([422, 'item_not_found', 'data.items.1.item_id'])
  })

  test('costs nothing from the free freight limit on, and is not done for goods that are collected', async () => {
    await setMerchant(shop, { freight_free_from: '89.00' })
    const free = await placed({ items: wines({ riesling: 10 }) })
    expect(free.package).toMatchObject({ item_id: 2, net: '0.00', tax: '0.00', gross: '0.00' })
    expect(free.gross).toBe('89.00')
    expect((await placed({ items: wines({ riesling: 9 }) })).package.gross).toBe('8.33')
    await setMerchant(shop, { freight_free_from: null })
    const collected = await placed({ delivery_type: 'none', items: wines({ riesling: 1 }) })
    expect(collected).toMatchObject({ package: null, delivery: null, delivery_id: null, gross: '8.90' })
  })

  test('has its own tax rate', async () => {
    const { taxrates, gross } = await placed({ items: wines({ juice: 1 }) })
    expect({ taxrates, gross }).toEqual({
      taxrates: {
        7: { net: '2.33', tax: '0.16', gross: '2.49' },
        19: { net: '5.00', tax: '0.95', gross: '5.95' },
      },
      gross: '8.44',
    })
  })
})

describe('products', () => {
  test('are sold beside wine, with their record', async () => {
    const { positions, taxrates } = await placed({ items: [products(glasses.id, 2), products(book.id, 1)] })
    expect(positions[0]).toMatchObject({ item_type: 'product', item_id: glasses.id, name: 'Gläser', gross: '23.80' })
    expect(positions[0].item).toEqual({ ...glasses, quantity: 0 })
    expect(positions[1]).toMatchObject({ gross: '10.70', net: '10.00', taxrate: 7 })
    expect(Object.keys(taxrates)).toEqual(['7', '19'])
  })

  test("cost what the client's price range says", async () => {
    const price = { price_range_id: 77, priceRangeName: 'Gastronomie', gross: '5.95', net: '5.00', tax: '0.95' }
    const product = await newProduct(shop, { prices: [{ ...price, taxrate: 19, product_id: 0 }] })
    const { id: billing_id } = await newClient(shop, { price_range_id: 77 })
    const items = [products(product.id, 2)]
    expect((await placed({ billing_id, items })).item_gross).toBe('11.90')
    expect((await placed({ items })).item_gross).toBe('23.80')
  })

  test.each([
    ['an unknown one', 2 ** 50, 'item_not_found'],
    ["another merchant's", foreign.id, 'item_not_found'],
    ['a sold out one', soldOut.id, 'item_unavailable'],
    ['an inactive one', hidden.id, 'item_unavailable'],
  ])('cannot be %s', async (_, id, word) => {
    const answer = await add({ items: [...wines({ juice: 1 }), products(id, 1)] })
    expect(refusal(answer)).toEqual([422, word, 'data.items.1.item_id'])
  })

  test('are counted in stock over all lines of an order', async () => {
    const { id } = await newProduct(shop)
    await setStock(shop, 'product', id, 5)
    const tooMany = await add({ items: [products(id, 3), ...wines({ juice: 1 }), products(id, 3)] })
    expect(refusal(tooMany)).toEqual([422, 'insufficient_stock', 'data.items.0.quantity'])
    expect(tooMany.json.fields[0].expected).toBe('at most 5 in this order')
    const order = await placed({ items: [products(id, 3), products(id, 2)] })
    expect(order.positions.map(({ item }: Json) => item.quantity)).toEqual([0, 0])
    expect(refusal(await add({ items: [products(id, 1)] }))[1]).toBe('insufficient_stock')
    await shop.call('orders/checkout/cancel', { uuid: order.uuid })
    expect((await placed({ items: [products(id, 5)] })).item_gross).toBe('59.50')
    expect(await violations(merchant, { [`product#${id}`]: 5 })).toEqual([])
  })
})

describe('rebates', () => {
  const collected = { delivery_type: 'none' }

  test('of one rate lower that rate, and stand beside the positions', async () => {
    const items = [...wines({ secco: 1, juice: 1 }), rebate('Treue', '-5.89', '-4.95', '-0.94')]
    const order = await placed({ ...collected, items })
    expect(order.rebates).toEqual([{ name: 'Treue', net: '-4.95', tax: '-0.94', gross: '-5.89', quantity: 1 }])
    expect(order).toMatchObject({ gross: '8.60', item_gross: '14.49', rebate_gross: '-5.89', rebate_net: '-4.95' })
    expect(order.taxrates).toMatchObject({ 19: { gross: '6.11' }, 7: { gross: '2.49' } })
    expect(order.positions).toHaveLength(2)
  })

  test('over several rates are their fair split', async () => {
    // 12.00 at 19 % and 2.49 at 7 %: of 1.45, 1.20 and 0.25.
    const items = [...wines({ secco: 1, juice: 1 }), rebate('Zehn Prozent', '-1.45', '-1.24', '-0.21')]
    const order = await placed({ ...collected, items })
    expect(order.taxrates).toMatchObject({ 19: { gross: '10.80' }, 7: { gross: '2.24' } })
    expect(order.gross).toBe('13.04')
  })

  test('count as often as their quantity says, up to everything', async () => {
    const items = [...wines({ secco: 2 }), rebate('Gratis', '-12.00', '-10.08', '-1.92', { quantity: '2' })]
    const order = await placed({ ...collected, items })
    expect(order).toMatchObject({ net: '0.00', tax: '0.00', gross: '0.00', gross_cashback: '0.00' })
    expect(order.rebates[0]).toMatchObject({ gross: '-24.00', quantity: 2 })
  })

  test.each([
    ['that contradict themselves', rebate('?', '-5.00', '-5.00', '-1.00'), 'rebate_invalid'],
    ['that fit no tax rate', rebate('?', '-5.00', '-3.00', '-2.00'), 'rebate_invalid'],
    ['that are worth more than the goods', rebate('?', '-11.90', '-10.00', '-1.90'), 'rebate_exceeds_total'],
  ])('%s are refused by their place', async (_, wrong, word) => {
    const answer = await add({ ...collected, items: [...wines({ riesling: 1 }), wrong] })
    expect(refusal(answer)).toEqual([422, word, 'data.items.1'])
  })

  test('are never positive, and are nothing without goods', async () => {
    const more = await add({ items: [...wines({ riesling: 1 }), rebate('?', '1.19', '1.00', '0.19')] })
    expect(refusal(more).slice(0, 3)).toEqual([400, 'validation_failed', 'data.items.1.net'])
    expect(refusal(await add({ items: [rebate('?', '0.00', '0.00', '0.00')] }))).toEqual([422, 'empty_order'])
    expect(refusal(await add({ items: [parcel(1)] }))).toEqual([422, 'empty_order'])
  })

  test('of client, order, package, net prices and no tax add up together', async () => {
    const terms: Partial<Client> = { rebate: 15, cashback: 2, cashback_period: 10 }
    const items = [
      ...wines({ riesling: 7, juice: 5 }),
      products(glasses.id, 3),
      products(book.id, 2),
      rebate('Treue', '-1.19', '-1.00', '-0.19', { quantity: 3 }),
    ]
    for (const fields of [terms, { ...terms, tax_free: 1 as const }]) {
      const { id: billing_id } = await newClient(shop, fields)
      for (const invoice_type of ['gross', 'net']) {
        const taxless = { ...items.at(-1), gross: '-1.00', tax: '0.00' }
        const data = { billing_id, invoice_type, items: fields === terms ? items : [...items.slice(0, -1), taxless] }
        const order = await placed(data)
        expect(order).toMatchObject({ rebate: 15, cashback: 2, invoice_type, package: { item_id: 3 } })
        expect(order.rebates).toHaveLength(2)
        expect(await placed({ ...data, net: order.net, tax: order.tax, gross: order.gross })).toBeTruthy()
      }
    }
    expect(await violations(merchant)).toEqual([])
  })
})

describe('a dry run', () => {
  test.each([true, 1, '1'])('(%j) prices the order and stores nothing', async dry_run => {
    const basket = await newBasket([{ item_type: 'wine', item_id: shop.wine.secco, quantity: 2 }])
    const data = { billing: person, delivery: person, payment_type: 'invoice', basket }
    const before = await stored()
    const dry = await send({ data, dry_run }, { 'idempotency-key': `dry ${JSON.stringify(dry_run)}` })
    expect(dry.status).toBe(200)
    expect(dry.json.data).toMatchObject({ gross: '29.95', status: 'need_package', package: { gross: '5.95' } })
    expect(await stored()).toEqual(before)
    expect((await shop.call('baskets/get', { uuid: basket })).json.data.order_uuid).toBeNull()
    const real = (await send({ data }, { 'idempotency-key': `dry ${JSON.stringify(dry_run)}` })).json.data
    expect(real).toMatchObject({ id: dry.json.data.id, gross: dry.json.data.gross, taxrates: dry.json.data.taxrates })
  })

  test('opens no payment, and refuses what placing would refuse', async () => {
    const data = { billing_id: client.id, payment_type: 'paypal', items: wines({ secco: 1 }), ...returning }
    const { json } = await send({ data, dry_run: true })
    expect(json.data.status).toBe('new')
    expect([json.targetUrl, json.payment]).toEqual([undefined, undefined])
    const wrong = await send({ data: { ...data, gross: '1.00' }, dry_run: true })
    expect(refusal(wrong)).toEqual([422, 'price_mismatch', 'data.gross'])
    expect(wrong.json.fields[0].expected).toBe('17.95')
  })
})

describe('return_url and cancel_url', () => {
  const good = 'https://shop.example/back'
  const open = (urls: object) => add({ payment_type: 'paypal', ...returning, ...urls })

  test.each([
    undefined,
    null,
    '',
    '/back',
    'shop.example',
    'http://shop.example/back',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https:\\\\evil.example',
    'https://shop.example@evil.example/',
    'https://user:word@shop.example/',
    'https://shop.example/#part',
    'https://shop.example/bücher',
    'https://shop.example/a b',
    'https://',
    'http://127.0.0.1.evil.example/',
  ])('cannot be %j', async url => {
    expect(refusal(await open({ return_url: url }))).toEqual([422, 'redirect_url_invalid', 'data.return_url'])
    expect(refusal(await open({ cancel_url: url }))).toEqual([422, 'redirect_url_invalid', 'data.cancel_url'])
  })

  test('are told together, and are no more than 2,000 characters long', async () => {
    const both = await open({ return_url: 'x', cancel_url: 'y' })
    expect(refusal(both)).toEqual([422, 'redirect_url_invalid', 'data.return_url', 'data.cancel_url'])
    const long = await open({ return_url: `${good}/${'x'.repeat(2000)}` })
    expect(refusal(long)).toEqual([400, 'validation_failed', 'data.return_url'])
  })

  test.each([
    'http://localhost:8080/a',
    'http://127.0.0.1/',
    'http://[::1]:3000/',
    'HTTPS://SHOP.example/?a=b&c=',
  ])('may be %s', async url => expect((await open({ return_url: url, cancel_url: url })).status).toBe(200))

  test("are of the merchant's hosts, if it has any", async () => {
    await setMerchant(shop, { redirect_hosts: ['shop.example'] })
    expect((await open({})).status).toBe(200)
    for (const url of ['https://www.shop.example/', 'https://shop.example.evil.example/', 'http://localhost/']) {
      expect(refusal(await open({ return_url: url }))).toEqual([422, 'redirect_url_invalid', 'data.return_url'])
    }
    await setMerchant(shop, { redirect_hosts: [] })
  })

  test('are not asked for when nobody leaves the shop', async () => {
    expect((await add({ return_url: 'x' })).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  const data = { billing_id: client.id, payment_type: 'invoice', items: wines({ juice: 1 }) }

  test.each(['', 'x'.repeat(256), 'a\tb', 'ü'])('cannot be %j', async key => {
    const answer = await send({ data }, { 'idempotency-key': key })
    expect(refusal(answer)).toEqual([400, 'validation_failed', 'Idempotency-Key'])
  })

  test("is the merchant's own: another one's orders are not answered", async () => {
    const headers = { 'idempotency-key': 'shared key' }
    const mine = await send({ data }, headers)
    const { id } = await newClient(stranger)
    const items = itemsOf(stranger, { juice: 1 })
    const theirs = await stranger.call('orders/add', { data: { billing_id: id, items } }, { headers })
    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(theirs.headers.get('idempotency-replayed')).toBeNull()
    expect(theirs.json.data.customers_id).toBe(stranger.id)
  })

  test('of a refused request stays free', async () => {
    const headers = { 'idempotency-key': 'second try' }
    expect((await send({ data: { ...data, gross: '0.01' } }, headers)).json.error).toBe('price_mismatch')
    expect((await send({ data }, headers)).headers.get('idempotency-replayed')).toBeNull()
  })
})

test('a refused order leaves no record behind', async () => {
  const before = await stored()
  const data = { billing_id: undefined, billing: person, delivery: person }
  for (const wrong of [
    { gross: '0.01' },
    { items: [] },
    { items: [products(soldOut.id, 1)] },
    { client_id: 2 ** 50 },
  ]) {
    expect((await add({ ...data, ...wrong })).status).toBe(422)
  }
  expect(await stored()).toEqual(before)
})
