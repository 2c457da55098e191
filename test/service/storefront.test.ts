import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { formToken } from '../../shared/merchants/tokens.ts'
import { visit } from '../support/checkout.ts'
import { call, type Json, twin } from '../support/harness.ts'
import { Storefront } from '../support/storefront.ts'

// A visit as existing shop software makes one: its calls, in its order, with its bodies and headers.

const { authid, token } = credentialsOf('elbufer')
const shop = new Storefront({ authid, token })
const billing = {
  gender: 'f',
  first_name: 'Ada',
  last_name: 'Beispiel',
  company: '',
  address: 'Am Hang 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'DE',
  phone: '',
}
const guest = (mail: string) => ({ ...billing, mail })
const returning = { return_url: 'https://shop.example/finish', cancel_url: 'https://shop.example/cancel' }

let wine: Json
let labels: Json

test('the start page has its labels, wines, categories, merchant and ways to pay', async () => {
  const page = await shop.page()
  labels = page.labels
  expect(page.wines.length).toBeGreaterThan(0)
  expect(page.categories.map(({ name }: Json) => name)).toContain('Rotwein')
  expect(page.merchant).toMatchObject({
    company: 'Weinkontor Elbufer GmbH',
    settings: { bank: { bankname: 'Bank am Hafen' } },
  })
  const logo = await fetch(`${twin.url}${page.merchant.image}?height=80`)
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(page.payments).toEqual(expect.arrayContaining(['paypal', 'prepaid', 'invoice']))
  const top = await shop.ask('wines/getAll', { max: 6, orderBy: 'topseller DESC' }, true)
  expect(top.wines).toHaveLength(6)
})

test('the list filters by what its clusters offer, and every id on it has a name', async () => {
  await shop.page()
  const cluster = ['type', 'taste_id', 'vintage', 'grapetypeIds', 'winery', 'categories']
  const list = await shop.ask(
    'wines/getAll',
    { cluster, pageSize: '50', page: '1', orderBy: 'topseller DESC, sorting ASC' },
    true,
  )
  expect(list.pagination).toMatchObject({ current: 1, size: 50 })
  expect(list.clusters.winery.length).toBeGreaterThan(50)
  for (const id of list.clusters.grapetypeIds) expect(labels.grapetypes[id]?.name).toMatch(/./)
  for (const one of list.wines) {
    expect(labels.wineregions[one.countrycode][one.region]).toMatch(/./)
    expect(labels.countries[one.countrycode]).toMatch(/./)
    expect(labels.winetypes[one.type]).toMatch(/./)
  }
  const reds = await shop.ask('wines/getAll', { filter: { shop: true, type: ['red'], grapetypeIds: [71] } }, true)
  expect(reds.wines.every(({ type, grapetypeIds }: Json) => type === 'red' && grapetypeIds.includes(71))).toBe(true)
  await shop.ask('products/getAll', { filter: [], cluster })
  expect((await shop.ask('wineries/getAll')).data.length).toBeGreaterThan(100)
  const found = await shop.ask(
    'wines/search',
    { query: 'riesling', max: 9, pageSize: 6, page: '1', lazy: false, language: 'de' },
    true,
  )
  expect(found.data.length).toBeGreaterThan(0)
  wine = found.data.find(({ nostock, public: shown }: Json) => nostock === 0 && shown === 1)
})

test('a wine’s page has its facts, a sheet and a picture', async () => {
  await shop.page()
  const read = await shop.ask('wines/get', { path_segment: wine.path_segment }, true)
  expect(read.wine).toEqual(read.data)
  const sheet = await fetch(twin.url + read.wine.expertisePdf)
  expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(
    Buffer.from(await sheet.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  for (const size of ['', '?height=300', '?width=150']) {
    const picture = await fetch(twin.url + read.wine.image + size)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
  }
})

test('every product has a picture', async () => {
  const { data } = await shop.ask('products/getAll', {}, true)
  expect(data.length).toBeGreaterThan(3)
  for (const { image } of data) {
    const picture = await fetch(`${twin.url}${image}?width=160`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
  }
})

test('a category’s page has its wines and products', async () => {
  const { data: category } = await shop.ask('categories/get', { path_segment: 'rotwein' }, true)
  expect(category.name).toBe('Rotwein')
  const wines = await shop.ask(
    'wines/getByCategory',
    { path_segment: 'rotwein', sortBy: 'name', sortDirection: 'ASC' },
    true,
  )
  expect(wines.data.length).toBeGreaterThan(0)
  expect(await shop.ask('bundles/getByCategory', { path_segment: 'rotwein' })).toBe(false)
  expect(
    (await shop.ask('products/getAll', { filter: { tags: { path_segment: 'zubehoer' } } }, true)).data.length,
  ).toBe(2)
})

/** Fills a basket and shows what sending it costs, as the summary page does. */
const summary = async (quantity = 6) => {
  await shop.openBasket()
  const basket = await shop.put('wine', wine.id, quantity)
  const gross = basket.basketItems.reduce((sum: number, { item, quantity: count }: Json) => sum + item.gross * count, 0)
  const found = await shop.ask('packaging/find', {
    type: 'bottles',
    bottles: quantity,
    gross,
    net: gross / 1.19,
    quantity,
  })
  return { gross, freight: found.data, limit: found.summary.freightfreelimit }
}

const order = async (data: object) => {
  const { json, status } = await shop.answer('orders/add', { data: { source: 'shop', basket: shop.basket, ...data } })
  expect([status, json.details]).toEqual([200, undefined])
  return json
}

test('a guest buys by invoice, for just what the summary showed', async () => {
  const { gross, freight, limit } = await summary()
  expect(limit).toBe('150.00')
  const person = guest('ada.rechnung@shop.example')
  expect((await shop.ask('clients/exists', person)).data).toBe(false)
  const { data } = await order({
    payment_type: 'invoice',
    billing: person,
    delivery: person,
    invoice_type: 'gross',
    payment_period: 14,
  })
  expect(data).toMatchObject({ status: 'need_package', gross: (gross + Number(freight.gross)).toFixed(2) })
  expect(data.package.gross).toBe(freight.gross)
  const shown = (await shop.ask('orders/get', { uuid: data.uuid })).data
  expect(shown).toMatchObject({ billing: { last_name: 'Beispiel' }, client: { number: expect.any(String) } })
  expect(await shop.ask('baskets/get', { uuid: shop.basket })).toBe(false)
  expect((await shop.ask('clients/exists', { ...person, mail: 'ADA.Rechnung@shop.example' })).data).toBe(data.client_id)
})

test('a guest pays in advance, and the mail has where to', async () => {
  await summary()
  const { data } = await order({
    payment_type: 'prepaid',
    billing: guest('ada.vorkasse@shop.example'),
    payment_period: 1,
  })
  expect(data).toMatchObject({ status: 'need_payment', payment_period: 1 })
  const { bank } = (await shop.ask('customers/getMy')).data.settings
  expect([bank.iban, bank.owner]).toEqual(['DE89370400440532013000', 'Weinkontor Elbufer GmbH'])
})

test('goods that are collected have neither address nor packaging', async () => {
  await summary()
  const { data } = await order({
    payment_type: 'cash',
    billing: guest('ada.abholung@shop.example'),
    delivery_type: 'none',
  })
  expect(data).toMatchObject({ delivery_type: 'none', delivery: null, package: null })
})

describe('by PayPal', () => {
  const paying = async (mail: string) => {
    await summary()
    const added = await order({ payment_type: 'paypal', billing: guest(mail), ...returning })
    expect(added.targetUrl).toMatch(/^http/)
    return added
  }

  test('a buyer approves and comes back paid, by either id of the payment', async () => {
    const { data, payment, targetUrl } = await paying('ada.paypal@shop.example')
    const back = await visit(targetUrl)
    expect(back.searchParams.get('pid')).toBe(payment.uuid)
    const done = await shop.ask('payments/execute', { uuid: back.searchParams.get('pid') })
    expect(done).toMatchObject({ data: { status: 'payed' }, order: { uuid: data.uuid, status: 'need_package' } })
    expect((await shop.ask('payments/execute', { uuid: payment.external_id })).data).toEqual(done.data)
    expect(await shop.ask('baskets/get', { uuid: shop.basket })).toBe(false)
  })

  test('a buyer who declines may cancel, and has the basket back', async () => {
    const { data, payment, targetUrl } = await paying('ada.abbruch@shop.example')
    await visit(targetUrl, 'decline')
    expect(await shop.ask('payments/execute', { uuid: payment.uuid })).toBe(false)
    expect((await shop.ask('orders/checkout/cancel', { order_id: data.uuid })).data.status).toBe('cancelled')
    expect((await shop.ask('baskets/get', { uuid: shop.basket })).data.basketItems).toHaveLength(1)
    expect((await shop.ask('checkouts/cancel', { uuid: data.uuid })).data.status).toBe('cancelled')
  })

  test('a buyer who goes back in the browser changes the basket and the way to pay', async () => {
    const first = await paying('ada.zurueck@shop.example')
    const { basketItems } = (await shop.ask('baskets/get', { uuid: shop.basket })).data
    await shop.ask('baskets/editItem', { id: String(basketItems[0].id), data: { quantity: 2 } })
    const second = await order({ payment_type: 'invoice', billing: guest('ada.zurueck@shop.example') })
    expect(second.data).toMatchObject({ status: 'need_package', positions: [{ quantity: 2 }] })
    expect((await shop.ask('orders/get', { uuid: first.data.uuid })).data.status).toBe('cancelled')
  })
})

describe('a client', () => {
  const mail = 'ada.kundin@shop.example'
  const password = '5f4dcc3b5aa765d61d8327deb882cf99'

  test('registers, activates, signs in, orders and finds the order', async () => {
    const data = { ...billing, mail, password, password_repeat: 'im Klartext' }
    const { data: registered } = await shop.ask('clients/register', { data })
    expect(registered).toMatchObject({ mail, id: expect.any(Number), lostpassword_hash: expect.any(String) })
    const early = await shop.answer('clients/login', { mail, password })
    expect([early.status, early.json.code]).toEqual([400, 400])
    await shop.ask('clients/activate', {
      hash: registered.lostpassword_hash,
      lostpassword_hash: registered.lostpassword_hash,
    })
    shop.client = (await shop.ask('clients/login', { mail, password })).data.token
    const page = await shop.page()
    expect(page.client).toMatchObject({ id: registered.id, mail, city: 'Dresden' })
    await shop.put('wine', wine.id, 1)
    const placed = await order({
      payment_type: 'invoice',
      billing_type: 'client',
      billing_id: page.client.id,
      client_id: page.client.id,
    })
    const own = await shop.ask('clients/orders/getAll', {}, true)
    expect(own.data.map(({ uuid }: Json) => uuid)).toEqual([placed.data.uuid])
    expect((await shop.ask('clients/orders/get', { uuid: placed.data.uuid }, true)).data.uuid).toBe(placed.data.uuid)
  })

  test('who forgot the password gets another one', async () => {
    const { data } = await shop.ask('clients/getPasswordHash', { mail })
    expect(
      (await shop.ask('clients/validatePasswordHash', { hash: data.hash, lostpassword_hash: data.hash })).data,
    ).toBeTruthy()
    expect((await shop.ask('clients/resetPassword', { hash: data.hash, password: `${password}2` })).data).toBeTruthy()
    const { json } = await shop.answer('clients/login', { mail, password })
    expect(json.code).toBe(400)
    expect((await shop.ask('clients/login', { mail, password: `${password}2` })).data.token).toEqual(expect.any(String))
  })
})

test('a session that has ended is renewed by the page itself', async () => {
  const stale = new Storefront({ authid, token })
  Object.assign(stale, { token: formToken('wks', '5ddb27daf3f6') })
  expect((await stale.page()).wines.length).toBeGreaterThan(0)
  expect(stale.asked.slice(0, 2)).toEqual(['/service/check/login', '/service/login'])
})

test('every page of the sitemap can be read to its end', async () => {
  await shop.signIn()
  for (const route of ['wines/getAll', 'products/getAll', 'categories/getAll']) {
    const first = await shop.ask(route, { pageSize: 50 })
    let read = first.data.length
    for (let page = 2; page <= first.pages.total; page++)
      read += (await shop.ask(route, { pageSize: 50, page: String(page) })).data.length
    expect([route, read]).toEqual([route, first.totalCount])
  }
  expect((await call('/localization/xx', {}, { method: 'GET' })).status).toBe(404)
})
