import { importWines } from '../../lib/tool/imports/wines.ts'
import { hasUnpublished } from '../../shared/catalogue/publishing/publish.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { findPublic, readWineOfPublicPdf } from '../../shared/catalogue/wines/public-store.ts'
import { shardOf } from '../../shared/catalogue/wines/stored.ts'
import { changeWine } from '../../shared/catalogue/wines/write.ts'
import { publish as job, publishMissed as missed } from '../../shared/contract/jobs.ts'
import type { WineChange } from '../../shared/contract/records/wine.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { deleteItem, tableClient } from '../../shared/platform/table/table.ts'
import { failing, isTransaction } from '../support/failing-table.ts'
import { localServer } from '../support/local-server.ts'
import { metered } from '../support/meter.ts'
import { counted } from '../support/partitions.ts'
import {
  addPublic,
  changesIn,
  neighbours,
  newMerchant,
  publicDocOf,
  publicProblems,
  publish,
  rowsOf,
  runPublish,
  runPublishMissed,
} from '../support/published.ts'
import { crowd, fewerInFastLane } from '../support/sampling.ts'
import { missingRights } from '../support/used-rights.ts'

const notFound = { word: 'wine_not_found' }

/** Runs the job and asserts that the public items of the merchants follow from their wines. */
const expectPublished = async (...merchants: MerchantId[]) => {
  await runPublish(...merchants)
  expect(await publicProblems(merchants)).toEqual([])
}

const transactionsOf = async (act: () => Promise<unknown>): Promise<number> => {
  let transactions = 0
  await failing(command => {
    if (isTransaction(command)) transactions++
    return undefined
  }, act)
  return transactions
}

describe('an edit', () => {
  test('writes only its merchant’s own items: ten units in one transaction', async () => {
    const merchant = await newMerchant()
    const { id } = await addPublic(merchant, { description: 'Lang und kühl. '.repeat(20) })
    await publish(merchant)
    const before = await changesIn(shardOf(merchant))
    const written: string[] = []
    tableClient.middlewareStack.add(
      next => async args => {
        const { TransactItems = [] } = args.input as { TransactItems?: object[] }
        for (const one of TransactItems) written.push(...Object.keys(one))
        return next(args)
      },
      { step: 'initialize', name: 'written' },
    )
    const { units, requests } = await metered(() => editWine(merchant, id, { place: 'Keller' })).finally(() =>
      tableClient.middlewareStack.remove('written'),
    )
    const readUnits = 5
    expect([units - readUnits, requests, written]).toEqual([10, 2, ['Update', 'Put']])
    expect(await changesIn(shardOf(merchant))).toBe(before)
  })

  test(`never conflicts with one of another merchant: ${crowd} concurrent edits take ${crowd} transactions`, async () => {
    const merchants = await neighbours(crowd)
    const ids = await Promise.all(merchants.map(async merchant => (await addPublic(merchant)).id))
    const edits = () => Promise.all(merchants.map((one, n) => editWine(one, ids[n] ?? 0, { place: 'Zugleich' })))
    expect(await transactionsOf(edits)).toBe(crowd)
    await expectPublished(...merchants)
  })
})

describe('the job', () => {
  test('publishes wines that are shown, changed, renamed, hidden and shown again', async () => {
    const merchant = await newMerchant()
    const { id, hash } = await addPublic(merchant, { name: 'Erst', public: 0 })
    const steps: [WineChange, string | undefined][] = [
      [{ place: 'Ort' }, undefined],
      [{ public: 1 }, 'Erst'],
      [{ name: 'Dann' }, 'Dann'],
      [{ active: 0 }, undefined],
      [{ name: 'Im Dunkeln' }, undefined],
      [{ active: 1 }, 'Im Dunkeln'],
    ]
    for (const [data, name] of steps) {
      await editWine(merchant, id, data)
      await expectPublished(merchant)
      expect((await findPublic({ hash }).catch(() => undefined))?.name).toBe(name)
    }
    expect((await findPublic({ path_segment: 'im-dunkeln' })).id).toBe(id)
    for (const path_segment of ['erst', 'dann'])
      await expect(findPublic({ path_segment })).rejects.toMatchObject(notFound)
  })

  test('leads from a path_segment to a wine while one merchant alone shows it', async () => {
    const [one, other] = await neighbours(2)
    const [mine, theirs] = [await addPublic(one, { name: 'Zwilling' }), await addPublic(other, { name: 'Zwilling' })]
    await runPublish(one, other)
    await expect(findPublic({ path_segment: 'zwilling' })).rejects.toMatchObject(notFound)
    await editWine(one, mine.id, { name: 'Einling' })
    await expectPublished(one, other)
    const found = await Promise.all(['zwilling', 'einling'].map(path_segment => findPublic({ path_segment })))
    expect(found).toMatchObject([{ id: theirs.id }, { id: mine.id }])
  })

  test('writes nothing for changes of no public field: a hidden wine, and a sheet that was drawn', async () => {
    const merchant = await newMerchant()
    const [hidden, shown] = [await addPublic(merchant, { public: 0 }), await addPublic(merchant)]
    await publish(merchant)
    const before = await changesIn(shardOf(merchant))
    await editWine(merchant, hidden.id, { name: 'Heimlich' })
    const file = { key: 'expertise/1.pdf', bytes: 1, date: 1, supplied: false, wine: 2, template: 1, names: ['1.pdf'] }
    await changeWine(merchant, shown.id, async wine => ({ after: { ...wine, expertise: file } }))
    await runPublish(merchant)
    expect([await changesIn(shardOf(merchant)), await hasUnpublished(merchant)]).toEqual([before, false])
    await editWine(merchant, shown.id, { place: 'Offen' })
    await expectPublished(merchant)
    expect(await changesIn(shardOf(merchant))).toBe(before + 1)
  })

  test('counts each change once, however many runs there are, concurrent runs included', async () => {
    const merchant = await newMerchant()
    const before = await changesIn(shardOf(merchant))
    await importWines(merchant, rowsOf(130))
    await Promise.all(counted(fewerInFastLane(3, 8)).map(() => runPublish(merchant, merchant)))
    await expectPublished(merchant)
    await runPublishMissed()
    expect(await changesIn(shardOf(merchant))).toBe(before + 130)
  })

  test('fills its transactions, for any number of wines and for large wines', async () => {
    const merchant = await newMerchant()
    const large = rowsOf(60, { description: 'x'.repeat(9000) }).map((row, n) => ({ ...row, articlenumber: `L${n}` }))
    await importWines(merchant, [...rowsOf(300), ...large])
    // 98 actions in each: three of a new wine, and a wine that does not fit waits for the next.
    expect(await transactionsOf(() => publish(merchant))).toBeLessThanOrEqual(Math.ceil(360 / 32) + 2)
    expect(await publicProblems([merchant])).toEqual([])
  })

  test('needs no permission that the jobs do not declare', async () => {
    const merchant = await newMerchant()
    await importWines(merchant, rowsOf(3))
    expect(await missingRights(job.permissions, () => runPublish(merchant))).toEqual([])
    const { id } = await addPublic(merchant)
    await editWine(merchant, id, { name: 'Anders' })
    expect(await missingRights(missed.permissions, () => runPublishMissed())).toEqual([])
  })
})

test('a sheet shows the wine as its merchant has it, published or not', async () => {
  const merchant = await newMerchant()
  const { id } = await addPublic(merchant, { place: 'Hier' })
  const shown = async () => (await readWineOfPublicPdf(id))?.place
  expect([await publicDocOf(id), await shown()]).toEqual([undefined, 'Hier'])
  await publish(merchant)
  await editWine(merchant, id, { place: 'Dort' })
  expect(await shown()).toBe('Dort')
  // A wine of a release without owner items.
  await deleteItem(key('wineOwner', { id }))
  expect(await shown()).toBe('Dort')
  await editWine(merchant, id, { public: 0, shop: 1 })
  expect(await shown()).toBe('Dort')
  await editWine(merchant, id, { active: 0 })
  expect([await publicDocOf(id), await shown()]).toEqual([expect.any(String), undefined])
  expect(await readWineOfPublicPdf(2 ** 50)).toBeUndefined()
})

test('a wine is published, and later wines are not delayed, while Lambda does not answer the start of the job of events', async () => {
  let asked = 0
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: await localServer(() => asked++),
    STARTED_FUNCTION_NAME: 'the-job-of-events',
  })
  const merchant = await newMerchant()
  const { id } = await addPublic(merchant)
  await runPublish(merchant)
  expect(asked).toBeGreaterThan(0)
  expect(await publicDocOf(id)).toEqual(expect.any(String))
})
