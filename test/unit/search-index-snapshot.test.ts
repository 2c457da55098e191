import { randomBytes } from 'node:crypto'
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import {
  type Line,
  packList,
  partOf,
  partRead,
  pieceName,
  pieceOf,
  readList,
} from '../../shared/catalogue/search/snapshot-pieces.ts'
import { filterFields, scalarFields } from '../../shared/contract/records/wine-fields.ts'
import { hasBit, noBits } from '../../shared/search/bits.ts'
import { listAt, valueAt } from '../../shared/search/columns.ts'
import { forEachTerm, type Lexicon } from '../../shared/search/lexicon.ts'
import { NotRead, PieceLost } from '../../shared/search/packed-parts.ts'
import { type Criteria, SearchIndex } from '../../shared/search/search-index.ts'
import { type LiveSegment, liveSegment, mergeSegments, type Segment } from '../../shared/search/segment.ts'
import { packSegment, unpackSegment } from '../../shared/search/snapshot-format.ts'
import { textAt } from '../../shared/search/vocabulary.ts'
import { chanceOf, wineOf } from '../support/indexed-wines.ts'
import { restored as restoredFrom } from '../support/restored-index.ts'
import { parseSortOrder } from '../support/search-parameters.ts'

const filled = (count: number): SearchIndex => {
  const index = new SearchIndex()
  const chance = chanceOf(count)
  const wines = Array.from({ length: count }, (_, n) => wineOf(3 * n + 1, chance))
  index.apply(wines.map((wine, n) => ({ version: 2 ** 40 + n, wine })))
  return index
}

const segmentOf = (count: number): Segment => (filled(count).compact()[0] as LiveSegment).segment

/** A wine's texts as its terms have them. */
const textOf = (lexicon: Lexicon, row: number): string[] => {
  const slots: string[] = []
  forEachTerm(lexicon, row, term => {
    const slot = lexicon.slots[term] as number
    slots[slot] = (slots[slot] ?? '') + textAt(lexicon.terms, term).toString()
  })
  return slots
}

/** Everything an index knows, wine by wine. */
const contentOf = (index: SearchIndex) =>
  index.compact().flatMap(({ segment: { ids, versions, lexicon, columns, lists }, tombstones }) =>
    Array.from(ids, (id, row) => ({
      id,
      isGone: hasBit(tombstones, row),
      version: versions[row],
      text: textOf(lexicon, row),
      values: columns.map(column => valueAt(column, row)),
      ids: lists.map(list => listAt(list, row)),
    })),
  )

test.each([[0], [1], [255], [257], [900]])('an index of %i wines comes back exactly', count => {
  const index = filled(count)
  const before = { content: contentOf(index), distinct: index.distinct([...filterFields]) }
  const restored = restoredFrom(index)
  expect([restored.size, restored.version]).toEqual([count, index.version])
  expect({ content: contentOf(restored), distinct: restored.distinct([...filterFields]) }).toEqual(before)
  expect(contentOf(index)).toEqual(before.content)
  for (const orderBy of [undefined, 'description DESC', 'gross, hash']) {
    const order = parseSortOrder(orderBy).value
    expect(restored.search({ order })).toEqual(index.search({ order }))
  }
})

test('a search unpacks only the data that it needs', () => {
  const index = restoredFrom(filled(900))
  const [{ segment }] = index.compact() as [LiveSegment]
  const heldNow = () => ({
    lexicon: segment.lexicon.held?.() ?? 0,
    columns: segment.columns.reduce((sum, { held }) => sum + (held?.() ?? 0), 0),
    estimate: index.bytes,
  })
  const grew = (search: Criteria) => {
    const before = heldNow()
    index.search({ ...search, start: 0, max: 16 })
    const after = heldNow()
    return [after.lexicon > before.lexicon, after.columns > before.columns, after.estimate > before.estimate]
  }
  expect(grew({})).toEqual([false, false, false])
  const anywhere = { query: { anywhere: 'riesling' } }
  expect(grew(anywhere)).toEqual([true, false, true])
  expect(grew(anywhere)).toEqual([false, false, false])
  expect(grew({ filter: [{ field: 'countrycode', keys: ['at'] }] })).toEqual([false, true, true])
  expect(grew({ query: { anywhere: 'q' } })).toEqual([true, false, true])
  expect(grew({ query: { anywhere: 'elegant und mit' } })).toEqual([true, false, true])
})

test('a restored segment packs to the same bytes', () => {
  const packed = packSegment(segmentOf(400))
  expect(packSegment(unpackSegment({ start: packed }).segment).equals(packed)).toBe(true)
})

test('waiting changes are part of the snapshot', () => {
  const index = filled(20)
  index.compact()
  index.apply([
    { version: 2 ** 41, wine: { id: 2, name: 'new' } },
    { version: 2 ** 41 + 1, id: 1, removed: true },
  ])
  const restored = restoredFrom(index)
  expect([restored.size, restored.version]).toEqual([20, 2 ** 41 + 1])
  expect(restored.search({}).ids).toEqual(index.search({}).ids)
})

test('a restored index ignores changes older than its own', () => {
  const restored = restoredFrom(filled(5))
  const before = contentOf(restored)
  restored.apply([{ version: 1, wine: { id: 1, name: 'stale' } }])
  expect(contentOf(restored)).toEqual(before)
})

test('a segment is read whatever the alignment of its bytes', () => {
  const packed = packSegment(segmentOf(30))
  const shifted = Buffer.concat([Buffer.alloc(3), packed]).subarray(3)
  const index = new SearchIndex([{ segment: unpackSegment({ start: shifted }).segment, tombstones: noBits(30) }])
  expect(contentOf(index)).toEqual(contentOf(filled(30)))
})

/** A packed segment as one that another ICU has sorted. */
const ofAnotherCollation = (packed: Buffer): Buffer => {
  const end = 4 + packed.readUInt32LE()
  const header = JSON.parse(zstdDecompressSync(packed.subarray(4, end)).toString())
  const head = zstdCompressSync(JSON.stringify({ ...header, collation: 'another' }))
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32LE(head.length)
  return Buffer.concat([prefix, head, packed.subarray(end)])
}

const nothingOf = (bytes: Buffer): Line => ({
  ...{ name: pieceName(bytes), size: bytes.length, first: 0, checksum: 0, rows: 0, tombstones: [], length: 0 },
})

describe('a piece that is read on demand', () => {
  const index = filled(900)
  const [part] = index.compact() as [LiveSegment]
  const { bytes = Buffer.alloc(0), ...piece } = pieceOf(part)
  const line: Line = { ...piece, rows: 900, tombstones: [], length: 0 }
  const start = bytes.subarray(0, line.first)

  /** An index that reads the piece on demand, and its searches; `asked` contains the ranges that were read. */
  const begun = (change: (stretch: Buffer) => Buffer | undefined = stretch => stretch) => {
    const asked: [number, number][] = []
    const read = async (from: number, to: number) => {
      asked.push([from, to])
      return change(bytes.subarray(from, to))
    }
    const own = new SearchIndex([partRead(line, { start, read }) as LiveSegment], index.version)
    const ask = async <T>(search: (one: SearchIndex) => T): Promise<T> => {
      try {
        return search(own)
      } catch (error) {
        if (!(error instanceof NotRead)) throw error
        await own.load(error)
        return ask(search)
      }
    }
    return { own, asked, ask }
  }

  test('begins with ids and terms, which most searches need only', async () => {
    const { own, asked, ask } = begun()
    expect(line.first).toBeLessThan(bytes.length / 2)
    const search = { query: { anywhere: 'riesling' }, page: 1, pageSize: 16 }
    expect([await ask(one => one.search(search)), asked]).toEqual([index.search(search), []])
    expect(own.bytes).toBeLessThan(index.bytes / 2)
  })

  test('gives the same answers as the whole one, and each part is read once', async () => {
    const { asked, ask } = begun()
    const all: ((one: SearchIndex) => unknown)[] = [
      one => one.search({ query: { anywhere: 'q' } }),
      one => one.search({ query: { anywhere: 'elegant und mit' } }),
      one => one.search({ filter: [{ field: 'countrycode', keys: ['at'] }], order: parseSortOrder('name').value }),
      one => one.search({ filter: [{ field: 'grapetypeIds', keys: [7] }] }),
      one => one.distinct([...filterFields]),
    ]
    for (const ask_ of [...all, ...all]) expect(await ask(ask_)).toEqual(ask_(index))
    expect(asked.length).toBeGreaterThan(5)
    expect(new Set(asked.map(String)).size).toBe(asked.length)
    for (const [from, to] of asked) expect([from >= line.first, to <= bytes.length]).toEqual([true, true])
  })

  test.each<[string, (stretch: Buffer) => Buffer | undefined]>([
    ['is gone', () => undefined],
    ['is damaged', stretch => Buffer.concat([stretch.subarray(1), Buffer.from('x')])],
    ['is cut off', stretch => stretch.subarray(1)],
  ])('is lost if a part of it %s', async (_, change) => {
    await expect(begun(change).ask(one => one.search({ query: { anywhere: 'q' } }))).rejects.toThrow(PieceLost)
  })

  test('has each part at the same place as any other piece, however few values it has', async () => {
    const small = new SearchIndex()
    small.apply([{ version: 1, wine: { id: 999_999, name: 'elegant und mit' } }])
    const [other] = small.compact() as [LiveSegment]
    const { bytes: all = Buffer.alloc(0), first } = pieceOf(other)
    const read = async (from: number, to: number) => all.subarray(from, to)
    const beside = unpackSegment({ start: all.subarray(0, first), read }).segment
    const own = unpackSegment({ start, read: async (from, to) => bytes.subarray(from, to) }).segment
    const both = new SearchIndex([liveSegment(own), liveSegment(beside)])
    for (let place = 0; place < (own.parts?.size ?? 0); place++) await both.load(new NotRead(place))
    const search = { query: { anywhere: 'elegant und mit' } }
    expect(both.search(search).total).toBe(index.search(search).total + 1)
    expect(own.parts?.size).toBe(beside.parts?.size)
  })

  test('is refused if its first bytes are damaged, and read whole if its rows must be sorted again', () => {
    const damaged = Buffer.from(start)
    damaged[start.length - 1] = (damaged[start.length - 1] as number) ^ 1
    expect(() => partRead(line, { start: damaged })).toThrow('is damaged')
    const other = ofAnotherCollation(start)
    expect(partRead({ ...line, checksum: crc32(other) }, { start: other })).toBeUndefined()
  })
})

describe('the list of a snapshot', () => {
  const index = filled(300)
  index.compact()
  index.apply(
    Array.from({ length: 90 }, (_, n) => ({ version: 2 ** 41 + n, wine: { id: 3 * n + 1, name: `new ${n}` } })),
  )
  const parts = index.compact().map(part => ({ ...part, piece: pieceOf(part) }))
  const list = packList(7, parts)

  test('names its pieces and the deleted rows, and contains the small pieces', () => {
    const { version, lines } = readList(list)
    const read = lines.map(line => partOf(line, line.bytes ?? Buffer.alloc(0)).part)
    expect([version, lines.map(({ name }) => name)]).toEqual([7, parts.map(({ piece }) => piece.name)])
    const again = new SearchIndex(read)
    expect([again.size, again.search({})]).toEqual([300, index.search({})])
  })

  test('keeps the deleted rows if rows are sorted again by another collation', () => {
    const segment = segmentOf(40)
    const stamps = segment.columns[scalarFields.indexOf('chstamp')]?.dictionary
    stamps?.values?.reverse()
    const bytes = ofAnotherCollation(packSegment(segment))
    const { part, isKept } = partOf({ ...nothingOf(bytes), rows: 40, tombstones: [0, 1, 7] }, bytes)
    const gone = [0, 1, 7].map(row => segment.ids[row])
    const found = new SearchIndex([part]).search({})
    expect([found.total, found.ids.filter(id => gone.includes(id))]).toEqual([37, []])
    const all = mergeSegments([liveSegment(unpackSegment({ start: bytes }).segment)])
    expect(found.ids).toEqual([...all.ids].filter(id => !gone.includes(id)))
    expect(isKept).toBe(false)
  })

  test('keeps the order of another ICU version if this one sorts alike, and does not cache the piece', () => {
    const segment = segmentOf(40)
    const bytes = ofAnotherCollation(packSegment(segment))
    const { part, isKept } = partOf({ ...nothingOf(bytes), rows: 40, tombstones: [7] }, bytes)
    expect([part.segment.ids, hasBit(part.tombstones, 7), isKept]).toEqual([segment.ids, true, false])
  })

  test('stores large pieces in objects of their own, and names them', () => {
    const large = parts.map(part => ({ ...part, piece: { ...part.piece, bytes: randomBytes(400_000) } }))
    const { lines } = readList(packList(7, large))
    expect(lines.map(({ name, length }) => [name, length])).toEqual(
      large.map(({ piece }, n) => [piece.name, n === 0 ? 400_000 : 0]),
    )
  })

  test('detects a piece with a different byte, and one that is cut off or too long', () => {
    const [line] = readList(list).lines
    const bytes = line?.bytes as Buffer
    const isRefused = (damaged: Buffer) => expect(() => partOf(line as Line, damaged)).toThrow('is damaged')
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const damaged = Buffer.from(bytes)
        damaged[at] = (damaged[at] as number) ^ difference
        isRefused(damaged)
      }),
    )
    for (const length of [0, 1, 15, bytes.length >> 1, bytes.length - 1]) isRefused(bytes.subarray(0, length))
    isRefused(Buffer.concat([bytes, Buffer.alloc(1)]))
  })
})
