import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket } from '../support/checkout.ts'
import { type Answer, type Json, newClient } from '../support/harness.ts'

const shop = await newCellar('Kellerei Fernweh', ['invoice'])
const items = itemsOf(shop, { riesling: 1 })
const home = { last_name: 'Krug', address: 'Weg 1', zip: '01067', city: 'Dresden' }
const german = { ...home, countrycode: 'de' }
const french = { ...home, countrycode: 'fr' }
const add = (data: object, more: object = {}) =>
  shop.call('orders/add', { data: { payment_type: 'invoice', items, ...data }, ...more })
const set = (ships_to: unknown) => shop.call('customers/edit', { data: { ships_to } })
const refused = (path: string) => ({
  status: 422,
  error: 'country_not_served',
  fields: [{ path, rule: 'country_not_served', expected: 'in one of de, at' }],
})
const outcomeOf = ({ status, json }: Answer) => ({ status, error: json.error, fields: json.fields })

const parisian: Json = await newClient(shop, { countrycode: 'fr' })
const address: Json = (await shop.call('addresses/add', { data: french })).json.data
const placed: Json = (await add({ billing: french })).json.data

beforeEach(() => set(['de', 'AT']))

describe('a merchant that ships to two countries', () => {
  test('shows them in its settings', async () => {
    expect((await shop.call('customers/getMy')).json.data.settings.ships_to).toEqual(['de', 'at'])
  })

  test.each<[string, object, string]>([
    ['the billing address', { billing: french }, 'data.billing.countrycode'],
    ['the delivery address', { billing: german, delivery: french }, 'data.delivery.countrycode'],
    ['a client', { billing_id: parisian.id }, 'data.billing_id'],
    [
      'an address of its records',
      { billing: german, delivery_type: 'address', delivery_id: address.id },
      'data.delivery_id',
    ],
  ])('refuses an order that is sent elsewhere by %s, a dry run too', async (_, data, path) => {
    expect(outcomeOf(await add(data))).toEqual(refused(path))
    expect(outcomeOf(await add(data, { dry_run: 1 }))).toEqual(refused(path))
  })

  test.each<[string, object]>([
    ['is sent to one of them', { billing: { ...home, countrycode: 'at' } }],
    ['is billed elsewhere only', { billing: french, delivery: german }],
    ['is collected', { billing: french, delivery_type: 'none' }],
    ['has no country, which means its own', { billing: home }],
  ])('takes an order that %s', async (_, data) => {
    expect(outcomeOf(await add(data))).toMatchObject({ status: 200 })
  })

  test('refuses the order of a basket, which stays open', async () => {
    const basket = await newBasket(shop, shop.wine.riesling as number, 2)
    const order = (billing: object) =>
      shop.call('orders/add', { data: { payment_type: 'invoice', basket_uuid: basket, billing } })
    expect(outcomeOf(await order(french))).toEqual(refused('data.billing.countrycode'))
    expect((await order(german)).status).toBe(200)
  })

  test('still shows an order from before, and answers its repeat', async () => {
    const read = (await shop.call('orders/get', { id: placed.id, include: 'billing' })).json.data
    expect(read.billing.countrycode).toBe('fr')
    const options = { headers: { 'idempotency-key': 'before' } }
    await set([])
    const body = { data: { payment_type: 'invoice', items, billing: french } }
    const first = await shop.call('orders/add', body, options)
    await set(['de'])
    const again = await shop.call('orders/add', body, options)
    expect([again.status, again.json.data.id]).toEqual([200, first.json.data.id])
  })
})

test.each([[null], [[]]])('a merchant with the setting %j ships everywhere', async setting => {
  await set(setting)
  expect((await shop.call('customers/getMy')).json.data.settings.ships_to).toEqual([])
  expect((await add({ billing: french })).status).toBe(200)
})
