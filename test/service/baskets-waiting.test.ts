import { importWines } from '../../lib/tool/imports/wines.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { refusal } from '../support/buyer.ts'
import { newBasket, newCheckout, setStock, visit } from '../support/checkout.ts'
import type { Answer, Json } from '../support/harness.ts'
import { crowd } from '../support/sampling.ts'

const { shop, add, check } = await newCheckout('Kellerei Zurück')
const { secco, riesling, gone, hidden } = shop.wine as Record<'secco' | 'riesling' | 'gone' | 'hidden', number>
const { call } = shop
const basketOf = async (uuid: string): Promise<Json> => (await call('baskets/get', { uuid })).json.data
const orderOf = async ({ json }: Answer): Promise<Json> => (await call('orders/get', { id: json.data.id })).json.data
const order = (basket: string, data: object = {}, headers = {}) => add({ items: undefined, basket, ...data }, headers)
const wine = (item_id: number, quantity: number) => ({ item_type: 'wine', item_id, quantity })

afterAll(async () => expect(await check()).toEqual([]))

describe('a basket whose order waits for an external payment', () => {
  test('can be read and changed; ordered again, it cancels that order and places another', async () => {
    const basket = await newBasket(shop, secco, 2)
    const first = await order(basket)
    expect(await basketOf(basket)).toMatchObject({ order_uuid: first.json.data.uuid, basketItems: [wine(secco, 2)] })
    const [{ id }] = (await basketOf(basket)).basketItems
    expect((await call('baskets/editItem', { id, data: { quantity: 3 } })).status).toBe(200)
    const second = await order(basket)
    expect(second.json.data).toMatchObject({ status: 'new', gross: '36.00' })
    expect(second.json.data.id).not.toBe(first.json.data.id)
    expect(await orderOf(first)).toMatchObject({ status: 'cancelled' })
    expect(await basketOf(basket)).toMatchObject({ order_uuid: second.json.data.uuid })
  })

  test('can be ordered with another payment type, and is closed by that', async () => {
    const basket = await newBasket(shop, secco, 2)
    const first = await order(basket)
    const second = await order(basket, { payment_type: 'invoice' })
    expect(second.json.data).toMatchObject({ status: 'need_package', payment_type: 'invoice' })
    expect(await orderOf(first)).toMatchObject({ status: 'cancelled' })
    expect(refusal(await call('baskets/get', { uuid: basket }))).toEqual([404, 'basket_not_found'])
    expect(refusal(await call('baskets/addItem', { uuid: basket, data: wine(secco, 1) }))).toEqual([
      404,
      'basket_not_found',
    ])
    expect(refusal(await order(basket))).toEqual([409, 'basket_already_ordered'])
  })

  test('ordered again by the same request has one order, also in many tabs', async () => {
    const basket = await newBasket(shop, secco, 1)
    const answers = await Promise.all(Array.from({ length: 32 }, () => order(basket)))
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1)
    const again = await order(basket)
    expect(again.json.data.id).toBe(answers[0]?.json.data.id)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('ordered concurrently with different data ends in one order that is not cancelled', async () => {
    const basket = await newBasket(shop, secco, 1)
    await Promise.all(Array.from({ length: crowd }, (_, n) => order(basket, { note: `tab ${n % 8}` })))
    const { data } = (await call('orders/getAll', { pageSize: 100 })).json
    const { order_uuid } = await basketOf(basket)
    const live = data.filter(({ note, status }: Json) => note?.startsWith('tab') && status !== 'cancelled')
    expect(live.map(({ uuid }: Json) => uuid)).toEqual([order_uuid])
  })

  test('is not ordered a second time once its order is paid', async () => {
    const basket = await newBasket(shop, secco, 2)
    const first = await order(basket)
    await visit(first.json.targetUrl)
    expect((await call('payments/execute', { uuid: first.json.payment.uuid })).json.data.status).toBe('payed')
    const before = (await call('orders/getAll', { pageSize: 1 })).json.totalCount
    expect(refusal(await order(basket, { note: 'neu' }))).toEqual([409, 'order_paid'])
    expect((await call('orders/getAll', { pageSize: 1 })).json.totalCount).toBe(before)
    expect(refusal(await call('baskets/get', { uuid: basket }))).toEqual([404, 'basket_not_found'])
    expect((await order(basket)).json.data.id).toBe(first.json.data.id)
  })

  test('includes the bottles of its own order in the stock, for changes and for the next order', async () => {
    const bottles = (await call('baskets/get', { uuid: await newBasket(shop, secco, 1) })).json.data.basketItems[0].item
      .quantity
    const basket = await newBasket(shop, secco, bottles)
    const first = await order(basket)
    expect((await basketOf(basket)).basketItems[0].item.quantity).toBe(0)
    const dry = await call('orders/add', { data: { ...sent(first), basket, note: 'dry' }, dry_run: true })
    expect(dry.status).toBe(200)
    const [{ id }] = (await basketOf(basket)).basketItems
    expect(refusal(await call('baskets/editItem', { id, data: { quantity: bottles + 1 } }))).toEqual([
      422,
      'insufficient_stock',
      'data.quantity',
    ])
    expect((await call('baskets/editItem', { id, data: { quantity: bottles - 1 } })).status).toBe(200)
    const second = await order(basket)
    expect(second.json.data.positions[0].quantity).toBe(bottles - 1)
    await call('orders/checkout/cancel', { id: second.json.data.id })
  })
})

const sent = ({ json }: Answer) => ({
  billing_id: json.data.billing_id,
  payment_type: 'paypal',
  return_url: 'https://shop.example/finish',
  cancel_url: 'https://shop.example/cancel',
})

describe('an item that cannot be ordered', () => {
  const put = async (data: object, more: object = {}) => {
    const { uuid } = (await call('baskets/add')).json.data
    return call('baskets/addItem', { uuid, data, ...more })
  }

  test('is refused by a basket: not for sale, not in the shop, more than the stock', async () => {
    for (const id of [gone, hidden])
      expect(refusal(await put(wine(id, 1)))).toEqual([422, 'item_unavailable', 'data.item_id'])
    expect(refusal(await put(wine(riesling, 1), { inshop: true }))).toEqual([422, 'item_unavailable', 'data.item_id'])
    const { json } = await put(wine(secco, 5000))
    expect([json.error, json.fields]).toEqual([
      'insufficient_stock',
      [
        {
          path: 'data.quantity',
          rule: 'insufficient_stock',
          expected: expect.stringMatching(/^at most \d+$/),
          item_type: 'wine',
          item_id: secco,
        },
      ],
    ])
    expect(json.details).toMatch(/^Secco weiß: /)
    const basket = await newBasket(shop, secco, 1)
    const twice = await call('baskets/addItem', { uuid: basket, data: wine(secco, 5000) })
    expect(refusal(twice)).toEqual([422, 'insufficient_stock', 'data.quantity'])
    const replaced = await call('baskets/edit', { uuid: basket, data: { basketItems: [wine(secco, 5000)] } })
    expect(refusal(replaced)).toEqual([422, 'insufficient_stock', 'data.basketItems.0.quantity'])
    const edit = await call('baskets/edit', { uuid: basket, data: { basketItems: [wine(riesling, 1), wine(gone, 1)] } })
    expect(refusal(edit)).toEqual([422, 'item_unavailable', 'data.basketItems.1.item_id'])
  })

  test('is reported by the order, each with name and id', async () => {
    const { uuid } = (await call('baskets/add')).json.data
    for (const item of [wine(secco, 1), wine(riesling, 2)]) await call('baskets/addItem', { uuid, data: item })
    const [row] = [
      { articlenumber: 'riesling', name: 'Riesling Kabinett', type: 'white', countrycode: 'de', region: 1003 },
    ] as const
    await importWines(shop.id, [{ ...row, gross: '9.90' }])
    const dearer = await order(uuid, { gross: '29.80' })
    expect([dearer.status, dearer.json.error]).toEqual([422, 'price_mismatch'])
    expect(dearer.json.fields).toEqual([
      { path: 'data.gross', rule: 'mismatch', expected: '31.80' },
      { path: 'data.items.1', rule: 'price_changed', expected: '9.90', item_type: 'wine', item_id: riesling },
    ])
    await importWines(shop.id, [{ ...row, nostock: 1 }])
    const left = (await basketOf(uuid)).basketItems[0].item.quantity
    await setStock(shop, 'wine', secco, 0)
    const { json } = await order(uuid)
    expect(json.error).toBe('insufficient_stock')
    expect(json.details).toBe('Secco weiß: Dieser Artikel ist nicht mehr in dieser Menge vorrätig.')
    expect(json.fields.map(({ rule, item_id }: Json) => [rule, item_id])).toEqual([
      ['insufficient_stock', secco],
      ['item_unavailable', riesling],
    ])
    await setStock(shop, 'wine', secco, left)
    expect(await findSandboxPayment('none')).toBeUndefined()
  })

  test('in shop mode is also one that is hidden in the shop', async () => {
    const data = { billing_id: 1, payment_type: 'invoice', items: [wine(secco, 1)] }
    expect(refusal(await call('orders/add', { data: { ...data, ...sent(await add()) }, inshop: true }))).toEqual([
      422,
      'item_unavailable',
      'data.items.0.item_id',
    ])
  })
})
