import { defaultSortOrder } from '../../shared/contract/schema/wine-query.ts'
import { parseFields, parseFilter, parseQuery, parseSortOrder } from '../support/search-parameters.ts'

const rulesOf = ({ problems = [] }: { problems?: { path: string; rule: string }[] }) =>
  problems.map(({ path, rule }) => `${path} ${rule}`)

describe('query', () => {
  test.each([
    [undefined],
    [null],
    [''],
    [[]],
    [{}],
    [{ name: '' }],
    [{ name: null, categoryIds: null }],
  ])('%j is no query', input => {
    expect(parseQuery(input)).toEqual({ value: undefined })
  })

  test('a text is folded and not trimmed', () => {
    expect(parseQuery(' Weiß ').value).toEqual({ anywhere: ' weiss ' })
  })

  test('a number is searched as its text', () => {
    expect(parseQuery(2021).value).toEqual({ anywhere: '2021' })
  })

  test('200 characters are allowed, also where each takes two code units', () => {
    expect(parseQuery('🍷'.repeat(200)).value).toEqual({ anywhere: '🍷'.repeat(200) })
    expect(rulesOf(parseQuery('🍷'.repeat(201)))).toEqual(['query max_length'])
    expect(rulesOf(parseQuery('a'.repeat(201)))).toEqual(['query max_length'])
    expect(rulesOf(parseQuery({ name: 'a'.repeat(201) }))).toEqual(['query.name max_length'])
  })

  test('an object gives a phrase for each field', () => {
    const input = { name: 'RIES', 'winery.name': 'Stein', winery: 'hof', vintage: 2021, shop: true, categoryIds: '5' }
    expect(parseQuery(input).value).toEqual({
      phrases: [
        { field: 'name', text: 'ries' },
        { field: 'winery.name', text: 'stein' },
        { field: 'winery.name', text: 'hof' },
        { field: 'vintage', text: '2021' },
        { field: 'shop', text: '1' },
        { field: 'categoryIds', id: 5 },
      ],
    })
  })

  test('every bad field is reported with its path', () => {
    const input = { colour: 'red', prices: '1', constructor: 'x', name: ['a'], categoryIds: '5abc', allergenIds: -1 }
    expect(rulesOf(parseQuery(input))).toEqual([
      'query.colour unknown_field',
      'query.prices unknown_field',
      'query.constructor unknown_field',
      'query.name type',
      'query.categoryIds type',
      'query.allergenIds type',
    ])
  })

  test('more than ten fields and other types are refused', () => {
    const fields = ['name', 'type', 'place', 'cap', 'gtin', 'hash', 'pdf', 'image', 'quality', 'acid', 'tax']
    expect(rulesOf(parseQuery(Object.fromEntries(fields.map(field => [field, 'a']))))).toEqual(['query max_fields'])
    expect(parseQuery(Object.fromEntries(fields.slice(1).map(field => [field, 'a']))).problems).toBeUndefined()
    expect(rulesOf(parseQuery(['riesling']))).toEqual(['query type'])
  })

  test('a long unknown key is cut in the path', () => {
    expect(parseQuery({ ['x'.repeat(9000)]: 'a' }).problems?.[0]?.path).toBe(`query.${'x'.repeat(100)}`)
  })
})

describe('filter', () => {
  test.each([[undefined], [null], [[]], [{}]])('%j holds no condition', input => {
    expect(parseFilter(input)).toEqual({ value: [] })
  })

  test('flags are 0, 1, their texts and booleans', () => {
    const keys = [0, 1, '0', '1', false, true].map(shop => parseFilter({ shop }).value?.[0]?.keys)
    expect(keys).toEqual([[0], [1], [0], [1], [0], [1]])
    expect(rulesOf(parseFilter({ shop: 2, bio: 'true' }))).toEqual(['filter.shop type', 'filter.bio type'])
  })

  test('numbers may be numeric texts, and null is a value of every field', () => {
    const filter = { vintage: ['2021', 2022, null], bottlesize: '0.750', region: '1002', type: null, quality: 5 }
    expect(parseFilter(filter).value).toEqual([
      { field: 'vintage', keys: [2021, 2022, null] },
      { field: 'bottlesize', keys: [0.75] },
      { field: 'region', keys: [1002] },
      { field: 'type', keys: [null] },
      { field: 'quality', keys: ['5'] },
    ])
  })

  test.each([['12abc'], ['1e3'], [1.5], [-1], [0], [''], [2 ** 53], [true], [{}]])('%j is no id', winery_id => {
    expect(rulesOf(parseFilter({ winery_id }))).toEqual(['filter.winery_id type'])
  })

  test('the first bad value of a list is pointed at', () => {
    expect(rulesOf(parseFilter({ categoryIds: [1, '2', 'x', 'y'] }))).toEqual(['filter.categoryIds.2 type'])
  })

  test('a list of more than a thousand values is refused before any of them is looked at', () => {
    expect(rulesOf(parseFilter({ grapetypeIds: Array(1000).fill(1) }))).toEqual([])
    expect(rulesOf(parseFilter({ grapetypeIds: Array(120_000).fill('x') }))).toEqual(['filter.grapetypeIds max_items'])
  })

  test('fields that cannot be filtered are reported', () => {
    const problems = ['filter.name unknown_field', 'filter.gross unknown_field', 'filter.toString unknown_field']
    expect(rulesOf(parseFilter({ name: 'a', gross: 1, toString: 1 }))).toEqual(problems)
  })

  test('more than twenty fields and other types are refused', () => {
    const fields = Array.from({ length: 21 }, (_, number) => [`f${number}`, 1])
    expect(rulesOf(parseFilter(Object.fromEntries(fields)))).toEqual(['filter max_fields'])
    expect(rulesOf(parseFilter('shop'))).toEqual(['filter type'])
    expect(rulesOf(parseFilter(['shop']))).toEqual(['filter type'])
  })
})

describe('fields of getFilters', () => {
  test('each field is named once', () => {
    expect(parseFields(['type', 'categoryIds', 'type']).value).toEqual(['type', 'categoryIds'])
    expect(parseFields([]).value).toEqual([])
  })

  test('unknown names and other types are reported', () => {
    expect(rulesOf(parseFields(['type', 'name', 3]))).toEqual(['filter.1 unknown_field', 'filter.2 unknown_field'])
    expect(rulesOf(parseFields('type'))).toEqual(['filter type'])
    expect(rulesOf(parseFields(undefined))).toEqual(['filter type'])
    expect(rulesOf(parseFields(Array(100).fill('type')))).toEqual(['filter max_fields'])
  })
})

describe('orderBy', () => {
  test.each([[undefined], [null], ['']])('%j means the latest changes first, then by name', input => {
    expect(parseSortOrder(input).value).toEqual(defaultSortOrder)
    expect(parseSortOrder('chstamp DESC, name ASC').value).toEqual(defaultSortOrder)
  })

  test('directions may be left out or written in any case', () => {
    expect(parseSortOrder(' topseller desc ,sorting,  gross   Asc').value).toEqual([
      { field: 'topseller', descending: true },
      { field: 'sorting', descending: false },
      { field: 'gross', descending: false },
    ])
  })

  test.each([
    ['colour'],
    ['name UP'],
    ['name ASC DESC'],
    ['prices'],
    ['categoryIds'],
    ['winery.name'],
    ['Name'],
    [' '],
  ])('the term %j is refused', term => {
    expect(rulesOf(parseSortOrder(`id,${term}`))).toEqual(['orderBy.1 sort_term'])
  })

  test('more than five terms and other types are refused', () => {
    expect(parseSortOrder('id,id,id,id,id').value).toHaveLength(5)
    expect(rulesOf(parseSortOrder('id,id,id,id,id,id'))).toEqual(['orderBy max_terms'])
  })

  test('a field that is named in both directions is refused, in one direction it may be repeated', () => {
    expect(rulesOf(parseSortOrder('name ASC, id, name DESC'))).toEqual(['orderBy one_direction'])
    expect(parseSortOrder('id desc, id DESC').value).toHaveLength(2)
    expect(rulesOf(parseSortOrder(['id']))).toEqual(['orderBy type'])
  })
})
