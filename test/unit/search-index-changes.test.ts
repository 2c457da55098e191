import { type IndexedWine, rowOf } from '../../shared/search/row.ts'
import { maxBuffered, SearchIndex } from '../../shared/search/search-index.ts'
import { buildSegment, liveSegment } from '../../shared/search/segment.ts'
import { sortingOf } from '../../shared/search/sorting.ts'
import { chanceOf, wineOf } from '../support/indexed-wines.ts'
import { parseQuery, parseSortOrder } from '../support/search-parameters.ts'

const named = (id: number, name: string): IndexedWine => ({ id, name })
const idsWith = (index: SearchIndex, query: string) =>
  index.search({ query: parseQuery(query).value, order: parseSortOrder('id').value }).ids

/** Two indexes of wines by name, numbered from 1: in the memtable, and in a segment. */
const bothOf = (...names: string[]): SearchIndex[] => {
  const [waiting, settled] = [new SearchIndex(), new SearchIndex()]
  for (const index of [waiting, settled]) {
    index.apply(names.map((name, n) => ({ version: n + 1, wine: named(n + 1, name) })))
  }
  settled.compact()
  return [waiting, settled]
}

test('a changed wine is found by its new text only', () => {
  for (const index of bothOf('old', 'old')) {
    index.apply([{ version: 9, wine: named(1, 'new') }])
    expect([idsWith(index, 'old'), idsWith(index, 'new')]).toEqual([[2], [1]])
    expect([index.size, index.version]).toEqual([2, 9])
  }
})

test('a removed wine is gone, and may come back', () => {
  for (const index of bothOf('a', 'a')) {
    index.apply([{ version: 9, id: 2, removed: true }])
    expect([idsWith(index, 'a'), index.size, index.version]).toEqual([[1], 1, 9])
    index.apply([{ version: 10, wine: named(2, 'a') }])
    expect([idsWith(index, 'a'), index.size]).toEqual([[1, 2], 2])
  }
})

test('the number of all wines is right after each change, also when it was cached before', () => {
  for (const index of bothOf('a', 'b', 'c')) {
    const all = () => {
      const { total, ids } = index.search({ order: parseSortOrder('id').value })
      return [total, ids]
    }
    expect(all()).toEqual([3, [1, 2, 3]])
    index.apply([{ version: 9, id: 2, removed: true }])
    expect(all()).toEqual([2, [1, 3]])
    index.apply([{ version: 10, wine: named(3, 'd') }])
    expect(all()).toEqual([2, [1, 3]])
    index.compact()
    expect(all()).toEqual([2, [1, 3]])
    index.apply([{ version: 11, wine: named(2, 'b') }])
    expect(all()).toEqual([3, [1, 2, 3]])
  }
})

test('no text matches across two fields of a wine, not even the separator in memory', () => {
  for (const index of bothOf('a\0b', 'c')) {
    const found = (anywhere: string) => index.search({ query: { anywhere } }).ids
    expect([found('\0'), found('a\0b'), found('c\0'), found('\0\0')]).toEqual([[1], [1], [], []])
  }
})

test('removing an unknown wine only moves the version', () => {
  const index = new SearchIndex()
  index.apply([{ version: 3, id: 5, removed: true }])
  expect([index.size, index.version, index.search({})]).toEqual([0, 3, { total: 0, ids: [] }])
})

test('of one wine the highest version wins, in whatever order changes arrive', () => {
  const index = new SearchIndex()
  index.apply([{ version: 8, wine: named(1, 'late') }])
  index.apply([{ version: 7, wine: named(1, 'early') }])
  index.compact()
  index.apply([{ version: 6, wine: named(1, 'early') }])
  index.apply([{ version: 5, wine: named(2, 'other') }])
  expect([idsWith(index, 'late'), idsWith(index, 'early'), idsWith(index, 'other')]).toEqual([[1], [], [2]])
  expect(index.version).toBe(8)
})

test('an older change does not restore a removed wine, not even after compaction', () => {
  const index = new SearchIndex()
  index.apply([
    { version: 1, wine: named(1, 'a') },
    { version: 3, id: 1, removed: true },
  ])
  index.compact()
  index.apply([{ version: 2, wine: named(1, 'a') }])
  expect(index.size).toBe(0)
})

test('repeating changes has no effect', () => {
  const index = new SearchIndex()
  const changes = [1, 2, 3].map(id => ({ version: 4, wine: named(id, 'a') }))
  for (let time = 0; time < 3; time++) index.apply(changes)
  expect([index.size, idsWith(index, 'a')]).toEqual([3, [1, 2, 3]])
})

test('many changes are compacted without changing the answers', () => {
  const index = new SearchIndex()
  const chance = chanceOf(7)
  const wines = Array.from({ length: 1200 }, (_, n) => wineOf(n + 1, chance))
  for (const [n, wine] of wines.entries()) index.apply([{ version: n, wine }])
  const before = index.search({ max: 100 })
  expect([index.size, before.total]).toEqual([1200, 1200])
  index.compact()
  expect(index.search({ max: 100 })).toEqual(before)
})

test('the memtable becomes a segment when it is full, and each change is found immediately and once', () => {
  const index = new SearchIndex()
  const texts = new Map<number, string>()
  const idsOf = (text: string) => [...texts].flatMap(([id, own]) => (own === text ? [id] : [])).sort((a, b) => a - b)
  const expectRight = () => {
    for (const text of ['waiting', 'changed', 'new']) expect(idsWith(index, text)).toEqual(idsOf(text))
    expect([index.size, index.search({}).total]).toEqual([texts.size, texts.size])
  }
  let version = 0
  const write = (id: number, text: string) => {
    texts.set(id, text)
    index.apply([{ version: ++version, wine: named(id, text) }])
  }
  const change = (turns: number) => {
    for (let n = 0; n < turns; n++) {
      const id = 1 + ((n * 7) % (maxBuffered + 10))
      if (n % 5 === 4) {
        texts.delete(id)
        index.apply([{ version: ++version, id, removed: true }])
      } else write(id, n % 2 === 0 ? 'changed' : 'new')
      if (n % 20 === 0) expectRight()
    }
  }
  for (let id = 1; id <= maxBuffered; id++) write(id, 'waiting')
  change(200)
  expect(index.pieces).toBe(0)
  for (let id = 1; id <= maxBuffered + 1; id++) write(id, 'waiting')
  expect(index.pieces).toBe(1)
  expectRight()
  change(200)
  index.compact()
  expectRight()
})

test('the memory estimate grows with the wines and shrinks with removals', () => {
  const index = new SearchIndex()
  const empty = index.bytes
  index.apply([{ version: 1, wine: named(1, 'a'.repeat(5000)) }])
  const full = index.bytes
  index.apply([{ version: 2, id: 1, removed: true }])
  expect(full).toBeGreaterThan(empty + 5000)
  expect(index.bytes).toBeLessThan(full - 5000)
})

test('the last page of a sorted list walks through the largest segment once, whatever other segments there are', () => {
  const order = parseSortOrder('sorting').value ?? []
  const segmentOf = (from: number, count: number) =>
    buildSegment(Array.from({ length: count }, (_, n) => rowOf({ id: from + n, sorting: from + n }, 1)))
  const [main, beside] = [segmentOf(1, 1000), segmentOf(500, 300)]
  const sorting = sortingOf(main, order)
  let looked = 0
  if (sorting) {
    sorting.rows = new Proxy(sorting.rows, {
      get: (rows, place) => {
        looked++
        return Reflect.get(rows, place)
      },
    })
  }
  const index = new SearchIndex([liveSegment(main), liveSegment(beside)])
  expect(index.search({ order, start: 1299, max: 1 })).toEqual({ total: 1300, ids: [1000] })
  // A search among them for each of the 300, and the walk.
  expect(looked).toBeLessThan(300 * 12 + 3 * 1000)
})
