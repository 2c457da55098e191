import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { publicView, publicWineOf, shardOf, wineOf, wireWine } from '../../shared/catalogue/wines/stored.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { indexKey, key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, queryEntries } from '../../shared/platform/table/table.ts'
import { newShop } from '../support/harness.ts'
import { chanceOf } from '../support/indexed-wines.ts'
import { repetitions } from '../support/sampling.ts'
import { untilPublished } from '../support/until-published.ts'
import { answerByScan, anyQuestion, found } from '../support/wine-questions.ts'

const rows: WineRow[] = Array.from({ length: 50 }, (_, n) => ({
  articlenumber: `A-${n}`,
  name: `Wein ${n}`,
  type: 'white',
  countrycode: 'de',
  region: 1005,
  active: 1,
  public: n % 2 ? 1 : 0,
}))
const shop = await newShop()
await importWines(shop.id, rows)

const entries = () => queryEntries({ pk: partition('wine', { merchant: shop.id }) })
const wines = async () => (await entries()).map(({ item }) => wineOf(item))
const counter = async () => (await getItem(key('catalogue', { merchant: shop.id })))?.version ?? 0
const edit = (id: number, data: object) => shop.call('wines/edit', { id, data })
const ids = (await wines()).map(({ id }) => id)
const [id = 0] = ids

/** Asserts that each wine has a unique catalogue version, none above the counter. */
const expectVersions = async (before: number, writes: number) => {
  const last = await counter()
  const versions = (await entries()).map(({ index = '' }) => index)
  expect(last).toBe(before + writes)
  expect(new Set(versions).size).toBe(versions.length)
  expect(versions.every(version => version <= indexKey('wine', { version: last }))).toBe(true)
  return versions.filter(version => version > indexKey('wine', { version: before }))
}

const fields = ['place', 'description', 'terroir', 'maturation', 'quality_note'] as const

test('fifty concurrent edits of one wine are all stored, each on top of the previous', async () => {
  const before = await counter()
  const edits = Array.from({ length: 50 }, (_, n) => ({
    field: fields[n % 5] as (typeof fields)[number],
    text: `T${n}`,
  }))
  const answers = await Promise.all(edits.map(({ field, text }) => edit(id, { [field]: text })))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  const done = answers.map(({ json }, n) => ({ ...edits[n], version: json.data.version as number }))
  expect(done.map(({ version }) => version).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 2))
  const wine = (await wines()).find(one => one.id === id) as Wine
  for (const field of fields) {
    const last = done.filter(one => one.field === field).sort((a, b) => b.version - a.version)[0]
    expect(wine[field]).toBe(last?.text)
  }
  expect(await expectVersions(before, 50)).toHaveLength(1)
})

test('one of many concurrent edits with one version is accepted', async () => {
  const version = (await wines()).find(one => one.id === id)?.version
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => edit(id, { place: `V${n}`, version })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
})

test('concurrent edits of fifty wines are all stored, each with a version of its own', async () => {
  const before = await counter()
  const answers = await Promise.all(ids.map((one, n) => edit(one, { vintage: 1950 + n })))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect((await wines()).map(({ vintage }) => vintage)).toEqual(ids.map((_, n) => 1950 + n))
  const versions = await expectVersions(before, 50)
  expect(versions.sort()).toEqual(Array.from({ length: 50 }, (_, n) => indexKey('wine', { version: before + n + 1 })))
})

test('fifty instances that edit concurrently lose nothing', async () => {
  const before = await counter()
  // Straight into the table: the local gateway has four instances of a function, the cloud has many more.
  await Promise.all(ids.map((one, n) => editWine(shop.id, one, { taxrate: n })))
  expect((await wines()).map(({ taxrate }) => taxrate)).toEqual(ids.map((_, n) => n))
  expect(await expectVersions(before, 50)).toHaveLength(50)
})

test('after all edits, searches and public records match the table', async () => {
  const stored = await wines()
  const chance = chanceOf(7)
  for (let n = 0; n < 30; n++) {
    const question = anyQuestion(stored, chance)
    const answers = await Promise.all([1, 2].map(() => shop.call('wines/search', question)))
    for (const answer of answers)
      expect({ question, ...found(answer) }).toEqual({ question, ...answerByScan(stored.map(wireWine), question) })
  }
  await untilPublished(shop.id)
  for (const wine of stored) {
    const item = await getItem(key('publicWine', { shard: shardOf(wine.id), id: wine.id }))
    expect(item && 'doc' in item ? publicWineOf(item) : undefined).toEqual(wine.public ? publicView(wine) : undefined)
  }
})

/** 1,000 with npm run test:long. */
const edits = repetitions('STALE_READ_EDITS', 12)

test(
  `after each of ${edits} edits, two instances find the new text immediately, and the old one no more`,
  async () => {
    const stale: unknown[] = []
    const lane = async (wine: number, number: number) => {
      let old = 'never'
      const counts = async (text: string) => {
        const answers = await Promise.all([1, 2].map(() => shop.call('wines/search', { query: text, pageSize: 1 })))
        return answers.map(({ json }) => json.totalCount)
      }
      for (let n = 0; n < edits / 4; n++) {
        const text = `lane${number}round${n}.`
        await edit(wine, { place: text })
        const [now, before] = [await counts(text), await counts(old)]
        if (String([now, before]) !== '1,1,0,0') stale.push({ text, now, before })
        old = text
      }
    }
    await Promise.all(ids.slice(0, 4).map(lane))
    expect(stale).toEqual([])
  },
  Math.max(180_000, edits * 200),
)
