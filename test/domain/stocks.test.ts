import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newProduct, setStock } from '../support/checkout.ts'
import { type Answer, type Json, newClient, newShop, refusal } from '../support/harness.ts'

const shop = await newCellar('Kellerei Regal')
const { secco = 0, juice = 0, riesling = 0 } = shop.wine
const wine = (item_id: number) => ({ item_type: 'wine', item_id }) as const
const change = (body: Json, idempotencyKey?: string): Promise<Answer> =>
  shop.call('stocks/add', body, { headers: { ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) } })
const stockOf = async (one: Json): Promise<unknown> =>
  (await shop.call('stocks/get', { items: [one] })).json.data[0].stock
const tooMany = '`quantity` must be small enough for a stock of at most 1000000.'

describe('stocks/add', () => {
  test('sets a stock, adds to it, takes from it, and stops counting', async () => {
    for (const [body, stock] of [
      [{ stock: 12 }, 12],
      [{ quantity: 6 }, 18],
      [{ quantity: -18 }, 0],
      [{ quantity: '3' }, 3],
      [{ stock: null }, null],
      [{ stock: 0 }, 0],
    ] as const) {
      const { status, json } = await change({ ...wine(secco), ...body })
      expect([status, json.data]).toEqual([200, { ...wine(secco), stock }])
      expect(await stockOf(wine(secco))).toBe(stock)
    }
  })

  test.each([{}, { quantity: 1, stock: 1 }])('refuses %j: one of quantity and stock is needed', async body => {
    const answer = await change({ ...wine(secco), ...body })
    expect([...refusal(answer), answer.json.details]).toEqual([
      ...[400, 'validation_failed'],
      '`quantity` or `stock` must be given, not both.',
    ])
  })

  test('counts products, too', async () => {
    const { id } = await newProduct(shop)
    const product = { item_type: 'product', item_id: id }
    await change({ ...product, stock: 2 })
    expect((await change({ ...product, quantity: 1 })).json.data).toEqual({ ...product, stock: 3 })
  })

  test('takes no more than is left, and changes nothing then', async () => {
    await change({ ...wine(juice), stock: 5 })
    const answer = await change({ ...wine(juice), quantity: -6 }, 'too many')
    expect([...refusal(answer), answer.json.details]).toEqual([422, 'insufficient_stock', 'Only 5 pieces are left.'])
    expect(await stockOf(wine(juice))).toBe(5)
    // The refused key is free.
    expect((await change({ ...wine(juice), quantity: -5 }, 'too many')).json.data.stock).toBe(0)
  })

  test('adds up to a million pieces, also by concurrent requests, and changes nothing then', async () => {
    await change({ ...wine(juice), stock: 999_990 })
    const answers = await Promise.all(Array.from({ length: 16 }, () => change({ ...wine(juice), quantity: 4 })))
    const [done, refused] = [200, 400].map(wanted => answers.filter(({ status }) => status === wanted))
    expect(await stockOf(wine(juice))).toBe(999_990 + 4 * (done?.length ?? 0))
    expect(done?.length).toBeLessThanOrEqual(2)
    for (const { json } of refused ?? []) expect(json.details).toBe(tooMany)
    expect((await change({ ...wine(juice), quantity: 11 })).json.details).toBe(tooMany)
    await change({ ...wine(juice), stock: 999_998 })
    expect((await change({ ...wine(juice), quantity: 2 })).json.data.stock).toBe(1_000_000)
  })

  test('takes pieces from a stock of more than a million, as an import may set it', async () => {
    await setStock(shop, 'wine', juice, 2_000_001)
    expect((await change({ ...wine(juice), quantity: -1 })).json.data.stock).toBe(2_000_000)
    expect((await change({ ...wine(juice), quantity: 1 })).json.details).toBe(tooMany)
  })

  test('adds nothing to a stock that is not counted', async () => {
    await change({ ...wine(juice), stock: null })
    expect(refusal(await change({ ...wine(juice), quantity: 1 }))).toEqual([422, 'stock_not_counted'])
    expect(await getItem(key('stock', { merchant: shop.id, type: 'wine', id: juice }))).toBeUndefined()
  })

  test('changes a stock once by its Idempotency-Key, also by concurrent repeats', async () => {
    await change({ ...wine(juice), stock: 10 })
    const answers = await Promise.all(Array.from({ length: 16 }, () => change({ ...wine(juice), quantity: 4 }, 'once')))
    expect(answers.map(({ json }) => json.data?.stock)).toEqual(Array(16).fill(14))
    expect(answers.filter(({ headers }) => !headers.get('idempotency-replayed'))).toHaveLength(1)
    expect(refusal(await change({ ...wine(juice), quantity: 5 }, 'once'))).toEqual([422, 'idempotency_key_reused'])
    expect(await stockOf(wine(juice))).toBe(14)
  })

  test('loses no change: 64 concurrent changes and orders add up', async () => {
    await change({ ...wine(riesling), stock: 100 })
    const { id: billing_id } = await newClient(shop)
    const order = () => shop.call('orders/add', { data: { billing_id, items: itemsOf(shop, { riesling: 2 }) } })
    const done = await Promise.all([
      ...Array.from({ length: 64 }, (_, n) => change({ ...wine(riesling), quantity: n % 2 ? 3 : -1 })),
      ...Array.from({ length: 4 }, order),
    ])
    const [changed, ordered] = [done.slice(0, 64), done.slice(64)].map(all =>
      all.filter(({ status }) => status === 200),
    )
    expect(ordered).toHaveLength(4)
    const sum = done
      .slice(0, 64)
      .reduce((all, { status }, n) => (status === 200 ? all + (n % 2 ? 3 : -1) : all), 100 - 2 * 4)
    expect(changed?.length).toBeGreaterThan(0)
    expect(await stockOf(wine(riesling))).toBe(sum)
  })
})

describe('stocks/get', () => {
  test('returns the stock of each item in the order of the request, null for one that is not counted', async () => {
    await setStock(shop, 'wine', secco, 7)
    await change({ ...wine(juice), stock: null })
    const items = [wine(juice), wine(secco), wine(juice)]
    const { json } = await shop.call('stocks/get', { items })
    expect(json.data).toEqual([
      { ...wine(juice), stock: null },
      { ...wine(secco), stock: 7 },
      { ...wine(juice), stock: null },
    ])
  })

  test('returns all counted stocks without items, and no other merchant’s', async () => {
    const own = await newCellar('Kellerei Nebenregal')
    await setStock(own, 'wine', own.wine.secco ?? 0, 3)
    const { id } = await newProduct(own)
    await putItem(key('stock', { merchant: own.id, type: 'product', id }), { quantity: 9 })
    expect((await own.call('stocks/get')).json.data).toEqual([
      { ...wine(own.wine.secco ?? 0), stock: 3 },
      { item_type: 'product', item_id: id, stock: 9 },
    ])
  })

  test('returns all counted stocks by pages', async () => {
    const own = await newShop('Kellerei Lagerhalle')
    const ids = Array.from({ length: 5 }, (_, n) => n + 1)
    for (const id of ids) await setStock(own, id % 2 ? 'wine' : 'product', id, id)
    const { json } = await own.call('stocks/get', { pageSize: 2, page: 2 })
    expect([json.totalCount, json.pages]).toEqual([5, { current: 2, total: 3, size: 2 }])
    expect(json.data.map(({ item_id }: Json) => item_id)).toEqual([5, 2])
  })

  test('names each item that does not exist', async () => {
    const { status, json } = await shop.call('stocks/get', { items: [wine(secco), wine(2 ** 50)] })
    expect([status, json.error, json.fields]).toEqual([
      422,
      'item_not_found',
      [expect.objectContaining({ path: 'items.1.item_id' })],
    ])
  })
})
