import { itemsOf, newCellar } from '../support/cellar.ts'
import { type Answer, type Json, newClient, newShop } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'

const shop = await newCellar()
const { id: billing_id } = await newClient(shop)
const items = itemsOf(shop, { riesling: 1 })
const count = 30
const upTo = (n: number) => Array.from({ length: n }, (_, one) => one + 1)
const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

const list = (parameters: object = {}) => shop.call('orders/getAll', parameters)
const idsOf = ({ json }: Answer): number[] => json.data.map(({ id }: Json) => id)

const answers = await Promise.all(
  upTo(count).map(n => shop.call('orders/add', { data: { billing_id, items, note: `order ${n}` } })),
)
const orders: Json[] = answers.map(({ json }) => json.data)

afterAll(async () => expect(await violations(shop.id)).toEqual([]))

describe('concurrent orders', () => {
  test('are all placed', () => {
    expect(answers.map(({ status }) => status)).toEqual(upTo(count).map(() => 200))
  })

  test('have the ids, invoice numbers and delivery note numbers from 1 on, each once', () => {
    expect(ascending(orders.map(({ id }) => id))).toEqual(upTo(count))
    expect(ascending(orders.map(({ documents }) => Number(documents.invoices[0].number.replace('R-', ''))))).toEqual(
      upTo(count),
    )
    expect(
      ascending(orders.map(({ documents }) => Number(documents.deliveryNotes[0].number.replace('L-', '')))),
    ).toEqual(upTo(count))
    expect(new Set(orders.map(({ uuid }) => uuid)).size).toBe(count)
    expect(new Set(orders.flatMap(({ positions }) => positions.map(({ id }: Json) => id))).size).toBe(count)
  })

  test('are stored as they were answered', async () => {
    for (const { id, note, uuid, documents } of orders) {
      const { json } = await shop.call('orders/get', { uuid })
      expect(json.data).toMatchObject({ id, note, documents })
    }
  })
})

describe('the list of orders', () => {
  const newestFirst = upTo(count).toReversed()

  test('begins with the newest, 16 a page, with billing and delivery', async () => {
    const answer = await list()
    expect(idsOf(answer)).toEqual(newestFirst.slice(0, 16))
    expect(answer.json).toMatchObject({ totalCount: count, pages: { current: 1, total: 2, size: 16 } })
    const relations = ['client', 'billing', 'delivery', 'positions', 'package', 'rebates', 'documents', 'user']
    for (const order of answer.json.data) {
      expect(relations.filter(relation => relation in order)).toEqual(['billing', 'delivery'])
    }
  })

  test('continues from page to page, each order once', async () => {
    for (const size of [7, 10, 29]) {
      const pages = Math.ceil(count / size)
      const found: number[] = []
      for (const page of upTo(pages)) {
        const answer = await list({ page: String(page), pageSize: String(size) })
        expect(answer.json).toMatchObject({ totalCount: count, pages: { current: page, total: pages, size } })
        found.push(...idsOf(answer))
      }
      expect(found).toEqual(newestFirst)
    }
  })

  test('contains of each order the included parts, as get does', async () => {
    const include = ['client', 'billing', 'delivery', 'items', 'documents', 'user']
    const { json } = await list({ include, pageSize: 3 })
    for (const order of json.data) {
      expect((await shop.call('orders/get', { id: order.id, include })).json.data).toEqual(order)
    }
  })

  test('has at most 100 orders a page, and returns that number', async () => {
    const answer = await list({ pageSize: 500 })
    expect(answer.json.pages).toEqual({ current: 1, total: 1, size: 100 })
    expect(idsOf(answer)).toEqual(newestFirst)
  })

  test('is empty past its end, with the right totals', async () => {
    for (const page of [3, 1000, 2 ** 53 - 1]) {
      const { status, json } = await list({ page })
      expect([status, json.data, json.totalCount]).toEqual([200, [], count])
      expect(json.pages).toEqual({ current: page, total: 2, size: 16 })
    }
  })

  test('of a merchant without orders is one empty page', async () => {
    const { json } = await (await newShop()).call('orders/getAll')
    expect(json).toMatchObject({ data: [], totalCount: 0, pages: { current: 1, total: 1, size: 16 } })
  })
})
