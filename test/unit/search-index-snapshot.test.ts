import fc from 'fast-check'
import { filterFields } from '../../shared/contract/records/wine-fields.ts'
import { listAt, valueAt } from '../../shared/wines/search/engine/columns.ts'
import { eachTerm, type Lexicon } from '../../shared/wines/search/engine/lexicon.ts'
import { createSearchIndex, type SearchIndex } from '../../shared/wines/search/engine/search-index.ts'
import { packSnapshot, unpackSnapshot } from '../../shared/wines/search/engine/snapshot-format.ts'
import { textAt } from '../../shared/wines/search/engine/vocabulary.ts'
import { chanceOf, wineOf } from '../support/indexed-wines.ts'
import { parseSortOrder } from '../support/search-parameters.ts'

const filled = (count: number): SearchIndex => {
  const index = createSearchIndex()
  const chance = chanceOf(count)
  const wines = Array.from({ length: count }, (_, n) => wineOf(3 * n + 1, chance))
  index.apply(wines.map((wine, n) => ({ version: 2 ** 40 + n, wine })))
  return index
}

/** A wine's texts as its terms have them. */
const textOf = (lexicon: Lexicon, row: number): string[] => {
  const slots: string[] = []
  eachTerm(lexicon, row, term => {
    const slot = lexicon.slots[term] as number
    slots[slot] = (slots[slot] ?? '') + textAt(lexicon.terms, term).toString()
  })
  return slots
}

/** Everything an index knows, wine by wine. */
const contentOf = (index: SearchIndex) => {
  const { ids, versions, lexicon, columns, lists } = index.settle()
  return Array.from(ids, (id, row) => ({
    id,
    version: versions[row],
    text: textOf(lexicon, row),
    values: columns.map(column => valueAt(column, row)),
    ids: lists.map(list => listAt(list, row)),
  }))
}

test.each([[0], [1], [255], [257], [900]])('an index of %i wines comes back exactly', count => {
  const index = filled(count)
  const before = { content: contentOf(index), distinct: index.distinct([...filterFields]) }
  const restored = unpackSnapshot(packSnapshot(index)) as SearchIndex
  expect([restored.size, restored.version]).toEqual([count, index.version])
  expect({ content: contentOf(restored), distinct: restored.distinct([...filterFields]) }).toEqual(before)
  expect(contentOf(index)).toEqual(before.content)
  for (const orderBy of [undefined, 'description DESC', 'gross, hash']) {
    const order = parseSortOrder(orderBy).value
    expect(restored.search({ order })).toEqual(index.search({ order }))
  }
})

test('a restored index packs to the same bytes', () => {
  const snapshot = packSnapshot(filled(400))
  expect(packSnapshot(unpackSnapshot(snapshot) as SearchIndex).equals(snapshot)).toBe(true)
})

test('waiting changes are part of the snapshot', () => {
  const index = filled(20)
  index.settle()
  index.apply([
    { version: 2 ** 41, wine: { id: 2, name: 'new' } },
    { version: 2 ** 41 + 1, id: 1, removed: true },
  ])
  const restored = unpackSnapshot(packSnapshot(index)) as SearchIndex
  expect([restored.size, restored.version]).toEqual([20, 2 ** 41 + 1])
  expect(restored.search({}).ids).toEqual(index.search({}).ids)
})

test('a restored index ignores changes older than what it holds', () => {
  const restored = unpackSnapshot(packSnapshot(filled(5))) as SearchIndex
  const before = contentOf(restored)
  restored.apply([{ version: 1, wine: { id: 1, name: 'stale' } }])
  expect(contentOf(restored)).toEqual(before)
})

test('a snapshot is read whatever the alignment of its bytes', () => {
  const snapshot = packSnapshot(filled(30))
  const shifted = Buffer.concat([Buffer.alloc(3), snapshot]).subarray(3)
  expect(contentOf(unpackSnapshot(shifted) as SearchIndex)).toEqual(contentOf(filled(30)))
})

describe('a snapshot is refused', () => {
  const snapshot = packSnapshot(filled(300))

  test('when any byte differs', () => {
    fc.assert(
      fc.property(fc.nat(snapshot.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const damaged = Buffer.from(snapshot)
        damaged[at] = (damaged[at] as number) ^ difference
        return unpackSnapshot(damaged) === undefined
      }),
    )
  })

  test('when it is cut off or continues', () => {
    for (const length of [0, 1, 15, 16, 17, snapshot.length >> 1, snapshot.length - 1]) {
      expect(unpackSnapshot(snapshot.subarray(0, length))).toBeUndefined()
    }
    expect(unpackSnapshot(Buffer.concat([snapshot, Buffer.alloc(1)]))).toBeUndefined()
  })

  test('when its layout or folding rule is another', () => {
    const other = Buffer.from(snapshot)
    other.writeUInt32LE((snapshot.readUInt32LE(4) + 1) >>> 0, 4)
    expect(unpackSnapshot(other)).toBeUndefined()
  })
})
