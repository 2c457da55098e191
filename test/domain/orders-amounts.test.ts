import type { Client } from '../../shared/contract/records/client.ts'
import { refusal } from '../support/buyer.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'

const shop = await newCellar()

afterAll(async () => expect(await violations(shop.id)).toEqual([]))

const mixed = itemsOf(shop, { riesling: 6, secco: 1, juice: 3 })

const order = async (fields: Partial<Client> = {}, data: object = {}) => {
  const { id } = await newClient(shop, fields)
  return shop.call('orders/add', { data: { billing_id: id, items: mixed, ...data } })
}
const placed = async (fields: Partial<Client> = {}, data: object = {}) => {
  const { status, json } = await order(fields, data)
  expect(status).toBe(200)
  return json.data
}
const lines = ({ positions }: { positions: Record<string, unknown>[] }) =>
  positions.map(({ name, quantity, net, tax, gross, taxrate }) => [name, quantity, net, tax, gross, taxrate])

// All amounts of this file are calculated by hand; placed-orders.txt has net prices, taxfree orders, price ranges and cashback.
const grossTotals = { net: '61.94', tax: '10.93', gross: '72.87' }

test('by gross prices tax is rounded once for each rate, and the lines add up to the totals', async () => {
  const result = await placed()
  expect(result).toMatchObject({
    ...grossTotals,
    taxrates: {
      19: { net: '54.96', tax: '10.44', gross: '65.40' },
      7: { net: '6.98', tax: '0.49', gross: '7.47' },
    },
    item_net: '61.94',
    item_tax: '10.93',
    item_gross: '72.87',
    rebate: 0,
    rebate_net: '0.00',
    rebate_tax: '0.00',
    rebate_gross: '0.00',
    cashback: 0,
    gross_cashback: '72.87',
    invoice_type: 'gross',
    tax_free: 0,
  })
  expect(lines(result)).toEqual([
    ['Riesling Kabinett', 6, '44.87', '8.53', '53.40', 19],
    ['Secco weiß', 1, '10.09', '1.91', '12.00', 19],
    ['Traubensaft', 3, '6.98', '0.49', '7.47', 7],
  ])
})

test('the price range of a client applies to orders to its addresses too', async () => {
  const { id: client_id } = await newClient(shop, { price_range_id: shop.gastronomy })
  const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug', client_id }
  const { id: billing_id } = (await shop.call('addresses/add', { data: home })).json.data
  const items = itemsOf(shop, { riesling: 2 })
  const { json } = await shop.call('orders/add', { data: { billing_type: 'address', billing_id, items } })
  expect(json.data).toMatchObject({ gross: '15.00', client_id })
})

test('the rebate of a client is spread over the tax rates in proportion', async () => {
  const result = await placed({ rebate: 10 })
  expect(result).toMatchObject({
    net: '55.74',
    tax: '9.84',
    gross: '65.58',
    taxrates: {
      19: { net: '49.46', tax: '9.40', gross: '58.86' },
      7: { net: '6.28', tax: '0.44', gross: '6.72' },
    },
    item_net: '61.93',
    item_tax: '10.94',
    item_gross: '72.87',
    rebate: 10,
    rebate_net: '-6.19',
    rebate_tax: '-1.10',
    rebate_gross: '-7.29',
  })
  expect(result.rebates).toEqual([
    { name: expect.any(String), net: '-6.19', tax: '-1.10', gross: '-7.29', quantity: 1 },
  ])
})

test('the largest possible order is exact to the cent', async () => {
  const items = Array.from({ length: 50 }, () => itemsOf(shop, { riesling: 9999 })).flat()
  const { gross, net, tax, positions } = await placed({}, { items })
  expect({ gross, net, tax }).toEqual({ gross: '4449555.00', net: '3739121.85', tax: '710433.15' })
  expect(positions).toHaveLength(50)
  expect(new Set(positions.map(({ id }: { id: number }) => id)).size).toBe(50)
})

test('prices in items are ignored; the catalogue decides', async () => {
  const [item] = itemsOf(shop, { secco: 2 })
  const cheap = { net: '0.01', tax: '0.00', gross: '0.01', taxrate: 0, name: 'Free' }
  const result = await placed({}, { items: [{ ...item, ...cheap }] })
  expect(lines(result)).toEqual([['Secco weiß', 2, '20.17', '3.83', '24.00', 19]])
})

describe('the caller’s totals', () => {
  test.each([
    grossTotals,
    { gross: '72.87' },
    { gross: 72.87, net: 61.94 },
    { tax: '10.93' },
    { net: '61.95', tax: '10.92', gross: '72.87' },
    { net: null, tax: null, gross: null },
  ])('pass when they match, net and tax within rounding: %j', async claim => {
    expect(await placed({}, claim)).toMatchObject(grossTotals)
  })

  test('must match to the cent in gross; the answer has the expected amounts', async () => {
    const { status, json } = await order({}, { ...grossTotals, gross: '72.88' })
    expect([status, json.error]).toEqual([422, 'price_mismatch'])
    expect(json.fields).toEqual([{ path: 'data.gross', rule: 'mismatch', expected: '72.87' }])
  })

  test('must match to the cent in net, in net mode', async () => {
    const net = { invoice_type: 'net', net: '61.95', tax: '10.93', gross: '72.88' }
    expect((await order({}, net)).status).toBe(200)
    const { status, json } = await order({}, { ...net, net: '61.94' })
    expect([status, json.error]).toEqual([422, 'price_mismatch'])
    expect(json.fields).toEqual([{ path: 'data.net', rule: 'mismatch', expected: '61.95' }])
  })

  test.each([
    '72.87 ',
    '72,87',
    '72.9',
    '7.287e1',
    72.875,
    '0x48',
    true,
    [],
    '９.00',
  ])('that are malformed are refused: %j', async gross => {
    expect(refusal(await order({}, { gross }))).toEqual([400, 'validation_failed', 'data.gross'])
  })

  test.each(['-72.87', '72.86', 72.88, '0.00'])('that differ are refused: %j', async gross => {
    expect(refusal(await order({}, { gross }))).toEqual([422, 'price_mismatch', 'data.gross'])
  })
})
