import { actAsOperator } from '../../lib/tool/connect.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { addWine, editWine } from '../../shared/catalogue/wines/edit.ts'
import { shardOf } from '../../shared/catalogue/wines/stored.ts'
import { key, type MerchantId, merchantIdOf } from '../../shared/platform/table/keys.ts'
import { deleteItem } from '../../shared/platform/table/table.ts'
import { eventually } from '../support/eventually.ts'
import type { Json } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { neighbours, publicProblems } from '../support/published.ts'
import { invokeOn, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { untilPublished } from '../support/until-published.ts'

// A twin of this file's own: the stream and the clock start its jobs, and it is killed.
const folder = temporaryFolder('publishing')
let twin: TwinProcess

const start = async () => {
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no' } })
  actAsOperator(twin.connection)
}

beforeAll(async () => {
  await start()
})

afterAll(async () => {
  await twin?.stop()
})

const ask = async (path: string, body: object): Promise<Json> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(twin.connection.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

let named = 0
const least = () => ({ name: `Wein ${++named}`, type: 'red', countrycode: 'de', region: 1005 }) as const
const placeOf = (merchant: MerchantId) => `Ort ${merchant}.`
const rowsOf = (count: number, merchant: MerchantId): WineRow[] =>
  counted(count).map(n => ({ ...least(), articlenumber: `${n}`, place: placeOf(merchant), public: 1 }))

/** The number of public wines of each merchant. */
const countsOf = (merchants: readonly MerchantId[]) =>
  Promise.all(merchants.map(async one => (await ask('/wines/search', { filter: { place: placeOf(one) } })).totalCount))

test('concurrent imports and edits of merchants in one partition are visible to the public, and hidden again', async () => {
  const merchants = await neighbours(4)
  await Promise.all(merchants.map(merchant => importWines(merchant, rowsOf(120, merchant))))
  const shown = await Promise.all(
    merchants.map(merchant => addWine(merchant, 1, { ...least(), place: placeOf(merchant), public: 1 })),
  )
  for (const merchant of merchants) await untilPublished(merchant)
  expect(await publicProblems()).toEqual([])
  const counts = () => countsOf(merchants)
  expect(await eventually(counts, found => found.every(count => count === 121))).toEqual(Array(4).fill(121))
  await Promise.all(shown.map(({ id }, n) => editWine(merchants[n] as MerchantId, id, { active: 0 })))
  expect(await eventually(counts, found => found.every(count => count === 120))).toEqual(Array(4).fill(120))
  expect(await publicProblems()).toEqual([])
})

test('the scheduled job publishes, with its own permissions, changes that the stream lost', async () => {
  const merchant = merchantIdOf((await createMerchant({ name: 'Verlust' })).id)
  const { id, hash } = await addWine(merchant, 1, { ...least(), public: 1 })
  await untilPublished(merchant)
  // As if the stream had lost the change; on a busy machine it may still deliver the change once more.
  const lose = async (): Promise<unknown> => {
    await deleteItem(key('publication', { merchant }))
    await deleteItem(key('publicWine', { shard: shardOf(id), id }))
    await deleteItem(key('publicHash', { hash }))
    return (await ask('/wines/getPublic', { hash })).error
  }
  expect(await eventually(lose, error => error === 'wine_not_found')).toBe('wine_not_found')
  expect(await invokeOn(twin, 'jobs/publishMissed')).toBeUndefined()
  expect((await ask('/wines/getPublic', { hash })).data.id).toBe(id)
  expect(await publicProblems()).toEqual([])
})

test('changes that were written before the twin was killed are published when it runs again', async () => {
  const merchants = await neighbours(3)
  for (const merchant of merchants) await importWines(merchant, rowsOf(40, merchant))
  const [first = 0 as MerchantId] = merchants
  const { id } = await addWine(first, 1, { ...least(), place: placeOf(first), public: 1 })
  // With all that its jobs were about to do.
  await twin.stop('SIGKILL')
  await start()
  const expected = merchants.map(merchant => (merchant === first ? 41 : 40))
  expect(
    await eventually(
      () => countsOf(merchants),
      counts => `${counts}` === `${expected}`,
    ),
  ).toEqual(expected)
  expect((await ask('/wines/getPublic', { id })).data.id).toBe(id)
}, 240_000)
