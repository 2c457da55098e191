import { newBuyer, person, refusal } from '../support/buyer.ts'
import { returning, setMerchant, setPackages } from '../support/checkout.ts'
import { violations } from '../support/invariants.ts'

const { shop, client, send, add, wines, newBasket, stored } = await newBuyer('Kellerei Anfrage')
const stranger = await newBuyer('Kellerei Gegenüber')
await setPackages(shop)

afterAll(async () => expect(await violations(shop.id)).toEqual([]))

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

describe('a dry run of a basket that is ordered', () => {
  test('is refused, because no order would be placed', async () => {
    const basket = await newBasket([{ item_type: 'wine', item_id: shop.wine.secco, quantity: 2 }])
    const data = { billing_id: client.id, payment_type: 'invoice', basket }
    const { id } = (await send({ data })).json.data
    const before = await stored()
    expect(refusal(await send({ data, dry_run: true }))).toEqual([409, 'basket_already_ordered'])
    expect(refusal(await send({ data: { ...data, note: 'neu' }, dry_run: true }))).toEqual([
      409,
      'basket_already_ordered',
    ])
    expect(await stored()).toEqual(before)
    await shop.call('orders/checkout/cancel', { id })
    expect((await send({ data, dry_run: true })).status).toBe(200)
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

  test('are returned together, in at most 2,000 characters', async () => {
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

  test("are on the merchant's hosts, if it has any", async () => {
    await setMerchant(shop, { redirect_hosts: ['shop.example'] })
    expect((await open({})).status).toBe(200)
    for (const url of ['https://www.shop.example/', 'https://shop.example.evil.example/', 'http://localhost/']) {
      expect(refusal(await open({ return_url: url }))).toEqual([422, 'redirect_url_invalid', 'data.return_url'])
    }
    await setMerchant(shop, { redirect_hosts: [] })
  })

  test('are not required if no buyer leaves the shop', async () => {
    expect((await add({ return_url: 'x' })).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  const data = { billing_id: client.id, payment_type: 'invoice', items: wines({ juice: 1 }) }

  test.each(['', 'x'.repeat(256), 'a\tb', 'ü'])('cannot be %j', async key => {
    const answer = await send({ data }, { 'idempotency-key': key })
    expect(refusal(answer)).toEqual([400, 'validation_failed', 'Idempotency-Key'])
  })

  test("is the merchant's own: another merchant's orders are not answered", async () => {
    const headers = { 'idempotency-key': 'shared key' }
    const mine = await send({ data }, headers)
    const own = { ...data, billing_id: stranger.client.id, items: stranger.wines({ juice: 1 }) }
    const theirs = await stranger.send({ data: own }, headers)
    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(theirs.headers.get('idempotency-replayed')).toBeNull()
    expect(theirs.json.data.customers_id).toBe(stranger.shop.id)
  })

  test('of a refused request stays free', async () => {
    const headers = { 'idempotency-key': 'second try' }
    expect((await send({ data: { ...data, gross: '0.01' } }, headers)).json.error).toBe('price_mismatch')
    expect((await send({ data }, headers)).headers.get('idempotency-replayed')).toBeNull()
  })
})
