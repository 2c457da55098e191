import { setTimeout as pause } from 'node:timers/promises'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { inFewGaps } from '../../shared/catalogue/publishing/changes.ts'
import { hasUnpublished, publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { publishChanges, publishMissed } from '../../shared/catalogue/publishing/runs.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { publicWineOf, shardOf, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { indexKey, key, lastNumber, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { putItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { failing as failingRequests, isTransaction, type TransactionInput } from '../support/failing-table.ts'
import { chanceOf } from '../support/indexed-wines.ts'
import { counted } from '../support/partitions.ts'
import {
  addPublic,
  backlogOf,
  changesIn,
  neighbours,
  publicationOf,
  publicDocOf,
  publicProblems,
  publish,
  rowsOf,
  runPublish,
  runPublishMissed,
} from '../support/published.ts'
import { crowd, runsAllCases } from '../support/sampling.ts'
import { hookedTable } from '../support/table-hook.ts'

const table = hookedTable()

const added = async (merchant: MerchantId, data: object = {}) => (await addPublic(merchant, data)).id

/** Lets transactions fail: before they take effect, or after, with only the answer lost. */
const failing = <T>(fails: (input: TransactionInput) => 'before' | 'after' | undefined, act: () => Promise<T>) =>
  failingRequests((command, input) => (isTransaction(command) ? fails(input) : undefined), act)

const kills = [
  ['after', 3],
  ['before', 1],
  ['after', 1],
  ['before', 3],
  ['after', 5],
] as const

test.each(
  kills,
)('the next run completes a job that was killed %s its transaction %i, and repeats nothing', async (when, nth) => {
  const [merchant] = await neighbours(1)
  await importWines(merchant, rowsOf(150))
  const before = await changesIn(shardOf(merchant))
  let transactions = 0
  const killed = failing(
    () => (++transactions === nth ? when : undefined),
    () => runPublish(merchant),
  )
  await expect(killed).rejects.toThrow('1 times: a merchant’s changes could not be published')
  await runPublish(merchant)
  expect(await publicProblems([merchant])).toEqual([])
  expect((await changesIn(shardOf(merchant))) - before).toBe(150)
})

test('a failure for one merchant does not stop the others', async () => {
  const [broken, ...others] = await neighbours(4)
  for (const merchant of [broken, ...others]) await added(merchant)
  const own = key('publication', { merchant: broken }).pk
  const failsFor = (act: () => Promise<void>) =>
    failing(
      ({ TransactItems = [] }) => (TransactItems.some(({ Put }) => Put?.Item.pk === own) ? 'before' : undefined),
      act,
    )
  const message = '1 times: a merchant’s changes could not be published'
  await expect(failsFor(() => runPublish(broken, ...others))).rejects.toThrow(message)
  expect(await Promise.all([broken, ...others].map(hasUnpublished))).toEqual([true, false, false, false])
  await expect(failsFor(() => runPublishMissed())).rejects.toThrow(message)
  await runPublish(broken)
  expect(await publicProblems([broken, ...others])).toEqual([])
})

test('a large catalogue does not delay others: each gets a step, and the remaining steps start the job again', async () => {
  const [large, small] = await neighbours(2)
  await importWines(large, rowsOf(520))
  const id = await added(small)
  expect([await publishNext(large), await publishNext(small)]).toEqual(['more', 'nothing'])
  await editWine(small, id, { place: 'Klein' })
  expect(await publishChanges([large, small], Date.now())).toEqual([])
  expect(await publicDocOf(id)).toContain('Klein')
  expect(await Promise.all([large, small].map(hasUnpublished))).toEqual([true, false])
  expect(await Promise.all([large, small].map(backlogOf))).toEqual([{ since: expect.any(Number) }, undefined])
  // With time left, it continues.
  await publishChanges([large, small], Date.now() + 60_000)
  expect(await publicProblems([large, small])).toEqual([])
})

test('a change that the stream lost is published once, when the counters are compared', async () => {
  const merchants = await neighbours(5)
  const ids = await Promise.all(merchants.map(merchant => added(merchant)))
  const [first] = merchants
  await runPublishMissed()
  expect(await publicProblems(merchants)).toEqual([])
  await editWine(first, ids[0] ?? 0, { place: 'Verloren' })
  const before = await changesIn(shardOf(first))
  expect(await publishMissed(Number.POSITIVE_INFINITY)).toMatchObject({ behind: 1, failures: [] })
  expect(await publishMissed(Number.POSITIVE_INFINITY)).toMatchObject({ behind: 0, failures: [] })
  expect([await publicProblems(merchants), await changesIn(shardOf(first))]).toEqual([[], before + 1])
})

test('the comparison of the counters ends at its deadline, and continues from there', async () => {
  const [merchant] = await neighbours(1)
  await importWines(merchant, rowsOf(300))
  expect(await publishMissed(Date.now() - 1)).toMatchObject({ visited: 0, behind: 0 })
  const { now } = Date
  const deadline = now() + 60_000
  table.hook = name => {
    if (name.startsWith('TransactWrite')) Date.now = () => deadline + 1
  }
  const stopped = await publishMissed(deadline).finally(() => {
    Date.now = now
  })
  expect([stopped.behind, await hasUnpublished(merchant)]).toEqual([1, true])
  const { high = 0 } = (await publicationOf(merchant)) ?? {}
  expect(high).toBeGreaterThan(0)
  await runPublishMissed()
  expect(await publicProblems([merchant])).toEqual([])
})

describe('many gaps', () => {
  const clock = Date.now
  afterEach(() => {
    Date.now = clock
  })
  const gapsAt = (...froms: number[]) => froms.map(from => ({ from, to: from, since: from * 10 }))

  test('are stored as the highest gaps, and one in place of all others', () => {
    const few = { high: 30, gaps: gapsAt(3, 5, 9) }
    expect(inFewGaps(few, 3)).toEqual(few)
    expect(inFewGaps({ high: 30, gaps: [] }, 3)).toEqual({ high: 30, gaps: [] })
    const [, , third, fourth] = gapsAt(3, 5, 9, 20)
    expect(inFewGaps({ high: 30, gaps: gapsAt(3, 5, 9, 20) }, 3)).toEqual({
      high: 30,
      gaps: [{ from: 3, to: 5, since: 50 }, third, fourth],
    })
  })

  test('lose nothing, and a late write is published by the next step', async () => {
    const [merchant] = await neighbours(1)
    const rows = rowsOf(420)
    // So that no gap becomes old meanwhile.
    const now = Date.now()
    Date.now = () => now
    await importWines(merchant, rows)
    // Every second version is overtaken.
    await importWines(
      merchant,
      rows.map((row, n) => (n % 2 ? row : { ...row, place: 'Neu' })),
    )
    await publish(merchant)
    const known = await publicationOf(merchant)
    const [many] = known?.gaps ?? []
    expect([known?.gaps.length, (many?.to ?? 0) > (many?.from ?? 0)]).toEqual([200, true])
    expect(await publicProblems([merchant])).toEqual([])
    // A version in the gap that replaces many.
    const [entry] = await queryEntries({ pk: partition('wine', { merchant }), indexed: true, limit: 1 })
    if (!entry || !known || !many) throw new Error('nothing was written')
    const wine = { ...wineOf(entry.item), place: 'Spät' }
    const place = key('wine', { merchant, id: wine.id })
    const index = indexKey('wine', { version: many.from })
    await putItem(place, { doc: JSON.stringify(wine), version: wine.version }, { index })
    expect(await publishNext(merchant)).not.toBe('more')
    expect(await publicDocOf(wine.id)).toContain('Spät')
    const gaps = known.gaps.map(gap => ({ ...gap, since: now - 60_000 }))
    await updateItem(key('publication', { merchant }), { set: { gaps } })
    await runPublishMissed()
    expect([await publicProblems([merchant]), (await publicationOf(merchant))?.gaps]).toEqual([[], []])
  })
})

test('an old gap with more wines than a step reads is read to its end', async () => {
  const [merchant] = await neighbours(1)
  await importWines(merchant, rowsOf(300))
  const gap = { from: 1, to: 300, since: Date.now() - 60_000 }
  await putItem(key('publication', { merchant }), { version: 1, high: 300, gaps: [gap] })
  expect(await publishNext(merchant)).toBe('more')
  await publish(merchant)
  expect([await publicProblems([merchant]), (await publicationOf(merchant))?.gaps]).toEqual([[], []])
})

const editors = crowd

test(`after ${editors} editors with concurrent jobs and faults, public items follow from the wines`, async () => {
  const chance = chanceOf(Number(process.env.SEED ?? 20260729))
  const merchants = await neighbours(4)
  const wines = await Promise.all(
    merchants.flatMap(merchant =>
      counted(6).map(async () => ({ merchant, id: await added(merchant, { public: chance.below(2) }) })),
    ),
  )
  let isOver = false
  let edits = 0
  const edit = async () => {
    for (let n = 0; n < (runsAllCases ? 20 : 6); n++) {
      const { merchant, id } = chance.pick(wines)
      const data = chance.pick([
        { name: `Anders ${chance.below(5)}` },
        { active: chance.below(2) as 0 | 1 },
        { public: chance.below(2) as 0 | 1 },
        { place: `Ort ${chance.below(100)}` },
        { internal: chance.below(2) as 0 | 1 },
      ])
      await editWine(merchant, id, data).catch(() => {})
      edits++
    }
  }
  const job = async () => {
    while (!isOver) {
      const some = merchants.filter(() => chance.happens(0.6))
      await runPublish(...some).catch(() => {})
    }
  }
  // An older state never follows a newer one.
  const versions = new Map<number, string>()
  const backwards: string[] = []
  const watch = async () => {
    while (!isOver) {
      const entries = await queryEntries({
        pk: partition('publicWine', { shard: shardOf(merchants[0] ?? 0) }),
        prefix: '0',
      })
      for (const { sk, item } of entries) {
        if (!('doc' in item)) continue
        const [id, { chstamp }] = [lastNumber(sk), publicWineOf(item)]
        if (chstamp < (versions.get(id) ?? '')) backwards.push(`wine ${id}: ${chstamp} after ${versions.get(id)}`)
        versions.set(id, chstamp)
      }
      await pause(5)
    }
  }
  await failing(
    () => (chance.happens(0.1) ? chance.pick(['before', 'after'] as const) : undefined),
    async () => {
      const jobs = [job(), job(), job(), watch()]
      await Promise.all(counted(editors).map(edit))
      isOver = true
      await Promise.all(jobs)
    },
  )
  await runPublishMissed()
  expect([await publicProblems(), backwards]).toEqual([[], []])
  expect(edits).toBeGreaterThan(editors)
})
