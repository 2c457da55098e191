import { filterFields } from '../../shared/contract/records/wine-fields.ts'
import { type Change, SearchIndex } from '../../shared/search/search-index.ts'
import { chanceOf, wineOf } from '../support/indexed-wines.ts'
import { restored } from '../support/restored-index.ts'
import { distinctByScan, searchByScan } from '../support/search-oracle.ts'
import { parseFilter, parseQuery } from '../support/search-parameters.ts'

const chance = chanceOf(20261122)
const wines = Array.from({ length: 300 }, (_, n) => wineOf(n + 1, chance))
const added = wines.map((wine, version): Change => ({ version, wine }))

// Rows in the base, rows that replaced some of it, and waiting rows.
const index = new SearchIndex()
index.apply(wines.slice(0, 200).map((_, version): Change => ({ version, wine: wineOf(version + 1, chance) })))
index.compact()
index.apply(added.slice(100).map(change => ({ ...change, version: change.version + 1000 })))
index.apply(added.slice(0, 100).map(change => ({ ...change, version: change.version + 2000 })))

const asked = [
  {},
  { filter: { type: ['red', 'white'], bio: 1 } },
  { filter: { grapetypeIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] } },
  { query: 'a', filter: { countrycode: 'de' }, flags: { shop: 1 as const } },
]

test.each(asked)('each value counts what a search narrowed by it finds: %j', ({ query, filter = {}, flags }) => {
  const wanted = { query: parseQuery(query).value, filter: parseFilter(filter).value, ...(flags && { flags }) }
  for (const searched of [index, restored(index)]) {
    const counted = searched.counts(filterFields, wanted)
    for (const field of filterFields) {
      // Where the filter names the field itself, narrowing by one value would widen it.
      if (field in filter) continue
      const narrowed = (value: unknown) =>
        searchByScan(wines, {
          ...(query !== undefined && { query }),
          ...(flags && { flags }),
          filter: { ...filter, [field]: value },
          start: 0,
          max: 0,
        }).total
      expect([field, counted[field]]).toEqual([field, counted[field]?.map(([value]) => [value, narrowed(value)])])
    }
  }
})

test('the counted values are the distinct values, in their order', () => {
  const counted = index.counts(filterFields)
  const distinct = Object.fromEntries(filterFields.map(field => [field, distinctByScan(wines, field, {})]))
  const values = Object.entries(counted).map(([field, pairs]) => [field, pairs.map(([value]) => value)])
  expect(Object.fromEntries(values)).toEqual(distinct)
})

test('amounts that are written in two ways are counted together, as a filter finds them', () => {
  const sizes = new Map(index.counts(['bottlesize']).bottlesize)
  const inLitres = (text: string) => wines.filter(({ bottlesize }) => Number(bottlesize) === Number(text)).length
  expect([sizes.get('0.750'), sizes.get('0.75')]).toEqual([inLitres('0.75'), inLitres('0.75')])
})
