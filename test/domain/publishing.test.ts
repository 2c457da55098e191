import type { WineRow } from '../../lib/tool/imports/wine-writes.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { hasUnpublished } from '../../shared/catalogue/publishing/publish.ts'
import { addWine, editWine } from '../../shared/catalogue/wines/edit.ts'
import { findPublic, readShown } from '../../shared/catalogue/wines/public-store.ts'
import { shardOf } from '../../shared/catalogue/wines/stored.ts'
import { changeWine } from '../../shared/catalogue/wines/write.ts'
import { publish as job, publishMissed as missed } from '../../shared/contract/jobs.ts'
import type { WineChange } from '../../shared/contract/records/wine.ts'
import { key, type MerchantId, merchantIdOf } from '../../shared/platform/table/keys.ts'
import { deleteItem, documents } from '../../shared/platform/table/table.ts'
import { metered } from '../bench/meter.ts'
import { failing, isTransaction } from '../support/failing-table.ts'
import { counted } from '../support/partitions.ts'
import {
  changesIn,
  neighbours,
  publicDocOf,
  publicProblems,
  publish,
  runPublish,
  runPublishMissed,
} from '../support/published.ts'
import { missingRights } from '../support/used-rights.ts'

const newMerchant = async (): Promise<MerchantId> => merchantIdOf((await createMerchant({ name: 'Schaukeller' })).id)

let named = 0
const least = () => ({ name: `Wein ${++named}`, type: 'red', countrycode: 'de', region: 1005 }) as const
const added = (merchant: MerchantId, data: object = {}) => addWine(merchant, 1, { ...least(), public: 1, ...data })
const rowsOf = (count: number, more: Partial<WineRow> = {}): WineRow[] =>
  counted(count).map(n => ({ ...least(), articlenumber: `${n}`, public: 1, ...more }))

describe('an edit', () => {
  test('writes what is its merchant’s own and nothing public: ten units in one transaction', async () => {
    const merchant = await newMerchant()
    const { id } = await added(merchant, { description: 'Lang und kühl. '.repeat(20) })
    await publish(merchant)
    const before = await changesIn(shardOf(merchant))
    const written: string[] = []
    documents.middlewareStack.add(
      next => async args => {
        const { TransactItems = [] } = args.input as {
          TransactItems?: Record<string, { Key?: object; Item?: object }>[]
        }
        for (const one of TransactItems) written.push(...Object.keys(one))
        return next(args)
      },
      { step: 'initialize', name: 'written' },
    )
    const { units, requests } = await metered(() => editWine(merchant, id, { place: 'Keller' })).finally(() =>
      documents.middlewareStack.remove('written'),
    )
    const readUnits = 4
    expect([units - readUnits, requests, written]).toEqual([10, 2, ['Update', 'Put']])
    expect(await changesIn(shardOf(merchant))).toBe(before)
    await publish(merchant)
  })

  test('of one merchant never meets one of another: 64 edits at once in one partition take 64 transactions', async () => {
    const merchants = await neighbours(64)
    const ids = await Promise.all(merchants.map(async merchant => (await added(merchant)).id))
    let transactions = 0
    await failing(
      command => {
        if (isTransaction(command)) transactions++
        return undefined
      },
      () => Promise.all(merchants.map((merchant, n) => editWine(merchant, ids[n] ?? 0, { place: 'Zugleich' }))),
    )
    expect(transactions).toBe(64)
    await runPublish(...merchants)
    expect(await publicProblems()).toEqual([])
  })
})

describe('what the job publishes', () => {
  test('is what follows from the wines: shown, changed, renamed, hidden and shown again', async () => {
    const merchant = await newMerchant()
    const { id, hash } = await added(merchant, { name: 'Erst', public: 0 })
    const steps: [WineChange, string | undefined][] = [
      [{}, undefined],
      [{ public: 1 }, 'Erst'],
      [{ name: 'Dann' }, 'Dann'],
      [{ active: 0 }, undefined],
      [{ name: 'Im Dunkeln' }, undefined],
      [{ active: 1 }, 'Im Dunkeln'],
    ]
    for (const [data, name] of steps) {
      if (Object.keys(data).length > 0) await editWine(merchant, id, data)
      await runPublish(merchant)
      expect(await publicProblems()).toEqual([])
      const found = await findPublic({ hash }).catch(() => undefined)
      expect(found?.name).toBe(name)
    }
    const shown = await findPublic({ path_segment: 'im-dunkeln' })
    expect(shown.id).toBe(id)
    for (const path_segment of ['erst', 'dann'])
      await expect(findPublic({ path_segment })).rejects.toMatchObject({ word: 'wine_not_found' })
  })

  test('leads from a path_segment to a wine while one merchant alone shows it', async () => {
    const [one = 0 as MerchantId, other = 0 as MerchantId] = await neighbours(2)
    const [mine, theirs] = [await added(one, { name: 'Zwilling' }), await added(other, { name: 'Zwilling' })]
    await runPublish(one, other)
    await expect(findPublic({ path_segment: 'zwilling' })).rejects.toMatchObject({ word: 'wine_not_found' })
    await editWine(one, mine.id, { name: 'Einling' })
    await runPublish(one, other)
    expect([
      await findPublic({ path_segment: 'zwilling' }),
      await findPublic({ path_segment: 'einling' }),
    ]).toMatchObject([{ id: theirs.id }, { id: mine.id }])
    expect(await publicProblems()).toEqual([])
  })

  test('costs the public nothing where nothing of it changes: a hidden wine, and a sheet that was drawn', async () => {
    const merchant = await newMerchant()
    const [hidden, shown] = [await added(merchant, { public: 0 }), await added(merchant)]
    await publish(merchant)
    const before = await changesIn(shardOf(merchant))
    await editWine(merchant, hidden.id, { name: 'Heimlich' })
    const file = { key: 'expertise/1.pdf', bytes: 1, date: 1, supplied: false, wine: 2, template: 1, names: ['1.pdf'] }
    await changeWine(merchant, shown.id, async wine => ({ ...wine, expertise: file }))
    await runPublish(merchant)
    expect(await changesIn(shardOf(merchant))).toBe(before)
    expect(await hasUnpublished(merchant)).toBe(false)
    await editWine(merchant, shown.id, { place: 'Offen' })
    await runPublish(merchant)
    expect(await changesIn(shardOf(merchant))).toBe(before + 1)
    expect(await publicProblems()).toEqual([])
  })

  test('counts each change once, however often and however many at a time the job runs', async () => {
    const merchant = await newMerchant()
    const before = await changesIn(shardOf(merchant))
    await importWines(merchant, rowsOf(130))
    await Promise.all(counted(8).map(() => runPublish(merchant, merchant)))
    await runPublish(merchant)
    await runPublishMissed()
    expect(await changesIn(shardOf(merchant))).toBe(before + 130)
    expect(await publicProblems()).toEqual([])
  })

  test('is as the wine is now, though the batch that tells of it is an old one', async () => {
    const merchant = await newMerchant()
    const { id } = await added(merchant, { place: 'alt' })
    await editWine(merchant, id, { place: 'neu' })
    await runPublish(merchant)
    await runPublish(merchant)
    expect(JSON.parse((await publicDocOf(id)) ?? '{}').place).toBe('neu')
  })

  test('comes in as few transactions as there is room, for any number of wines and for large ones', async () => {
    const merchant = await newMerchant()
    await importWines(merchant, [
      ...rowsOf(300),
      ...rowsOf(60, { description: 'x'.repeat(9000) }).map((row, n) => ({ ...row, articlenumber: `L${n}` })),
    ])
    let transactions = 0
    await failing(
      command => {
        if (isTransaction(command)) transactions++
        return undefined
      },
      () => publish(merchant),
    )
    // 98 actions in each: three of a new wine, and a wine that does not fit waits for the next.
    expect(transactions).toBeLessThanOrEqual(Math.ceil(360 / 32) + 2)
    expect(await publicProblems()).toEqual([])
  })

  test('needs no right that the jobs do not declare', async () => {
    const merchant = await newMerchant()
    await importWines(merchant, rowsOf(3))
    expect(await missingRights(job.permissions, () => runPublish(merchant))).toEqual([])
    const { id } = await added(merchant)
    await editWine(merchant, id, { name: 'Anders' })
    expect(await missingRights(missed.permissions, () => runPublishMissed())).toEqual([])
  })
})

test('who hands out a sheet finds the wine as its merchant has it, published or not', async () => {
  const merchant = await newMerchant()
  const { id } = await added(merchant, { place: 'Hier' })
  const shown = async () => (await readShown(id))?.place
  expect([await publicDocOf(id), await shown()]).toEqual([undefined, 'Hier'])
  await publish(merchant)
  await editWine(merchant, id, { place: 'Dort' })
  expect(await shown()).toBe('Dort')
  // A wine from before owners were written.
  await deleteItem(key('wineOwner', { id }))
  expect(await shown()).toBe('Dort')
  await editWine(merchant, id, { public: 0, shop: 1 })
  expect(await shown()).toBe('Dort')
  await editWine(merchant, id, { active: 0 })
  expect([await publicDocOf(id), await shown()]).toEqual([expect.any(String), undefined])
  expect(await readShown(2 ** 50)).toBeUndefined()
  await publish(merchant)
})
