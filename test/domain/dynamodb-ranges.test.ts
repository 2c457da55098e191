import { type Partition, sortable } from '../../shared/platform/table/keys.ts'
import { type Entry, putItem, query, queryEntries, queryPages, updateItem } from '../../shared/platform/table/table.ts'
import '../support/harness.ts'
import { counted, newPartition, type Probe, probeKey } from '../support/partitions.ts'

// As in dynamodb.test.ts: the code's assumptions about DynamoDB, checked on its local engine.

const sortKeys = (entries: readonly Entry<Probe>[]) => entries.map(({ sk }) => sk)
const numbers = (items: readonly Probe[]) => items.map(({ n }) => n)

const fill = async (sorted: readonly string[]): Promise<Partition<Probe>> => {
  const pk = newPartition()
  await Promise.all(sorted.map((sk, n) => putItem(probeKey(pk, sk), { n })))
  return pk
}

describe('a range of a partition', () => {
  test('is sorted by bytes, which is numeric order for padded numbers', async () => {
    const pk = await fill([...[1, 9, 10, 2 ** 53 - 1].map(sortable), 'a', 'b', 'z', 'ä', '🍇'].toReversed())
    const all = [...[1, 9, 10, 2 ** 53 - 1].map(sortable), 'a', 'b', 'z', 'ä', '🍇']
    expect(sortKeys(await queryEntries({ pk }))).toEqual(all)
    expect(sortKeys(await queryEntries({ pk, descending: true }))).toEqual(all.toReversed())
  })

  test('is selected by a prefix, two keys, both included, or a lower bound', async () => {
    const pk = await fill(['a', 'b', 'b#1', 'b#2', 'b$', 'c'])
    expect(sortKeys(await queryEntries({ pk, prefix: 'b#' }))).toEqual(['b#1', 'b#2'])
    expect(sortKeys(await queryEntries({ pk, between: ['b', 'b#2'] }))).toEqual(['b', 'b#1', 'b#2'])
    expect(sortKeys(await queryEntries({ pk, above: 'b#2' }))).toEqual(['b$', 'c'])
    expect(sortKeys(await queryEntries({ pk, prefix: 'x' }))).toEqual([])
  })

  test('ends at its limit, from either end', async () => {
    const pk = await fill(['a', 'b', 'c', 'd'])
    expect(sortKeys(await queryEntries({ pk, limit: 2 }))).toEqual(['a', 'b'])
    expect(sortKeys(await queryEntries({ pk, limit: 3, descending: true }))).toEqual(['d', 'c', 'b'])
    expect(sortKeys(await queryEntries({ pk, limit: 9 }))).toEqual(['a', 'b', 'c', 'd'])
  })

  test('above 1 MB is returned in pages without a gap or a repeat, also up to a limit', async () => {
    const pk = newPartition()
    const keys = counted(12).map(sortable)
    for (const sk of keys) await putItem(probeKey(pk, sk), { text: 'x'.repeat(300 * 1024) })
    const pages: string[][] = []
    for await (const page of queryPages({ pk })) pages.push(sortKeys(page))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat()).toEqual(keys)
    expect(sortKeys(await queryEntries({ pk, limit: 7, descending: true }))).toEqual(keys.toReversed().slice(0, 7))
  })

  test('is empty in a partition without items', async () => {
    expect(await query({ pk: newPartition() })).toEqual([])
  })
})

describe('the index', () => {
  const indexed = true

  test('contains the items with its attribute, sorted by that attribute, with all attributes', async () => {
    const pk = newPartition()
    await putItem(probeKey(pk, 'one'), { n: 1 }, { index: 'b' })
    await putItem(probeKey(pk, 'two'), { n: 2, text: 'whole' }, { index: 'a' })
    await putItem(probeKey(pk, 'three'), { n: 3 })
    expect(await queryEntries({ pk, indexed })).toEqual([
      { item: { n: 2, text: 'whole' }, sk: 'two', index: 'a' },
      { item: { n: 1 }, sk: 'one', index: 'b' },
    ])
  })

  test('contains several items of one value, sorted by their sort keys', async () => {
    const pk = newPartition()
    await Promise.all(counted(5).map(n => putItem(probeKey(pk, sortable(6 - n)), { n }, { index: 'same' })))
    expect(numbers(await query({ pk, indexed, prefix: 'same' }))).toEqual([5, 4, 3, 2, 1])
    expect(numbers(await query({ pk, indexed, limit: 2, descending: true }))).toEqual([1, 2])
  })

  test('supports prefixes, ranges and bounds like the table', async () => {
    const pk = newPartition()
    const entries = ['1#1', '1#2', '12#1', '2#1']
    await Promise.all(entries.map((index, n) => putItem(probeKey(pk, String(n)), { n }, { index })))
    expect(numbers(await query({ pk, indexed, prefix: '1#' }))).toEqual([0, 1])
    expect(numbers(await query({ pk, indexed, between: ['1#2', '2#1'] }))).toEqual([1, 2, 3])
    expect(numbers(await query({ pk, indexed, above: '1#2' }))).toEqual([2, 3])
  })

  test('follows each change immediately: a strongly consistent read misses no write', async () => {
    const pk = newPartition()
    const key = probeKey(pk, 'one')
    for (const n of counted(30)) {
      await updateItem(key, { set: { n }, index: sortable(n) })
      expect(await queryEntries({ pk, indexed })).toEqual([{ item: { n }, sk: 'one', index: sortable(n) }])
    }
    await updateItem(key, { index: null })
    expect(await query({ pk, indexed })).toEqual([])
  })

  test('contains every version once when 50 writers number items by one counter', async () => {
    const pk = newPartition()
    const stamp = async (n: number) => {
      const { version } = await updateItem(probeKey(pk, 'counter'), { add: { version: 1 } })
      await putItem(probeKey(pk, `wine ${n}`), { n }, { index: sortable(Number(version)) })
    }
    await Promise.all(counted(50).map(stamp))
    const found = await queryEntries({ pk, indexed, above: sortable(0) })
    expect(found.map(({ index }) => index)).toEqual(counted(50).map(sortable))
  })

  test('returns pages like the table', async () => {
    const pk = newPartition()
    for (const n of counted(8))
      await putItem(probeKey(pk, String(n)), { n, text: 'x'.repeat(300 * 1024) }, { index: 'same' })
    expect(numbers(await query({ pk, indexed }))).toEqual(counted(8))
  })
})
