import { newBuyer, refusal } from '../support/buyer.ts'
import type { Json } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'

const { shop, placed, wines } = await newBuyer('Kellerei Langer Bericht')
const pageBytes = 2_000_000

const list = (body: object) => shop.call('orders/getAll', body)
const ids = ({ data }: Json): number[] => data.map(({ id }: Json) => id)

describe('a list of long orders', () => {
  const all = counted(14).reverse()
  const include = 'client,billing,delivery,items,documents,user'

  beforeAll(async () => {
    const described = await shop.call('wines/edit', {
      id: shop.wine.riesling,
      data: { description: 'Ein "edler" Tropfen.\n'.repeat(475) },
    })
    expect(described.status).toBe(200)
    const [item] = wines({ riesling: 1 })
    for (const _ of all) await placed({ items: Array.from({ length: 50 }, () => item) })
  })

  test('ends a page before it is too large, and returns the start of the next', async () => {
    const found: number[] = []
    let next: Json = { start: 0 }
    for (let page = 0; next; page++) {
      const { status, json, text } = await list({ include, pageSize: 100, ...(page > 0 && next) })
      expect([status, json.totalCount, json.pages.total]).toEqual([200, 14, 1])
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(pageBytes)
      expect(json.data[0].positions).toHaveLength(50)
      found.push(...ids(json))
      next = json.pages.next
      if (next) expect([next.start, json.pages.size]).toEqual([found.length, json.data.length])
    }
    expect(found).toEqual(all)
  })

  test('is as full as allowed', async () => {
    const { json, text } = await list({ include, pageSize: 100 })
    const longest = JSON.stringify(json.data[0]).length
    expect(Buffer.byteLength(text)).toBeGreaterThan(pageBytes - 2 * longest)
  })

  test('without lines is on one page', async () => {
    const { json } = await list({ pageSize: 100 })
    expect([ids(json), json.pages]).toEqual([all, { current: 1, total: 1, size: 100 }])
  })

  test('continues within a page', async () => {
    const second = (await list({ include, pageSize: 10, page: 2 })).json
    expect(ids(second)).toEqual([4, 3, 2, 1].slice(0, second.data.length))
  })

  test.each([
    [{ start: 3, pageSize: 4 }, [11, 10, 9, 8], { current: 1, total: 4, size: 4, next: { start: 7 } }],
    [{ start: '4', pageSize: 4, page: 1 }, [10, 9, 8, 7], { current: 2, total: 4, size: 4, next: { start: 8 } }],
    [{ start: 12, pageSize: 4 }, [2, 1], { current: 4, total: 4, size: 4 }],
    [{ start: 0, pageSize: 2 }, [14, 13], { current: 1, total: 7, size: 2, next: { start: 2 } }],
    [{ start: 14 }, [], { current: 1, total: 1, size: 16 }],
    [{ start: 2 ** 52, pageSize: 100 }, [], { current: expect.any(Number), total: 1, size: 100 }],
    [{ start: null, page: 3, pageSize: 6 }, [2, 1], { current: 3, total: 3, size: 6 }],
    [{ page: 1, pageSize: 2 }, [14, 13], { current: 1, total: 7, size: 2 }],
  ])('begins at %j', async (body, expected, pages) => {
    const { status, json } = await list(body)
    expect([status, ids(json), json.pages, json.totalCount]).toEqual([200, expected, pages, 14])
  })

  test.each([-1, 1.5, '1e3', 'x', '', true, [], 2 ** 53])('does not begin at %j', async start => {
    expect(refusal(await list({ start }))).toEqual([400, 'validation_failed', 'start'])
  })
})
