import { importWines } from '../../lib/tool/imports/wines.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar, rows } from '../support/cellar.ts'
import { type Json, newClient } from '../support/harness.ts'

const shop = await newCellar()
const client = await newClient(shop)
const items = itemsOf(shop, { riesling: 6, juice: 1 })
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }

const get = (body: object) => shop.call('orders/get', body, { headers: { 'x-request-id': 'same' } })
const placed = async (data: object = {}): Promise<Json> => {
  const { status, json } = await shop.call('orders/add', { data: { billing_id: client.id, items, ...data } })
  expect(status).toBe(200)
  return json.data
}

const relations = ['client', 'billing', 'delivery', 'positions', 'package', 'rebates', 'documents', 'user']
const relationsIn = (order: object) => relations.filter(relation => relation in order)

describe('reading an order', () => {
  const order = placed()

  test('returns it unchanged by id, by uuid and by both', async () => {
    const { id, uuid: name, ...rest } = await order
    for (const named of [
      { id },
      { id: String(id) },
      { uuid: name },
      { uuid: { uuid: name } },
      { uuid: name.toUpperCase(), id },
    ]) {
      expect((await get(named)).json).toEqual({ info: 'success', data: { id, uuid: name, ...rest } })
    }
  })

  test.each([
    [undefined, ['client', 'billing', 'delivery', 'positions', 'package', 'rebates', 'documents']],
    [null, ['client', 'billing', 'delivery', 'positions', 'package', 'rebates', 'documents']],
    ['', []],
    [[], []],
    ['items', ['positions', 'package', 'rebates']],
    ['client,documents', ['client', 'documents']],
    [' user , billing ,', ['billing', 'user']],
    [['delivery'], ['delivery']],
    [['', 'delivery', ''], ['delivery']],
    [
      ['user', 'user', 'items'],
      ['positions', 'package', 'rebates', 'user'],
    ],
  ])('with include %j adds only the named parts', async (include, expected) => {
    const { json } = await get({ id: (await order).id, include })
    expect(relationsIn(json.data)).toEqual(expected)
    expect(json.data.gross).toBe('55.89')
  })

  test('returns as user the API token that placed it', async () => {
    const { json } = await get({ id: (await order).id, include: 'user' })
    expect(json.data.user).toEqual({ id: 1, name: 'test' })
  })
})

test('later edits and deletions change nothing about an order, byte for byte', async () => {
  const person = await newClient(shop)
  const added = await shop.call('addresses/add', { data: { ...home, client_id: person.id } })
  const { id: delivery_id } = added.json.data
  const dearer = rows
    .filter(({ articlenumber }) => articlenumber === 'secco')
    .map(row => ({ ...row, name: 'Teurer Secco', gross: '99.00', taxrate: 7 }))
  const order = await placed({
    billing_id: person.id,
    delivery_type: 'address',
    delivery_id,
    items: itemsOf(shop, { secco: 1 }),
  })
  const before = (await get({ id: order.id })).text
  await shop.call('addresses/edit', { id: delivery_id, data: { city: 'Pirna', client_id: null } })
  await shop.call('addresses/delete', { id: delivery_id })
  await putItem(key('client', { merchant: shop.id, id: person.id }), { ...person, last_name: 'Neu', deleted: 1 })
  await importWines(shop.id, dearer)
  expect((await shop.call('wines/get', { id: shop.wine.secco })).json.data.name).toBe('Teurer Secco')
  expect((await get({ id: order.id })).text).toBe(before)
})
