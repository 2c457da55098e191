import { randomUUID } from 'node:crypto'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { type Cellar, itemsOf, newCellar } from '../support/cellar.ts'
import { setStock } from '../support/checkout.ts'
import { type Answer, type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { counted } from '../support/partitions.ts'
import { crowd } from '../support/sampling.ts'

/** A shop with a client, which orders. */
const newBuyer = async (name: string) => {
  const shop = await newCellar(name)
  const { id: billing_id } = await newClient(shop)
  const add = (data: object, headers: Record<string, string> = {}): Promise<Answer> =>
    shop.call('orders/add', { data: { billing_id, ...data } }, { headers })
  return { shop, add }
}

const stockOf = async ({ id: merchant }: Cellar, id: number | undefined): Promise<unknown> =>
  (await getItem(key('stock', { merchant, type: 'wine', id: id ?? 0 })))?.quantity

const inParallel = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(counted(count).map(act))

const tally = (answers: readonly Answer[]): Record<string, number> => {
  const words = answers.map(({ status, json }) => (status === 200 ? '200' : `${status} ${json.error}`))
  return Object.fromEntries(
    Map.groupBy(words, word => word)
      .entries()
      .map(([word, all]) => [word, all.length]),
  )
}

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

describe('concurrent requests', () => {
  test(`${2 * crowd} orders for the last ${crowd} bottles sell every bottle once`, async () => {
    const { shop, add } = await newBuyer('Kellerei Andrang')
    const riesling = shop.wine.riesling as number
    await setStock(shop, 'wine', riesling, crowd)
    const answers = await inParallel(2 * crowd, () => add({ items: itemsOf(shop, { riesling: 1 }) }))
    expect(tally(answers)).toEqual({ 200: crowd, '422 insufficient_stock': crowd })
    expect(await stockOf(shop, riesling)).toBe(0)
    // Each order shows the remaining stock, down to 0.
    const left = answers.flatMap(({ status, json }) => (status === 200 ? [json.data.positions[0].item.quantity] : []))
    expect(ascending(left)).toEqual(counted(crowd).map(n => n - 1))
    expect(await violations(shop.id, { [`wine#${riesling}`]: crowd })).toEqual([])
  })

  test(`${crowd} equal requests with one Idempotency-Key place one order and get the same answer`, async () => {
    const { shop, add } = await newBuyer('Kellerei Echo')
    const secco = shop.wine.secco as number
    await setStock(shop, 'wine', secco, 6)
    const data = { items: itemsOf(shop, { secco: 6 }), note: 'einmal' }
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await inParallel(crowd, () => add(data, headers))
    expect(tally(answers)).toEqual({ 200: crowd })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const replayed = answers.map(answer => answer.headers.get('idempotency-replayed'))
    expect(replayed.filter(value => value === null)).toHaveLength(1)
    expect(replayed.filter(value => value === 'true')).toHaveLength(crowd - 1)
    const other = await add({ ...data, note: 'anders' }, headers)
    expect([other.status, other.json.error]).toEqual([422, 'idempotency_key_reused'])
    expect(await violations(shop.id, { [`wine#${secco}`]: 6 })).toEqual([])
    expect((await shop.call('orders/getAll')).json.totalCount).toBe(1)
  })

  test('of different orders with one key place one of them', async () => {
    const { shop, add } = await newBuyer('Kellerei Zwist')
    const headers = { 'idempotency-key': 'same key' }
    const answers = await inParallel(crowd, n => add({ items: itemsOf(shop, { juice: n }) }, headers))
    expect(tally(answers)).toEqual({ 200: 1, '422 idempotency_key_reused': crowd - 1 })
    expect(await violations(shop.id)).toEqual([])
  })

  test('that order a basket many times place one order', async () => {
    const { shop, add } = await newBuyer('Kellerei Korb')
    const basket = (await shop.call('baskets/add')).json.data.uuid
    await shop.call('baskets/addItem', {
      uuid: basket,
      data: { item_type: 'wine', item_id: shop.wine.secco, quantity: 2 },
    })
    const answers = await inParallel(crowd, n => add(n % 2 ? { basket } : { basket_uuid: basket }))
    const placed = answers.filter(({ status }) => status === 200)
    expect(new Set(placed.map(({ json }) => json.data.uuid)).size).toBe(1)
    // The two spellings are two requests: only those of the first are repeats of it.
    expect(tally(answers)).toEqual({ 200: crowd / 2, '409 basket_already_ordered': crowd / 2 })
    expect((await shop.call('orders/getAll')).json.totalCount).toBe(1)
    expect(await violations(shop.id)).toEqual([])
  })

  test('that add to a basket while it is ordered are in the order, or refused', async () => {
    const { shop, add } = await newBuyer('Kellerei Hast')
    await inParallel(6, async () => {
      const basket = (await shop.call('baskets/add')).json.data.uuid
      const put = (item_id: number | undefined) =>
        shop.call('baskets/addItem', { uuid: basket, data: { item_type: 'wine', item_id, quantity: 1 } })
      await put(shop.wine.secco)
      const [order, ...puts] = await Promise.all([add({ basket }), put(shop.wine.juice), put(shop.wine.riesling)])
      const sold = order.json.data.positions.map(({ item_id }: Json) => item_id)
      const accepted = puts.map(({ status }) => status === 200)
      expect([sold.includes(shop.wine.juice), sold.includes(shop.wine.riesling)]).toEqual(accepted)
    })
    expect(await violations(shop.id)).toEqual([])
  })

  test(`${2 * crowd} orders of two merchants have the numbers from 1 on, each once`, async () => {
    const buyers = [await newBuyer('Kellerei Links'), await newBuyer('Kellerei Rechts')]
    const answers = await inParallel(2 * crowd, n => {
      const { shop, add } = buyers[n % 2] as (typeof buyers)[number]
      return add({ items: itemsOf(shop, { juice: 1 }), source: String(shop.id) })
    })
    expect(tally(answers)).toEqual({ 200: 2 * crowd })
    for (const { shop } of buyers) {
      const own = answers.map(({ json }) => json.data).filter(({ source }) => source === String(shop.id))
      expect(ascending(own.map(({ id }) => id))).toEqual(counted(crowd))
      expect(ascending(own.map(({ documents }) => Number(documents.invoices[0].number.replace('R-', ''))))).toEqual(
        counted(crowd),
      )
      expect(own.every(({ customers_id }) => customers_id === shop.id)).toBe(true)
      expect(await violations(shop.id)).toEqual([])
    }
  })

  test('that cancel an order many times return its stock once', async () => {
    const { shop, add } = await newBuyer('Kellerei Reue')
    const riesling = shop.wine.riesling as number
    await setStock(shop, 'wine', riesling, 10)
    const { uuid } = (await add({ items: itemsOf(shop, { riesling: 4 }) })).json.data
    expect(await stockOf(shop, riesling)).toBe(6)
    const answers = await inParallel(crowd, () => shop.call('orders/checkout/cancel', { order_id: uuid }))
    expect(tally(answers)).toEqual({ 200: crowd })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.json.data).toMatchObject({
      status: 'cancelled',
      documents: { creditAdvices: [{ number: 'K-1' }] },
    })
    expect(await stockOf(shop, riesling)).toBe(10)
    expect(await violations(shop.id, { [`wine#${riesling}`]: 10 })).toEqual([])
  })
})
