import fc from 'fast-check'
import { maxPassing, readUpTo, settledVersion, versionsToAsk, youngMs } from '../../shared/catalogue/search/feed.ts'
import { emptyIndex, type LoadedIndex, refresh } from '../../shared/catalogue/search/refresh.ts'
import type { Scope } from '../../shared/catalogue/search/scopes.ts'
import { runsAllCases } from '../support/sampling.ts'
import { simulatedFeed } from '../support/simulated-feed.ts'

type Feed = ReturnType<typeof simulatedFeed>

let feed: Feed
const realNow = performance.now
beforeEach(() => {
  feed = simulatedFeed()
  performance.now = () => feed.now()
})
afterEach(() => {
  performance.now = realNow
})

const seenBy = (loaded: LoadedIndex) => loaded.feeds.map(settledVersion)
const indexed = ({ index }: LoadedIndex) =>
  Object.fromEntries([...feed.table.keys()].map(id => [id, index.versionOf(id)]))
const written = () => Object.fromEntries(feed.table)

/** Writes transactions of wines, one after the other, each to its end. */
const writeAll = (...transactions: number[][]) => {
  for (const ids of transactions) {
    feed.write(ids)
    feed.revealAll()
  }
}
const loadedIndex = async (): Promise<LoadedIndex> => {
  const loaded = emptyIndex(feed.scope)
  await refresh(feed.scope, loaded)
  feed.asked.length = 0
  return loaded
}

test('a feed without gaps takes one query, above its highest version', async () => {
  writeAll([1, 2, 3], [4])
  const loaded = await loadedIndex()
  await refresh(feed.scope, loaded)
  writeAll([5])
  expect(await refresh(feed.scope, loaded)).toBe(1)
  expect(feed.asked).toEqual([
    { versions: { from: 5, to: Number.POSITIVE_INFINITY }, wines: 0 },
    { versions: { from: 5, to: Number.POSITIVE_INFINITY }, wines: 1 },
  ])
  expect(seenBy(loaded)).toEqual([5])
})

test('version 12 does not hide version 11 that becomes visible later', async () => {
  const loaded = await loadedIndex()
  feed.write([1])
  feed.write([2])
  feed.reveal(1)
  expect(await refresh(feed.scope, loaded)).toBe(1)
  expect(seenBy(loaded)).toEqual([0])
  feed.revealAll()
  expect(await refresh(feed.scope, loaded)).toBe(1)
  expect([seenBy(loaded), indexed(loaded)]).toEqual([[2], { 1: 1, 2: 2 }])
})

test('a version that is missing for ten seconds was overtaken, and is not queried again', async () => {
  const loaded = await loadedIndex()
  writeAll([1], [1], [1])
  await refresh(feed.scope, loaded)
  expect(seenBy(loaded)).toEqual([0])
  feed.pass(youngMs - 1)
  await refresh(feed.scope, loaded)
  expect(seenBy(loaded)).toEqual([0])
  feed.pass(1)
  await refresh(feed.scope, loaded)
  expect(seenBy(loaded)).toEqual([3])
  feed.asked.length = 0
  await refresh(feed.scope, loaded)
  expect(feed.asked).toEqual([{ versions: { from: 4, to: Number.POSITIVE_INFINITY }, wines: 0 }])
})

test('an acknowledged change is found immediately, however often other wines are written meanwhile', async () => {
  feed = simulatedFeed(200)
  const loaded = await loadedIndex()
  const wines = Array.from({ length: 60 }, (_, n) => n + 1)
  feed.write([61])
  for (let turn = 0; turn < 40; turn++) {
    for (let writer = 0; writer < 2; writer++) {
      feed.write(wines)
      // The first version stays hidden: it is still being written.
      for (const _ of wines) feed.reveal(1)
    }
    feed.asked.length = 0
    await refresh(feed.scope, loaded)
    expect(feed.asked.length).toBeLessThanOrEqual(8)
    expect(feed.asked.reduce((sum, one) => sum + one.wines, 0)).toBeLessThanOrEqual(2 * 60)
  }
  feed.revealAll()
  await refresh(feed.scope, loaded)
  expect(loaded.index.versionOf(61)).toBe(1)
})

test('a gap gets old by a query that began late enough, not by one that ended late', async () => {
  const loaded = await loadedIndex()
  writeAll([1, 2, 3, 4])
  feed.write([5])
  feed.write([6])
  feed.reveal(1)
  await refresh(feed.scope, loaded)
  writeAll([7], [8], [9])
  feed.pass(8_000)
  feed.setMeanwhile(() => feed.pass(3_000))
  await refresh(feed.scope, loaded)
  feed.setMeanwhile()
  expect(indexed(loaded)).toEqual(written())
})

test('a refresh that finds a transaction half written queries it again immediately', async () => {
  const loaded = await loadedIndex()
  feed.write([1, 2])
  feed.reveal(1)
  const { changes } = feed.scope
  let queries = 0
  const scope = {
    ...feed.scope,
    changes: (...of: Parameters<typeof changes>) => {
      if (++queries === 2) feed.revealAll()
      return changes(...of)
    },
  }
  expect([await refresh(scope, loaded), queries, seenBy(loaded)]).toEqual([2, 2, [2]])
})

test('after a bulk change that overtook thousands of versions only the last thousand are queried again, the others once', async () => {
  const wines = Array.from({ length: 3000 }, (_, n) => n + 1)
  feed = simulatedFeed(200)
  for (const step of [1, 2, 3]) writeAll(wines.filter(id => id % step === 0))
  const loaded = await loadedIndex()
  expect(indexed(loaded)).toEqual(written())
  const read: number[] = []
  for (let n = 0; n < 30; n++) {
    feed.pass(400)
    feed.asked.length = 0
    await refresh(feed.scope, loaded)
    read.push(feed.asked.reduce((sum, one) => sum + one.wines, 0))
    expect(feed.asked.length).toBeLessThanOrEqual(4)
  }
  expect(Math.max(...read.slice(0, 24))).toBeLessThanOrEqual(maxPassing)
  expect(read[24]).toBeLessThanOrEqual(3000)
  expect(read.slice(25)).toEqual([0, 0, 0, 0, 0])
  expect(seenBy(loaded)).toEqual([3000 + 1500 + 1000])
})

test('many gaps take few queries, which leave out the widest stretches between them', () => {
  const gapAt = (from: number, isDeep = false) => ({ from, to: from + 1, since: 0, isDeep })
  const gaps = [1, 20, 300, 330, 700, 710, 900].map(from => gapAt(from))
  expect(versionsToAsk({ high: 950, gaps }, 1)).toEqual([
    { from: 900, to: Number.POSITIVE_INFINITY },
    { from: 700, to: 711 },
    { from: 300, to: 331 },
    { from: 1, to: 21 },
  ])
  expect(versionsToAsk(readUpTo(7), 0)).toEqual([{ from: 8, to: Number.POSITIVE_INFINITY }])
  const deep = { high: 9000, gaps: [gapAt(1, true), gapAt(8000)] }
  expect(versionsToAsk(deep, youngMs - 1).map(({ from }) => from)).toEqual([9001, 8000])
  expect(versionsToAsk(deep, youngMs).map(({ from }) => from)).toEqual([9001, 8000, 1])
})

/** One step of a history: wines are written, one becomes visible, one of two instances searches, or time passes. */
type Step = { write: number[] } | { reveal: number } | { search: 0 | 1 } | { pass: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ write: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }) }) },
  { weight: 6, arbitrary: fc.record({ reveal: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ search: fc.constantFrom(0 as const, 1 as const) }) },
  { weight: 1, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 12_000 }) }) },
)

const happen = (step: Step): void => {
  if ('write' in step) feed.write(step.write)
  if ('reveal' in step) feed.reveal(step.reveal)
  if ('pass' in step) feed.pass(step.pass)
}

test('in any order of writes, acknowledged changes are found, and none is lost in the end', async () => {
  const history = fc.array(anyStep, { minLength: 5, maxLength: 60 })
  const rule = fc.asyncProperty(history, fc.array(anyStep, { maxLength: 20 }), async (steps, between) => {
    feed = simulatedFeed()
    const loaded = [emptyIndex(feed.scope), emptyIndex(feed.scope)] as const
    feed.setMeanwhile(() => {
      const next = between.pop()
      if (next) happen(next)
    })
    const search = async ({ index, feeds }: LoadedIndex) => {
      const before = [...feed.acknowledged]
      await refresh(feed.scope, { index, feeds })
      for (const [id, version] of before)
        if (index.versionOf(id) < version) throw new Error(`${id} v${version} is missed`)
      if (Math.min(...feeds.map(settledVersion)) >= feed.lowestPending()) throw new Error('seen passes a young gap')
    }
    for (const step of steps) {
      if ('search' in step) await search(loaded[step.search])
      else happen(step)
    }
    feed.setMeanwhile()
    feed.revealAll()
    for (const one of loaded) await search(one)
    feed.pass(youngMs)
    for (const one of loaded) {
      await search(one)
      expect(indexed(one)).toEqual(written())
      expect(seenBy(one)).toEqual([Math.max(0, ...feed.table.values())])
    }
  })
  await fc.assert(rule, { numRuns: runsAllCases ? 5000 : 300 })
}, 120_000)

test('a change that eventually consistent reads do not return yet is never treated as overtaken', async () => {
  const history = fc.array(anyStep, { minLength: 5, maxLength: 60 })
  const rule = fc.asyncProperty(history, fc.array(fc.nat(30), { minLength: 1, maxLength: 30 }), async (steps, lags) => {
    feed = simulatedFeed()
    let queries = 0
    let isBehind = true
    const { changes } = feed.scope
    // Each query reads another replica, which lacks other changes.
    const isShown = (version: number) => !isBehind || (version * 7 + queries) % 31 >= (lags[queries % lags.length] ?? 0)
    const scope: Scope = {
      ...feed.scope,
      eventual: true,
      changes: async function* (number, versions, isExact) {
        queries++
        for await (const page of changes(number, versions, isExact))
          yield isExact ? page : page.filter(({ version }) => isShown(version))
      },
    }
    // Between two pages a gap may become old.
    feed.setMeanwhile(() => {
      if (queries % 3 === 0) feed.pass(4000)
    })
    const loaded = emptyIndex(scope)
    const search = async () => {
      await refresh(scope, loaded)
      const [settled = 0] = seenBy(loaded)
      if (settled >= feed.lowestPending()) throw new Error('seen passes a young gap')
      for (const [id, version] of feed.table)
        if (version <= settled && loaded.index.versionOf(id) < version) throw new Error(`${id} v${version} is lost`)
    }
    for (const step of steps) {
      if ('search' in step) await search()
      else happen(step)
    }
    feed.revealAll()
    isBehind = false
    await search()
    feed.pass(youngMs)
    await search()
    expect([indexed(loaded), seenBy(loaded)]).toEqual([written(), [Math.max(0, ...feed.table.values())]])
  })
  await fc.assert(rule, { numRuns: runsAllCases ? 5000 : 300 })
}, 120_000)

test('a gap that gets old during eventually consistent reads is closed by a strongly consistent one only', async () => {
  let lacking = [5, 12]
  const { changes } = feed.scope
  const scope: Scope = {
    ...feed.scope,
    eventual: true,
    changes: async function* (number, versions, isExact) {
      for await (const page of changes(number, versions, isExact))
        yield isExact ? page : page.filter(({ version }) => !lacking.includes(version))
    },
  }
  writeAll([1, 2, 3, 4], [5], [6], [7], [8], [9], [10], [11], [12], [13])
  const loaded = emptyIndex(scope)
  await refresh(scope, loaded)
  expect(seenBy(loaded)).toEqual([4])
  feed.pass(8_000)
  lacking = [12]
  // One query of three pages reads both gaps; its last page begins when they are old.
  feed.setMeanwhile(() => feed.pass(3_000))
  await refresh(scope, loaded)
  feed.setMeanwhile()
  expect(loaded.index.versionOf(12)).toBeLessThan(12)
  await refresh(scope, loaded)
  expect([indexed(loaded), seenBy(loaded)]).toEqual([written(), [13]])
})
