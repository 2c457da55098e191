import type { IndexedWine } from '../../shared/search/row.ts'
import { type Search, SearchIndex } from '../../shared/search/search-index.ts'
import { parseFields, parseFilter, parseQuery, parseSortOrder } from '../support/search-parameters.ts'

type Asked = Omit<Search, 'query' | 'filter' | 'order' | 'page'> & {
  query?: unknown
  filter?: unknown
  orderBy?: string
}

/** Indexes of wines numbered from 1: with all wines waiting, and with all in the base. */
const indexesOf = (wines: Partial<IndexedWine>[]): SearchIndex[] => {
  const [waiting, settled] = [new SearchIndex(), new SearchIndex()]
  for (const index of [waiting, settled]) {
    index.apply(wines.map((wine, n) => ({ version: n + 1, wine: { id: n + 1, ...wine } })))
  }
  settled.compact()
  return [waiting, settled]
}

const find = (wines: Partial<IndexedWine>[], { query, filter, orderBy = 'id', ...rest }: Asked): number[] => {
  const parsed = {
    query: parseQuery(query).value,
    filter: parseFilter(filter).value,
    order: parseSortOrder(orderBy).value,
  }
  const [waiting, settled] = indexesOf(wines).map(index => index.search({ ...parsed, ...rest }))
  expect(settled).toEqual(waiting)
  expect(settled?.total).toBe(settled?.ids.length)
  return settled?.ids ?? []
}

const winery = (name: string) => ({ name }) as IndexedWine['winery']

describe('a query as text', () => {
  test.each([
    ['name'],
    ['articlenumber'],
    ['type'],
    ['place'],
    ['description'],
    ['countrycode'],
    ['quality'],
    ['quality_note'],
    ['path_segment'],
    ['gtin'],
    ['terroir'],
    ['maturation'],
  ])('%s is searched', field => {
    expect(find([{ [field]: 'Schwarzriesling' }, { [field]: 'Silvaner' }], { query: 'RIES' })).toEqual([1])
  })

  test('vintage and winery name are searched', () => {
    expect(find([{ vintage: 2021 }, { winery: winery('Hof 2021') }, { vintage: 2022 }], { query: '2021' })).toEqual([
      1, 2,
    ])
  })

  test.each([['bottling_type'], ['cap'], ['language'], ['image'], ['hash']])('%s is not searched', field => {
    expect(find([{ [field]: 'Riesling' }], { query: 'riesling' })).toEqual([])
  })

  test('case and spelling of ß do not matter, accents do', () => {
    const wines = [{ name: 'Weißburgunder' }, { name: 'WEISSBURGUNDER' }, { name: 'Müller' }, { name: 'Muller' }]
    expect(find(wines, { query: 'WEIẞB' })).toEqual([1, 2])
    expect(find(wines, { query: 'Mu\u0308ll' })).toEqual([3])
    expect(find(wines, { query: 'mull' })).toEqual([4])
  })

  test('a phrase may span words, but neither fields nor wines', () => {
    const wines = [{ name: 'Alter Berg', articlenumber: 'a1' }, { name: 'Rotling' }]
    expect(find(wines, { query: 'er be' })).toEqual([1])
    expect(find(wines, { query: 'berga1' })).toEqual([])
    expect(find(wines, { query: 'berg\u001fa1' })).toEqual([])
    expect(find(wines, { query: 'a1\u001erotling' })).toEqual([])
    expect(find(wines, { query: 'al\u001fter' })).toEqual([])
    expect(find(wines, { query: '\u001e' })).toEqual([])
  })
})

describe('a query as object', () => {
  test('every field must contain its own phrase', () => {
    const wines = [{ name: 'Riesling', place: 'Zell' }, { name: 'Riesling' }, { name: 'Zell', place: 'Riesling' }]
    expect(find(wines, { query: { name: 'ries', place: 'ELL' } })).toEqual([1])
    expect(find(wines, { query: { place: 'ries' } })).toEqual([3])
  })

  test('fields outside the string query are compared by their text on the wire', () => {
    const wines = [
      { cap: 'screw', gross: '12.50', shop: 1 as const, region: 1002 },
      { cap: 'cork', gross: '2.05' },
    ]
    expect(find(wines, { query: { cap: 'SCR' } })).toEqual([1])
    expect(find(wines, { query: { gross: '2.' } })).toEqual([1, 2])
    expect(find(wines, { query: { shop: true, region: 100 } })).toEqual([1])
    expect(find(wines, { query: { shop: 'null' } })).toEqual([])
  })

  test('an id list must contain exactly that id', () => {
    const wines = [{ categoryIds: [1, 12] }, { categoryIds: [2] }, {}]
    expect(find(wines, { query: { categoryIds: '12' } })).toEqual([1])
    expect(find(wines, { query: { categoryIds: 2 } })).toEqual([2])
  })

  test('the winery is searched by its name', () => {
    expect(find([{ winery: winery('Weingut Stein') }, { name: 'Stein' }], { query: { winery: 'stein' } })).toEqual([1])
  })
})

describe('filter', () => {
  test('a list matches any of its values, several fields must all match', () => {
    const wines = [{ type: 'red', vintage: 2020 }, { type: 'rose', vintage: 2020 }, { type: 'white' }]
    expect(find(wines, { filter: { type: ['red', 'rose'] } })).toEqual([1, 2])
    expect(find(wines, { filter: { type: ['red', 'white'], vintage: '2020' } })).toEqual([1])
    expect(find(wines, { filter: { type: [] } })).toEqual([])
  })

  test('text equality is exact', () => {
    const wines = [{ place: 'Zell' }, { place: 'zell' }, { place: 'Zell an der Mosel' }]
    expect(find(wines, { filter: { place: 'Zell' } })).toEqual([1])
  })

  test('bottle sizes are compared as numbers', () => {
    const wines = [{ bottlesize: '0.750' }, { bottlesize: '0.75' }, { bottlesize: '1.500' }]
    expect(find(wines, { filter: { bottlesize: 0.75 } })).toEqual([1, 2])
    expect(find(wines, { filter: { bottlesize: '1.5' } })).toEqual([3])
  })

  test('null matches a missing value and an empty list', () => {
    const wines = [{ vintage: null, categoryIds: [] }, {}, { vintage: 2020, categoryIds: [1] }]
    expect(find(wines, { filter: { vintage: null } })).toEqual([1, 2])
    expect(find(wines, { filter: { categoryIds: [null, 7] } })).toEqual([1, 2])
    expect(find(wines, { filter: { vintage: [null, 2020] } })).toEqual([1, 2, 3])
  })

  test('an id list matches by any of its ids', () => {
    const wines = [{ grapetypeIds: [1, 2] }, { grapetypeIds: [3] }, { grapetypeIds: [4] }]
    expect(find(wines, { filter: { grapetypeIds: [2, '3'] } })).toEqual([1, 2])
  })

  test('flags of the route are added to the filter', () => {
    const wines = [
      { shop: 1, active: 1 },
      { shop: 1, active: 0 },
      { shop: 0, active: 1 },
    ] as Partial<IndexedWine>[]
    expect(find(wines, { filter: { shop: true }, flags: { active: 1 } })).toEqual([1])
  })
})

describe('order', () => {
  test('text follows German collation', () => {
    const wines = ['Zell', 'Öl', 'Ofen', 'apfel', 'Äpfel', 'Apfel', '10', '9'].map(name => ({ name }))
    expect(find(wines, { orderBy: 'name' })).toEqual([7, 8, 4, 6, 5, 3, 2, 1])
  })

  test('decimal texts are ordered by amount', () => {
    const wines = ['9.50', '10.00', '100.00', '9.05'].map(gross => ({ gross }))
    expect(find(wines, { orderBy: 'gross' })).toEqual([4, 1, 2, 3])
  })

  test('null comes last in ascending and first in descending order', () => {
    const wines = [{ vintage: null }, { vintage: 2021 }, {}, { vintage: 2020 }]
    expect(find(wines, { orderBy: 'vintage' })).toEqual([4, 2, 1, 3])
    expect(find(wines, { orderBy: 'vintage DESC' })).toEqual([1, 3, 2, 4])
  })

  test('ties are ordered by ascending id in both directions, also between names that collate alike', () => {
    const wines = [{ name: 'xy' }, { name: 'x\u0001y' }, { name: 'xy' }]
    expect(find(wines, { orderBy: 'name' })).toEqual([1, 2, 3])
    expect(find(wines, { orderBy: 'name DESC' })).toEqual([1, 2, 3])
  })

  test('without an order the latest change is first, then the name', () => {
    const stamps = ['2024-01-01 10:00:00', '2024-01-02 10:00:00', '2024-01-02 10:00:00']
    const index = indexesOf(stamps.map((chstamp, n) => ({ chstamp, name: 'abc'[2 - n] })))[1]
    expect(index?.search({}).ids).toEqual([3, 2, 1])
  })
})

describe('slices', () => {
  const wines = Array.from({ length: 10 }, () => ({ type: 'red' }))
  const order = parseSortOrder('id DESC').value

  test.each<[Search, number[]]>([
    [{ page: 1, pageSize: 4 }, [10, 9, 8, 7]],
    [{ page: 3, pageSize: 4 }, [2, 1]],
    [{ page: 4, pageSize: 4 }, []],
    [{ start: 2, max: 3 }, [8, 7, 6]],
    [{ start: 8 }, [2, 1]],
    [{ max: 2 }, [10, 9]],
    [{ max: 0 }, []],
  ])('%j gives the wines %j of all ten', (slice, ids) => {
    for (const index of indexesOf(wines)) {
      expect(index.search({ order, ...slice })).toEqual({ total: 10, ids })
    }
  })
})

describe('distinct values', () => {
  const wines = [
    { type: 'white', bottlesize: '10.000', shop: 1, categoryIds: [12, 2], place: 'Zell' },
    { type: 'Äpfel', bottlesize: '0.750', shop: 0, categoryIds: [2], place: null },
    { type: 'red', bottlesize: '1.500', shop: 1, categoryIds: [], place: 'Ürzig' },
  ] as Partial<IndexedWine>[]

  test('they are sorted by collation or amount, without null, lists flattened', () => {
    const fields = parseFields(['type', 'bottlesize', 'categoryIds', 'place', 'vintage']).value ?? []
    for (const index of indexesOf(wines)) {
      expect(index.distinct(fields)).toEqual({
        type: ['Äpfel', 'red', 'white'],
        bottlesize: ['0.750', '1.500', '10.000'],
        categoryIds: [2, 12],
        place: ['Ürzig', 'Zell'],
        vintage: [],
      })
    }
  })

  test('a filter limits the wines that they come from', () => {
    for (const index of indexesOf(wines)) {
      expect(index.distinct(['type'], { filter: parseFilter({ shop: 1 }).value })).toEqual({ type: ['red', 'white'] })
    }
  })
})
