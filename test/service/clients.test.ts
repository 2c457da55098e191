import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket, newProduct } from '../support/checkout.ts'
import { passwordOf, signedIn } from '../support/client-account.ts'
import type { Json } from '../support/harness.ts'

// A client's whole visit of a shop, over every route that accepts a client: each function has the rights that it needs.
// Refusals and concurrent requests are tested in test/domain.

const shop = await newCellar('Kellerei Konto')
const mail = 'Ida.Konto@Example.org'
const canary = 'NACHTIGALLEN'
const password = passwordOf(canary)
const billing = { first_name: 'Ida', last_name: 'Konto', address: 'Weg 2', zip: '01067', city: 'Dresden', mail }
const items = itemsOf(shop, { riesling: 2 })
// The form that shops send.
const usual = { filter: [], inshop: true }

const data = async (route: string, body: object): Promise<Json> => {
  const { status, json } = await shop.call(route, { ...body, filter: [] })
  expect([route, status, json.details]).toEqual([route, 200, undefined])
  return json.data
}

test('a client can register, sign in, reset the password, see prices, order and read orders', async () => {
  expect(await data('clients/exists', billing)).toBe(false)
  const first = await data('orders/add', { data: { billing, payment_type: 'invoice', items } })
  expect(first.billing.countrycode).toBe('de')
  const id = await data('clients/exists', { ...billing, mail: mail.toLowerCase() })
  expect([id, first.client_id]).toEqual([id, id])

  const person = { ...billing, password, password_repeat: canary, newsletter: '1' }
  const registered = await data('clients/register', { data: person })
  expect(registered.id).toBe(id)
  const { lostpassword_hash } = registered
  await data('clients/validatePasswordHash', { lostpassword_hash })
  expect(await data('clients/activate', { hash: lostpassword_hash })).toEqual({ id, mail })
  const { hash } = await data('clients/getPasswordHash', { mail })
  expect(await data('clients/resetPassword', { hash, password })).toEqual({ id, mail })
  const unknown = await data('clients/register', { data: { mail: 'zweite@example.org', password } })
  expect(unknown.id).not.toBe(id)

  await updateItem(key('client', { merchant: shop.id, id }), { set: { price_range_id: shop.gastronomy } })
  const client = await signedIn(shop, { mail, password })
  const ask = async (route: string, body: object = {}): Promise<Json> => {
    const { status, json } = await client.call(route, { ...usual, ...body })
    expect([route, status, json.details]).toEqual([route, 200, undefined])
    return json.data
  }
  expect(await ask('clients/get')).toMatchObject({ id, number: 'K-1001', newsletter: 1 })
  expect((await ask('clients/edit', { data: { mail: `neu.${mail}`, city: 'Pirna' } })).mail).toBe(`neu.${mail}`)
  const form = { phone: '1', password, password_repeat: canary, submitted: 1 }
  expect((await ask('clients/edit', { data: form })).phone).toBe('1')

  const second = await data('orders/add', {
    data: { billing: { ...billing, mail: `x.${mail}` }, client_id: id, payment_type: 'invoice', items },
  })
  const history = await ask('clients/orders/getAll')
  expect(history.map((order: Json) => order.id)).toEqual([second.id, first.id])
  expect(await ask('clients/orders/get', { uuid: first.uuid })).toMatchObject({
    id: first.id,
    billing: { city: 'Dresden' },
  })
  expect((await ask('orders/get', { id: first.id })).id).toBe(first.id)

  const wine = { id: shop.wine.riesling }
  const agreed = [{ price_range_id: shop.gastronomy, gross: '7.50' }]
  const plain: Json = { inshop: null }
  expect((await ask('wines/get', { ...wine, ...plain })).prices).toMatchObject(agreed)
  const { id: glasses } = await newProduct(shop)
  expect((await ask('products/get', { id: glasses, ...plain })).prices).toEqual([])
  const lists = {
    'wines/getAll': plain,
    'wines/search': { ...plain, query: 'riesling' },
    'wines/getByType': { type: 'white', ...plain },
    'products/getAll': plain,
  }
  for (const [route, body] of Object.entries(lists)) {
    for (const { prices } of await ask(route, body)) {
      expect(prices.every((price: Json) => price.price_range_id === shop.gastronomy)).toBe(true)
    }
  }
  for (const route of ['wines/getByCategory', 'categories/getWines']) expect(await ask(route, { id: 1 })).toEqual([])

  const uuid = await newBasket(shop, shop.wine.riesling ?? 0, 1)
  const line = { item_type: 'wine', item_id: wine.id, quantity: 1 }
  const priced = async (route: string, body: object) => {
    const basket = await ask(route, { ...body, ...plain })
    expect(basket.basketItems[0].item.prices).toMatchObject(agreed)
    return basket.basketItems[0].id
  }
  const item = await priced('baskets/get', { uuid })
  await priced('baskets/addItem', { uuid, data: line })
  await priced('baskets/edit', { uuid, data: { basketItems: [line] } })
  await priced('baskets/editItem', { id: item, data: { quantity: 3 } })
  expect((await ask('baskets/deleteItem', { id: item })).basketItems).toEqual([])

  const last = 'the-last-request-of-the-client'
  await client.call('clients/logout', {}, { headers: { 'x-request-id': last } })
  const log = join(process.env.TEST_TWIN ?? '', 'service.log')
  let written = ''
  while (!written.includes(last)) {
    await pause(20)
    written = await readFile(log, 'utf8')
  }
  expect(written).toContain('/service/clients/register')
  for (const secret of [canary, password, client.token, hash, lostpassword_hash, mail, mail.toLowerCase()]) {
    expect(written).not.toContain(secret)
  }
})
