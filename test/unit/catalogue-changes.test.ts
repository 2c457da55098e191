import type { IndexedWine } from '../../shared/wines/search/engine/row.ts'
import { createSearchIndex, type SearchIndex } from '../../shared/wines/search/engine/search-index.ts'
import { chanceOf, wineOf } from '../support/catalogue-wines.ts'
import { parseQuery, parseSortOrder } from '../support/search-parameters.ts'

const named = (id: number, name: string): IndexedWine => ({ id, name })
const idsWith = (catalogue: SearchIndex, query: string) =>
  catalogue.search({ query: parseQuery(query).value, order: parseSortOrder('id').value }).ids

/** Catalogues of wines by name, numbered from 1: waiting beside an empty base, and settled into it. */
const bothOf = (...names: string[]): SearchIndex[] => {
  const [waiting, settled] = [createSearchIndex(), createSearchIndex()]
  for (const catalogue of [waiting, settled]) {
    catalogue.apply(names.map((name, index) => ({ version: index + 1, wine: named(index + 1, name) })))
  }
  settled.settle()
  return [waiting, settled]
}

test('a changed wine is found by its new text only', () => {
  for (const catalogue of bothOf('old', 'old')) {
    catalogue.apply([{ version: 9, wine: named(1, 'new') }])
    expect([idsWith(catalogue, 'old'), idsWith(catalogue, 'new')]).toEqual([[2], [1]])
    expect([catalogue.size, catalogue.version]).toEqual([2, 9])
  }
})

test('a removed wine is gone, and may come back', () => {
  for (const catalogue of bothOf('a', 'a')) {
    catalogue.apply([{ version: 9, id: 2, removed: true }])
    expect([idsWith(catalogue, 'a'), catalogue.size, catalogue.version]).toEqual([[1], 1, 9])
    catalogue.apply([{ version: 10, wine: named(2, 'a') }])
    expect([idsWith(catalogue, 'a'), catalogue.size]).toEqual([[1, 2], 2])
  }
})

test('removing an unknown wine only moves the version', () => {
  const catalogue = createSearchIndex()
  catalogue.apply([{ version: 3, id: 5, removed: true }])
  expect([catalogue.size, catalogue.version, catalogue.search({})]).toEqual([0, 3, { total: 0, ids: [] }])
})

test('of one wine the highest version wins, in whatever order changes arrive', () => {
  const catalogue = createSearchIndex()
  catalogue.apply([{ version: 8, wine: named(1, 'late') }])
  catalogue.apply([{ version: 7, wine: named(1, 'early') }])
  catalogue.settle()
  catalogue.apply([{ version: 6, wine: named(1, 'early') }])
  catalogue.apply([{ version: 5, wine: named(2, 'other') }])
  expect([idsWith(catalogue, 'late'), idsWith(catalogue, 'early'), idsWith(catalogue, 'other')]).toEqual([[1], [], [2]])
  expect(catalogue.version).toBe(8)
})

test('an older change does not bring a removed wine back, not even after settling', () => {
  const catalogue = createSearchIndex()
  catalogue.apply([
    { version: 1, wine: named(1, 'a') },
    { version: 3, id: 1, removed: true },
  ])
  catalogue.settle()
  catalogue.apply([{ version: 2, wine: named(1, 'a') }])
  expect(catalogue.size).toBe(0)
})

test('repeating changes has no effect', () => {
  const catalogue = createSearchIndex()
  const changes = [1, 2, 3].map(id => ({ version: 4, wine: named(id, 'a') }))
  for (let time = 0; time < 3; time++) catalogue.apply(changes)
  expect([catalogue.size, idsWith(catalogue, 'a')]).toEqual([3, [1, 2, 3]])
})

test('many changes settle by themselves and leave the answers as they were', () => {
  const catalogue = createSearchIndex()
  const chance = chanceOf(7)
  const wines = Array.from({ length: 1200 }, (_, index) => wineOf(index + 1, chance))
  for (const [index, wine] of wines.entries()) catalogue.apply([{ version: index, wine }])
  const before = catalogue.search({ max: 100 })
  expect([catalogue.size, before.total]).toEqual([1200, 1200])
  catalogue.settle()
  expect(catalogue.search({ max: 100 })).toEqual(before)
})

test('the memory estimate grows with the wines and shrinks with removals', () => {
  const catalogue = createSearchIndex()
  const empty = catalogue.bytes
  catalogue.apply([{ version: 1, wine: named(1, 'a'.repeat(5000)) }])
  const full = catalogue.bytes
  catalogue.apply([{ version: 2, id: 1, removed: true }])
  expect(full).toBeGreaterThan(empty + 5000)
  expect(catalogue.bytes).toBeLessThan(full - 5000)
})
