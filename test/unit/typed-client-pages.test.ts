import fc from 'fast-check'
import { type Page, pagesOf, recordsOf } from '../../lib/client/pages.ts'
import { offsetOf, pageIn, wholeList } from '../../shared/contract/schema/lists.ts'

type Row = { id: number }
type Asked = { page?: number; pageSize?: number; start?: number; query?: string }

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ id: n + 1 }))

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const one of items) all.push(one)
  return all
}

/**
 * A list as the service answers it. Its pages end early where `cuts` says: of the nth answer only so many records have
 * room. With `isWhole` it comes in one page unless a pageSize is given, as far as there is room.
 */
const listOf = (rows: Row[], { cuts = [], isWhole = false }: { cuts?: number[]; isWhole?: boolean } = {}) => {
  const asked: Asked[] = []
  const ask = async (fields: Asked): Promise<Page> => {
    const room = cuts[asked.length] ?? Number.POSITIVE_INFINITY
    asked.push(fields)
    const usual = isWhole ? Math.max(1, rows.length) : 16
    const wanted = {
      page: fields.page ?? 1,
      pageSize: Math.min(fields.pageSize ?? usual, isWhole ? usual : 100),
      start: fields.start,
    }
    const before = offsetOf(wanted)
    const page = rows.slice(before, before + wanted.pageSize)
    return pageIn(wanted, rows.length, { data: page.slice(0, room), isFull: room < page.length } as never)
  }
  return { ask, asked }
}

const idsOf = async (list: ReturnType<typeof listOf>, fields: Asked = {}) =>
  (await collect(recordsOf(pagesOf(list.ask, fields)))).map(row => (row as Row).id)

const sizes = fc.integer({ min: 1, max: 120 })
const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 40 })

test('every record is yielded once and in order, however short the pages are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(300), sizes, cuts, fc.boolean(), async (count, pageSize, cut, isWhole) => {
      const list = listOf(rowsOf(count), { cuts: cut, isWhole })
      expect(await idsOf(list, { pageSize })).toEqual(rowsOf(count).map(({ id }) => id))
      // A request more than are needed is one that asks for nothing.
      const least = Math.max(1, Math.ceil(count / Math.min(pageSize, 100)))
      expect(list.asked.length).toBeLessThanOrEqual(least + cut.length)
    }),
  )
})

test('a list that starts in the middle continues to the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(200), sizes, cuts, fc.nat(250), async (count, pageSize, cut, from) => {
      const ids = rowsOf(count).map(({ id }) => id)
      expect(await idsOf(listOf(rowsOf(count), { cuts: cut }), { pageSize, start: from })).toEqual(ids.slice(from))
      const page = 1 + (from % 5)
      const before = (page - 1) * Math.min(pageSize, 100)
      expect(await idsOf(listOf(rowsOf(count), { cuts: cut }), { pageSize, page })).toEqual(ids.slice(before))
    }),
  )
})

test('each request has the other fields; only the first has the page', async () => {
  const list = listOf(rowsOf(40))
  await idsOf(list, { query: 'riesling', page: 1, pageSize: 16 })
  expect(list.asked).toEqual([
    { query: 'riesling', page: 1, pageSize: 16 },
    { query: 'riesling', pageSize: 16, start: 16 },
    { query: 'riesling', pageSize: 16, start: 32 },
  ])
})

test('a record that is deleted meanwhile causes no other to be skipped', async () => {
  const rows = rowsOf(40)
  const list = listOf(rows)
  const losing = async (fields: Asked): Promise<Page> => {
    const answer = await list.ask(fields)
    if (list.asked.length > 1) return answer
    rows.splice(3, 1)
    return { ...answer, data: answer.data.filter(row => (row as Row).id !== 4) }
  }
  const ids = (await collect(recordsOf(pagesOf(losing, {})))).map(row => (row as Row).id)
  expect(ids).toEqual(rows.map(({ id }) => id))
})

test('an empty list, a page behind the end and a list that comes whole take one request', async () => {
  for (const [list, fields] of [
    [listOf([]), {}],
    [listOf(rowsOf(5)), { page: 9 }],
    [listOf(rowsOf(5)), { start: 9 }],
    [listOf(rowsOf(50), { isWhole: true }), {}],
  ] as const) {
    await idsOf(list, fields)
    expect(list.asked).toHaveLength(1)
  }
  const answers = await collect(pagesOf(async () => wholeList(rowsOf(200)), {}))
  expect(answers).toHaveLength(1)
})

test('a list that ignores page numbers is read without duplicates', async () => {
  const list = listOf(rowsOf(40))
  const byType = ({ page: _, ...fields }: Asked) => list.ask(fields)
  const ids = (await collect(recordsOf(pagesOf(byType, {})))).map(row => (row as Row).id)
  expect(ids).toEqual(rowsOf(40).map(({ id }) => id))
})

test('records that are added at the front meanwhile cause no duplicates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 20 }),
      cuts,
      async (count, more, cut) => {
        const rows = rowsOf(count)
        const list = listOf(rows, { cuts: cut })
        let next = 1000
        const growing = async (fields: Asked) => {
          const answer = await list.ask(fields)
          if (next < 1000 + more) rows.unshift({ id: next++ })
          return answer
        }
        const ids = (await collect(recordsOf(pagesOf(growing, {})))).map(row => (row as Row).id)
        expect(ids.filter(id => id < 1000)).toEqual(rowsOf(count).map(({ id }) => id))
        expect(new Set(ids).size).toBe(ids.length)
      },
    ),
  )
})

test('a list whose pages lead back ends in an error', async () => {
  const leading = (...starts: number[]) => {
    let asked = 0
    return async (): Promise<Page> => ({
      data: [{ id: ++asked }],
      totalCount: 100,
      pages: { current: 1, total: 100, size: 1, next: { start: starts[(asked - 1) % starts.length] ?? 0 } },
    })
  }
  await expect(collect(pagesOf(leading(1), {}))).rejects.toThrow('goes on at 1')
  await expect(collect(pagesOf(leading(5, 9, 2), {}))).rejects.toThrow('goes on at 2')
})

test('an empty page ends a list', async () => {
  let asked = 0
  const ask = async (): Promise<Page> => {
    asked++
    return { data: [], totalCount: 100, pages: { current: 1, total: 7, size: 16, next: { start: 16 } } }
  }
  expect(await collect(recordsOf(pagesOf(ask, {})))).toEqual([])
  expect(asked).toBe(1)
})

test('pages are requested only when needed', async () => {
  const list = listOf(rowsOf(100))
  for await (const row of recordsOf(pagesOf(list.ask, {}))) if ((row as Row).id === 20) break
  expect(list.asked).toHaveLength(2)
})

test('limit ends a list without further requests', async () => {
  for (const [limit, requests] of [
    [0, 0],
    [5, 1],
    [16, 1],
    [17, 2],
    [1000, 3],
  ] as const) {
    const list = listOf(rowsOf(40))
    const ids = (await collect(recordsOf(pagesOf(list.ask, {}), limit))).map(row => (row as Row).id)
    expect([limit, ids, list.asked.length]).toEqual([limit, rowsOf(Math.min(limit, 40)).map(({ id }) => id), requests])
  }
})
