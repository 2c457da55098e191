import fc from 'fast-check'
import { formatMoney } from '../../shared/values/money.ts'
import { setMerchant, setPackages } from '../support/checkout.ts'
import { newAccount } from '../support/client-account.ts'
import { call, type Json, newShop, recordOf, type Shop } from '../support/harness.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { untilPublished } from '../support/until-published.ts'

const shop = await newShop('Weingut Kleinunternehmer')
await setMerchant(shop, { tax_free: 1 })
const range = recordOf(await shop.call('priceRanges/edit', { data: { name: 'Gastronomie' } })).id
const account = await newAccount(shop, { price_range_id: range })
const billing = { last_name: 'Ada', address: 'Am Hang 3', zip: '01067', city: 'Dresden', countrycode: 'de' }
const wine = { type: 'red', countrycode: 'de', region: 1005, shop: 1, public: 1 }
let names = 0

type Caller = Pick<Shop, 'call'>
const read = async (from: Caller, route: string, body: object): Promise<Json> => (await from.call(route, body)).json
const add = async (data: Json, kind = 'wine', from = shop): Promise<Json> => {
  names += 1
  const name = `Ware ${names}`
  return recordOf(
    await from.call(`${kind}s/add`, { data: { ...(kind === 'wine' ? wine : { shop: 1 }), name, ...data } }),
  )
}
const amounts = ({ net, tax, gross }: Json) => ({ net, tax, gross })
const shown = (one: Json) => ({ ...amounts(one), taxrate: one.taxrate })
/** A price without tax. */
const untaxed = (gross: string) => ({ net: gross, tax: '0.00', gross, taxrate: 0 })

const cents = fc.integer({ min: 1, max: 20_000 })
const goods = fc.record({
  kind: fc.constantFrom('wine', 'product'),
  gross: cents,
  taxrate: fc.constantFrom(0, 7, 19),
  agreed: cents,
  agreedRate: fc.constantFrom(7, 19),
  quantity: fc.integer({ min: 1, max: 12 }),
  shipping: fc.integer({ min: 0, max: 900 }),
  isClient: fc.boolean(),
})

test('lists, records, baskets, dry runs, orders and invoices say one price: the typed one, without tax', async () => {
  await fc.assert(
    fc.asyncProperty(goods, async ({ kind, gross, taxrate, agreed, agreedRate, quantity, shipping, isClient }) => {
      const prices = [{ price_range_id: range, gross: formatMoney(agreed), taxrate: agreedRate }]
      const added = await add({ gross: formatMoney(gross), taxrate, prices }, kind)
      await setPackages(shop, { gross: formatMoney(shipping) })
      const buyer: Caller = isClient ? account : shop
      const unit = isClient ? agreed : gross
      const price = untaxed(formatMoney(unit))
      expect(shown(added)).toEqual(untaxed(formatMoney(gross)))
      expect(added.prices.map(shown)).toEqual([untaxed(formatMoney(agreed))])

      const { id, name } = added
      const lists = kind === 'wine' ? ['wines/getAll', 'wines/search', 'wines/getByType'] : ['products/getAll']
      for (const route of lists) {
        const { data } = await read(buyer, route, { type: 'red', query: { name }, pageSize: 100 })
        const found = data.find((one: Json) => one.id === id)
        expect([route, shown(found)]).toEqual([route, price])
      }
      expect(shown((await read(buyer, `${kind}s/get`, { id })).data)).toEqual(price)

      const { uuid } = (await read(buyer, 'baskets/add', {})).data
      const item = { item_type: kind, item_id: id, quantity }
      expect(shown((await read(buyer, 'baskets/addItem', { uuid, data: item })).data.basketItems[0].item)).toEqual(
        price,
      )
      expect(shown((await read(buyer, 'baskets/get', { uuid })).data.basketItems[0].item)).toEqual(price)

      const parcel = untaxed(formatMoney(shipping))
      expect(shown((await read(shop, 'packaging/getAll', {})).data[0])).toEqual(parcel)
      const packed = kind === 'wine' ? quantity : 0
      if (packed) expect((await read(buyer, 'packaging/find', { bottles: packed })).data.net).toBe(parcel.gross)
      const party = isClient ? { billing_id: account.id } : { billing }
      const data = { payment_type: 'invoice', basket_uuid: uuid, ...party }
      const dry = (await read(buyer, 'orders/add', { dry_run: 1, data })).data
      const order = (await read(buyer, 'orders/add', { data })).data
      const total = formatMoney(unit * quantity)
      const whole = { net: order.gross, tax: '0.00', gross: order.gross }
      for (const one of [dry, order]) {
        expect([amounts(one), one.item_gross, one.tax_free]).toEqual([whole, total, 1])
        expect(shown(one.positions[0])).toEqual(untaxed(total))
        expect(shown(one.positions[0].item)).toEqual(untaxed(formatMoney(gross)))
        if (packed) expect(amounts(one.package)).toEqual(amounts(parcel))
      }
      expect(amounts(order.documents.invoices[0] ?? order)).toEqual(whole)
    }),
    { numRuns: fewerInFastLane(4, 40) },
  )
})

test('a package is added, edited and deleted with the price that lists show, and may be written as it was read', async () => {
  const other = await newShop('Weingut Paket')
  await setMerchant(other, { tax_free: 1 })
  const listed = async () => (await read(other, 'packaging/getAll', {})).data.map(shown)
  const free = recordOf(
    await other.call('packages/add', { data: { min_bottles: 90, max_bottles: 90, gross: '0.00', taxrate: 19 } }),
  )
  const data = { min_bottles: 80, max_bottles: 80, gross: '11.90', taxrate: 19 }
  const headers = { 'idempotency-key': 'a-package' }
  for (const _ of ['first', 'repeated'])
    expect(shown(recordOf(await other.call('packages/add', { data }, { headers })))).toEqual(untaxed('11.90'))
  const { id, ...pack } = (await read(other, 'packaging/getAll', {})).data.at(-1)
  const { gross, net, tax, taxrate } = pack
  expect(shown(recordOf(await other.call('packages/edit', { id, data: { gross, net, tax, taxrate } })))).toEqual(
    untaxed('11.90'),
  )
  expect(shown(recordOf(await other.call('packages/edit', { id, data: { net: '5.95' } })))).toEqual(untaxed('5.95'))
  expect((await listed()).at(-1)).toEqual(untaxed('5.95'))
  await setMerchant(other, { tax_free: 0 })
  expect((await listed()).at(-1)).toEqual({ net: '5.00', tax: '0.95', gross: '5.95', taxrate: 19 })
  await setMerchant(other, { tax_free: 1 })
  expect(shown(recordOf(await other.call('packages/delete', { id })))).toEqual(untaxed('5.95'))
  expect((await listed()).at(-1)).toEqual(shown(free))
})

test('a flag that is switched on counts in the next answer, and the prices with tax come back when it is switched off', async () => {
  const other = await newShop('Weingut Wechsel')
  const { id, hash } = await add({ gross: '6.50' }, 'wine', other)
  await untilPublished(other.id)
  const all = async () => [
    (await read(other, 'wines/get', { id })).data,
    (await read(other, 'wines/getAll', {})).data[0],
    (await call('/wines/getPublic', { hash })).json.data,
    (await call('/wines/search', { query: { path_segment: 'ware' }, filter: {}, pageSize: 100 })).json.data.find(
      (one: Json) => one.id === id,
    ),
  ]
  const taxed = { net: '5.46', tax: '1.04', gross: '6.50', taxrate: 19 }
  for (const [flag, price] of [
    [0, taxed],
    [1, untaxed('6.50')],
    [0, taxed],
  ] as const) {
    await setMerchant(other, { tax_free: flag })
    expect((await all()).map(shown)).toEqual([price, price, price, price])
  }
})

test('lists are ordered and searched by the prices that they show', async () => {
  const other = await newShop('Weingut Ordnung')
  // With tax, the order of the net amounts is the other way round.
  const cheap = (await add({ gross: '10.00', taxrate: 0 }, 'wine', other)).id
  const dear = (await add({ gross: '11.00', taxrate: 19 }, 'wine', other)).id
  const ids = async (body: object) => (await read(other, 'wines/getAll', body)).data.map(({ id }: Json) => id)
  expect(await ids({ orderBy: 'net ASC' })).toEqual([dear, cheap])
  await setMerchant(other, { tax_free: 1 })
  expect(await ids({ orderBy: 'net ASC' })).toEqual([cheap, dear])
  expect(await ids({ orderBy: 'taxrate DESC' })).toEqual([cheap, dear])
  expect(await ids({ query: { net: '11.00' } })).toEqual([dear])
  expect(await ids({ query: { net: '9.24' } })).toEqual([])
  expect(await ids({ query: { taxrate: 19 } })).toEqual([])
  expect((await ids({ query: { tax: '0.00', taxrate: 0 } })).toSorted()).toEqual([cheap, dear].toSorted())
})

test.each([
  'wine',
  'product',
])('a %s may be written as it was read, and a net amount alone is the price', async kind => {
  const other = await newShop('Weingut Rückschrift')
  await setMerchant(other, { tax_free: 1 })
  const prices = [
    { price_range_id: recordOf(await other.call('priceRanges/edit', { data: { name: 'G' } })).id, net: '4.00' },
  ]
  const added = await add({ net: '6.50', prices }, kind, other)
  expect([shown(added), ...added.prices.map(shown)]).toEqual([untaxed('6.50'), untaxed('4.00')])
  const { id, gross, net, tax, taxrate } = added
  const again = recordOf(
    await other.call(`${kind}s/edit`, { id, data: { gross, net, tax, taxrate, prices: added.prices } }),
  )
  expect(shown(again)).toEqual(untaxed('6.50'))
  await setMerchant(other, { tax_free: 0 })
  expect(shown((await read(other, `${kind}s/get`, { id })).data)).toEqual({ ...taxedAt19('6.50') })
})

const taxedAt19 = (gross: string) => ({ net: '5.46', tax: '1.04', gross, taxrate: 19 })
