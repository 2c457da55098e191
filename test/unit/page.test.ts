import {
  BoundedRecords,
  boundedPage,
  offsetOf,
  pageOf,
  wholeList,
  wholePage,
} from '../../shared/contract/schema/lists.ts'

const record = (id: number, bytes: number) => ({ id, text: 'ü'.repeat(bytes / 2) })
const ids = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id)

describe('a list that comes whole without a pageSize', () => {
  const rows = Array.from({ length: 5 }, (_, n) => record(n + 1, 600_000))

  test('ends where the response is full, and continues there', async () => {
    const first = await wholePage(rows, { page: 1 })
    expect([ids(first), first.totalCount, first.pages]).toEqual([
      ...[[1, 2, 3], 5],
      { current: 1, total: 1, size: 3, next: { start: 3 } },
    ])
    const rest = await wholePage(rows, { page: 1, start: 3 })
    expect([ids(rest), rest.pages.next]).toEqual([[4, 5], undefined])
  })

  test('has pages with one, and shows only the records of the page', async () => {
    const shown: number[] = []
    const show = (row: ReturnType<typeof record>) => {
      shown.push(row.id)
      return row
    }
    const page = await wholePage(rows, { page: 2, pageSize: 2 }, show)
    expect([ids(page), page.pages, shown]).toEqual([[3, 4], { current: 2, total: 3, size: 2 }, [3, 4]])
    expect((await wholePage([], { page: 1 })).pages).toEqual({ current: 1, total: 1, size: 1 })
  })
})

describe('a page of limited size', () => {
  const megabyte = 1_000_000
  let made = 0
  async function* records(count: number, bytes: number) {
    for (let id = 1; id <= count; id++) {
      made++
      yield record(id, bytes)
    }
  }
  beforeEach(() => {
    made = 0
  })

  test('contains all of its records if they fit', async () => {
    const page = await boundedPage({ page: 2, pageSize: 3 }, 8, records(3, 600_000))
    expect([ids(page), page.totalCount, page.pages]).toEqual([[1, 2, 3], 8, { current: 2, total: 3, size: 3 }])
  })

  test('ends before the record that would exceed the limit, in bytes, and makes no further records', async () => {
    const page = await boundedPage({ page: 2, pageSize: 10 }, 100, records(10, 0.4 * megabyte))
    expect(ids(page)).toEqual([1, 2, 3, 4])
    expect(page.pages).toEqual({ current: 2, total: 10, size: 4, next: { start: 14 } })
    expect(made).toBe(5)
  })

  test('contains one record of any size', async () => {
    const page = await boundedPage({ page: 1, pageSize: 2 }, 2, records(2, 3 * megabyte))
    expect([ids(page), page.pages]).toEqual([[1], { current: 1, total: 1, size: 1, next: { start: 1 } }])
    const last = await boundedPage({ page: 1, pageSize: 2, start: 1 }, 2, [record(2, 3 * megabyte)])
    expect([ids(last), last.pages]).toEqual([[2], { current: 1, total: 1, size: 2 }])
  })

  test('contains fewer records if the answer repeats them', async () => {
    const bounded = new BoundedRecords<{ id: number; text: string }>({ isRepeated: true })
    const page = await boundedPage({ page: 1, pageSize: 10 }, 10, records(10, 0.4 * megabyte), bounded)
    expect([ids(page), page.pages.next]).toEqual([[1, 2, 3], { start: 3 }])
  })

  test('contains no record after one that was left out, however small', () => {
    const bounded = new BoundedRecords<object>()
    expect([bounded.add(record(1, megabyte)), bounded.add(record(2, 1.5 * megabyte)), bounded.add({})]).toEqual([
      true,
      false,
      false,
    ])
    expect([bounded.data.length, bounded.isFull]).toEqual([1, true])
  })

  test('is made of a plain list, too', async () => {
    const page = await boundedPage({ page: 1, pageSize: 16 }, 2, [record(1, 2), record(2, 2)])
    expect([ids(page), page.pages]).toEqual([[1, 2], { current: 1, total: 1, size: 16 }])
  })

  test.each([
    [{ start: 0 }, 5, { current: 1, total: 4, size: 5, next: { start: 5 } }],
    [{ start: 7 }, 5, { current: 2, total: 4, size: 5, next: { start: 12 } }],
    [{ start: 15 }, 5, { current: 4, total: 4, size: 5 }],
    [{ start: 18 }, 2, { current: 4, total: 4, size: 5 }],
    [{ start: 900 }, 0, { current: 181, total: 4, size: 5 }],
  ])('from %j on names the start of the next page, until the end', async (start, count, pages) => {
    expect((await boundedPage({ page: 3, pageSize: 5, ...start }, 20, records(count, 2))).pages).toEqual(pages)
  })
})

test('the number of records before a page follows from its number, or is given', () => {
  expect(offsetOf({ page: 3, pageSize: 16 })).toBe(32)
  expect(offsetOf({ page: 3, pageSize: 16, start: null })).toBe(32)
  expect(offsetOf({ page: 3, pageSize: 16, start: 0 })).toBe(0)
})

test('a whole list is one page', () => {
  expect(wholeList(['a', 'b']).pages).toEqual({ current: 1, total: 1, size: 2 })
  expect(wholeList([]).pages).toEqual({ current: 1, total: 1, size: 1 })
  expect(pageOf([1], 33, 3, 16)).toEqual({ data: [1], totalCount: 33, pages: { current: 3, total: 3, size: 16 } })
})
