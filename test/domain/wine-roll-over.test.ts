import { publicWineOf, shardOf } from '../../shared/catalogue/wines/stored.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { failing, isTransaction } from '../support/failing-table.ts'
import { type Answer, call, type Json } from '../support/harness.ts'
import { staleWines } from '../support/stale-wine.ts'
import { untilPublished } from '../support/until-published.ts'
import { analysis, facts as whole } from '../support/wine-facts.ts'
import { getPublic, newWineShop, recordOf, refusal } from '../support/wine-shop.ts'

const shop = await newWineShop('Weingut Jahrgang')
const other = await newWineShop('Weingut Fremd')
const { winery, categories, ranges, added, edit, get } = shop
const withStaleWine = staleWines()

const rollOver = (id: unknown, vintage: unknown, data?: unknown): Promise<Answer> =>
  shop.call('wines/rollOver', { id, vintage, data })

/** The next vintage of a wine. */
const rolledOver = async (id: number, vintage: number, data?: object): Promise<Json> => {
  const { status, json } = await rollOver(id, vintage, data)
  expect([status, json.details]).toEqual([200, undefined])
  return recordOf(json.data)
}

const bySegment = async (path_segment: string): Promise<number> =>
  (await shop.call('wines/get', { path_segment })).json.data?.id

const wineCount = async (): Promise<number> => (await query({ pk: partition('wine', { merchant: shop.id }) })).length

const full = {
  ...{ vintage: 2023, articlenumber: 'R-1', type: 'red', region: 1008, place: 'Forster Ungeheuer', quality: 'cabinet' },
  ...{ quality_note: 'GG', taste_id: 1, alcohol: '12.5', sweetness: '4.2', acid: '6.8', gtin: '4006381333931' },
  ...{
    bottlesize: '0.375',
    drinktemperature: '8-10',
    description: 'Saftig.\nLang.',
    terroir: 'Löß',
    maturation: 'Fass',
  },
  ...{ bottling_type: 'estate', cap: 'cork', cuvee: 1, bio: 1, vegan: 1, active: 1, public: 1, shop: 1, winesearch: 1 },
  ...{ internal: 1, network: 1, topseller: 1, nostocktext: 'Ausgetrunken', sorting: 3, weight: 1300, gross: '11.90' },
  ...{
    taxrate: 7,
    allergenIds: [12],
    grapetypeIds: [17, 5],
    winery_id: winery,
    categoryIds: categories,
    image: 'drawn',
  },
  prices: [{ price_range_id: ranges[0], gross: '9.52' }],
}

describe('the next vintage', () => {
  test('has all of the wine but what belongs to its year, and is sold out', async () => {
    const former = recordOf(await added(full))
    const next = await rolledOver(former.id, 2024)
    const ofItsYear = {
      ...{ alcohol: null, sweetness: null, acid: null, gtin: null, nostock: 1, nostocktext: null },
      ...{ version: 1, vintage: 2024, predecessor_id: former.id, successor_id: null },
      prices: former.prices.map((price: object) => ({ ...price, wine_id: next.id })),
      expertisePdf: `/PDF/${next.id}/${former.pdf}`,
    }
    const { id, hash, image, crstamp, chstamp, ...rest } = next
    expect({ ...former, ...rest }).toEqual({ ...former, ...ofItsYear })
    expect(new Set([id, former.id]).size).toBe(2)
    expect([hash, image].map(text => [former.hash, former.image].includes(text))).toEqual([false, false])
    expect(await get(id)).toEqual(next)
  })

  test('takes over path_segment and article number, and the former wine keeps all else', async () => {
    const former = recordOf(await added({ name: 'Lemberger', articlenumber: 'L-1', vintage: 2022, public: 1 }))
    const next = await rolledOver(former.id, 2023)
    expect([next.path_segment, next.articlenumber]).toEqual(['lemberger', 'L-1'])
    const { chstamp, ...kept } = await get(former.id)
    const given = { path_segment: 'lemberger-2022', articlenumber: 'L-1-2022', successor_id: next.id, version: 2 }
    expect({ ...former, ...kept }).toEqual({ ...former, ...given })
    expect([await bySegment('lemberger'), await bySegment('lemberger-2022')]).toEqual([next.id, former.id])
    const last = await rolledOver(next.id, 2024)
    expect(await get(next.id)).toMatchObject({ path_segment: 'lemberger-2023', articlenumber: 'L-1-2023' })
    expect(await bySegment('lemberger')).toBe(last.id)
  })

  test('is what data says instead', async () => {
    const former = await added({ ...full, articlenumber: 'D-1', winery_id: null })
    const data = {
      ...{
        name: 'Neuer Name',
        alcohol: '13.0',
        nostock: 0,
        gross: '12.90',
        public: 0,
        countrycode: 'at',
        region: 'Wagram',
      },
      ...{ quality: 'dac', categoryIds: [], prices: [], winery_id: winery },
    }
    const next = await rolledOver(former.id, 2025, data)
    expect(next).toMatchObject({ ...data, region: 8004, net: '12.06', path_segment: former.path_segment })
    expect(next.winery.id).toBe(winery)
    expect((await get(former.id)).path_segment).toBe(`${former.path_segment}-2023`)
  })

  test('of another article number or path_segment leaves the former wine its own', async () => {
    const former = await added({ vintage: 2020, articlenumber: 'E-1' })
    const next = await rolledOver(former.id, 2021, { articlenumber: 'E-2', path_segment: 'eigener-2021' })
    expect(next).toMatchObject({ articlenumber: 'E-2', path_segment: 'eigener-2021' })
    expect(await get(former.id)).toMatchObject({ articlenumber: 'E-1', path_segment: former.path_segment })
    expect(await bySegment(former.path_segment)).toBe(former.id)
  })

  test('does not have a supplied picture, nor the stock', async () => {
    const image = '/Images/wine/1/0123456789abcdef0123456789abcdef-720x1600.webp'
    const former = await added({ vintage: 2020, image })
    await updateItem(key('stock', { merchant: shop.id, type: 'wine', id: former.id }), { set: { quantity: 7 } })
    const next = await rolledOver(former.id, 2021)
    expect(next.image).toBeNull()
    expect(await getItem(key('stock', { merchant: shop.id, type: 'wine', id: next.id }))).toBeUndefined()
    expect((await getItem(key('stock', { merchant: shop.id, type: 'wine', id: former.id })))?.quantity).toBe(7)
  })

  test('moves the former wine to a free path_segment, and an article number stays short enough', async () => {
    const number = 'n'.repeat(255)
    const former = await added({ name: 'Doppelt', vintage: 2020, articlenumber: number })
    for (const path_segment of ['doppelt-2020', 'doppelt-2020-2']) await added({ path_segment })
    await rolledOver(former.id, 2021)
    expect(await get(former.id)).toMatchObject({
      path_segment: 'doppelt-2020-3',
      articlenumber: `${'n'.repeat(250)}-2020`,
    })
    const bottles = await added({ vintage: 2020, articlenumber: `n${'🍷'.repeat(127)}` })
    await rolledOver(bottles.id, 2021)
    expect((await get(bottles.id)).articlenumber).toBe(`n${'🍷'.repeat(124)}\ufffd-2020`)
  })

  test('moves the former wine to a free path_segment where its own is as long as may be', async () => {
    const long = await added({ name: 'ä'.repeat(255), vintage: 2020 })
    for (const n of [2, 3]) await added({ path_segment: `${long.path_segment}-${n}` })
    await rolledOver(long.id, 2021)
    expect((await get(long.id)).path_segment).toBe(`${'ae'.repeat(100)}-4`)
  })
})

test('the label of a former vintage stays as it is, and the next vintage has facts and a label of its own', async () => {
  const facts = { ...whole, published: 1 }
  const former = await added({ ...analysis, vintage: 2023, facts })
  const label = async ({ hash }: Json) => (await call('/elabels/get', { uuid: hash })).json
  const before = await label(former)
  const next = await rolledOver(former.id, 2024)
  const factsOf = async ({ id }: Json) => (await shop.call('facts/getAll', { wine_id: id })).json
  expect((await factsOf(next)).label).toEqual({ status: 'none', url: null })
  expect((await label(next)).error).toBe('label_not_found')
  expect(await label(former)).toEqual(before)
  const last = await rolledOver(next.id, 2025, { ...analysis, alcohol: '13.0', facts })
  expect([(await factsOf(last)).label.status, last.hash !== former.hash]).toEqual(['published', true])
  expect((await label(last)).error).toBeUndefined()
  expect(refusal(await rollOver(last.id, 2026, { facts }))).toEqual([422, 'label_incomplete', 'data.alcohol'])
  expect(refusal(await edit(former.id, { vintage: 2022 }))).toEqual([409, 'label_published', 'data.vintage'])
})

describe('a translation', () => {
  const entry = ({ id, language, name, path_segment }: Json) => ({ id, language, name, path_segment })

  test("translates its original's next vintage, and stays in the list of its original", async () => {
    const original = await added({ vintage: 2020, name: 'Weißer' })
    const english = await added({ vintage: 2020, name: 'White', origin_id: original.id, language: 'en' })
    const next = await rolledOver(original.id, 2021)
    expect(next.translations).toEqual([])
    const white = await rolledOver(english.id, 2021)
    expect([white.origin_id, white.language]).toEqual([next.id, 'en'])
    expect((await get(next.id)).translations).toEqual([entry(white)])
    const former = await get(english.id)
    expect(former).toMatchObject({ origin_id: original.id, path_segment: 'white-2020' })
    expect((await get(original.id)).translations).toEqual([entry(former)])
  })

  test('of a wine without a next vintage becomes an original', async () => {
    const original = await added({ vintage: 2020 })
    const english = await added({ vintage: 2020, origin_id: original.id, language: 'en' })
    expect((await rolledOver(english.id, 2021)).origin_id).toBeNull()
    expect((await get(original.id)).translations).toEqual([entry(await get(english.id))])
  })

  test('is one of another vintage only if data names another original', async () => {
    const [original, another] = [await added({ vintage: 2020 }), await added({ vintage: 2021 })]
    const english = await added({ vintage: 2020, origin_id: original.id, language: 'en' })
    const refused = [422, 'reference_not_found', 'data.origin_id']
    expect(refusal(await rollOver(english.id, 2021, { origin_id: original.id, language: 'fr' }))).toEqual(refused)
    expect(refusal(await rollOver(original.id, 2021, { origin_id: original.id, language: 'fr' }))).toEqual(refused)
    const next = await rolledOver(english.id, 2021, { origin_id: another.id })
    expect((await get(another.id)).translations).toEqual([entry(next)])
  })
})

describe('a repeat', () => {
  test('of the same year returns the same wine as it is now, of another year is refused', async () => {
    const former = await added({ vintage: 2020 })
    const next = await rolledOver(former.id, 2021)
    await edit(next.id, { place: 'Neu' })
    const count = await wineCount()
    expect(await rolledOver(former.id, 2021, { place: 'Anders' })).toEqual(await get(next.id))
    expect(refusal(await rollOver(former.id, 2022))).toEqual([409, 'already_rolled_over', 'vintage'])
    expect([await wineCount(), (await get(former.id)).version]).toEqual([count, 2])
  })

  test('of 64 at once makes one wine', async () => {
    const former = await added({ name: 'Vielfach', vintage: 2020, public: 1 })
    const count = await wineCount()
    const answers = await Promise.all(Array.from({ length: 64 }, () => rollOver(former.id, 2021)))
    expect(answers.filter(({ status }) => status !== 200).map(({ json }) => json)).toEqual([])
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1)
    expect(await wineCount()).toBe(count + 1)
  })

  test('of two years at once makes one of the two', async () => {
    const former = await added({ vintage: 2020 })
    const answers = await Promise.all([2021, 2022, 2021, 2022].map(vintage => rollOver(former.id, vintage)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    const [one] = answers.filter(({ status }) => status === 200)
    expect((await get(former.id)).successor_id).toBe(one?.json.data.id)
  })

  test.each(['before', 'after'] as const)('finds nothing half done if the table failed %s the write', async when => {
    const former = await added({ vintage: 2020 })
    const count = await wineCount()
    const fails = (command: string) => (isTransaction(command) ? when : undefined)
    expect((await failing(fails, () => rollOver(former.id, 2021))).status).toBe(503)
    const made = when === 'after' ? 1 : 0
    expect([(await get(former.id)).version, await wineCount()]).toEqual([1 + made, count + made])
    const next = await rolledOver(former.id, 2021)
    expect([(await get(former.id)).successor_id, await wineCount()]).toEqual([next.id, count + 1])
    expect(await bySegment(former.path_segment)).toBe(next.id)
  })

  test('of a wine that does not show its next vintage yet returns that, too', async () => {
    const original = await added({ vintage: 2020 })
    const english = await added({ vintage: 2020, origin_id: original.id, language: 'en' })
    const white = await added({ vintage: 2020, origin_id: original.id, language: 'it' })
    for (const [wine, data] of [
      [original],
      [original, { path_segment: original.path_segment }],
      [english],
      [white, { language: 'fr' }],
    ] as const) {
      const next = await rolledOver(wine.id, 2021, data)
      expect(await withStaleWine(() => rolledOver(wine.id, 2021, data))).toEqual(next)
    }
    expect(refusal(await withStaleWine(() => rollOver(english.id, 2022)))).toEqual([
      409,
      'already_rolled_over',
      'vintage',
    ])
  })

  test('waits for a next vintage that does not show yet, and is 503 if it never does', async () => {
    const former = await added({ vintage: 2020 })
    const next = await rolledOver(former.id, 2021)
    // The next wine is deleted behind the service's back, as a read that sees a transaction half would.
    const place = key('wine', { merchant: shop.id, id: former.id })
    const doc = (await getItem(place))?.doc ?? ''
    await updateItem(place, { set: { doc: doc.replace(`"successor_id":${next.id}`, '"successor_id":999999999') } })
    const { status, json } = await rollOver(former.id, 2021)
    expect([status, json.error]).toEqual([503, 'temporarily_unavailable'])
  })
})

test('refusals name the field, and nothing is written', async () => {
  const [former, without, foreign] = [
    await added({ vintage: 2020 }),
    await added(),
    await other.added({ vintage: 2020 }),
  ]
  const count = await wineCount()
  const refused = async (id: unknown, vintage: unknown, data?: object) => refusal(await rollOver(id, vintage, data))
  expect(await refused(former.id, 2020)).toEqual([400, 'validation_failed', 'vintage'])
  expect(await refused(former.id, 1999)).toEqual([400, 'validation_failed', 'vintage'])
  expect(await refused(without.id, 2020)).toEqual([400, 'validation_failed', 'id'])
  expect(await refused(foreign.id, 2021)).toEqual([404, 'wine_not_found', undefined])
  expect(await refused(former.id, 2021, { vintage: 2021 })).toEqual([400, 'field_not_writable', 'data.vintage'])
  expect(await refused(former.id, 2021, { successor_id: 1 })).toEqual([400, 'field_not_writable', 'data.successor_id'])
  expect(await refused(former.id, 2021, { winery_id: 4711 })).toEqual([422, 'reference_not_found', 'data.winery_id'])
  expect(await refused(former.id, 2021, { gross: '1.00', net: '3.00' })).toEqual([
    422,
    'price_inconsistent',
    'data.gross',
  ])
  const taken = { path_segment: without.path_segment }
  expect(await refused(former.id, 2021, taken)).toEqual([409, 'slug_taken', 'data.path_segment'])
  expect([await get(former.id), await wineCount()]).toEqual([recordOf(former), count])
  expect((await edit(former.id, { successor_id: 1 })).json.error).toBe('field_not_writable')
})

test('a merchant at its limit of wines makes no next vintage', async () => {
  const small = await newWineShop()
  const former = await small.added({ vintage: 2020 })
  await updateItem(key('quota', { merchant: small.id, name: 'wines' }), { set: { limit: 2 } })
  const { status, json } = await small.call('wines/rollOver', { id: former.id, vintage: 2021 })
  expect([status, json.error]).toEqual([422, 'quota_exceeded'])
  await updateItem(key('quota', { merchant: small.id, name: 'wines' }), { set: { limit: 3 } })
  expect((await small.call('wines/rollOver', { id: former.id, vintage: 2021 })).status).toBe(200)
  expect((await getItem(key('catalogue', { merchant: small.id })))?.wines).toBe(3)
})

test('public records lead on by path_segment and id; of a hidden next vintage they show its id alone', async () => {
  const former = await added({ name: `Offen ${shop.id}`, vintage: 2020, public: 1 })
  const next = await rolledOver(former.id, 2021, { description: 'Geheim', public: 0 })
  await untilPublished(shop.id)
  const shown = async (id: number) => {
    const item = await getItem(key('publicWine', { shard: shardOf(id), id }))
    return item && 'doc' in item ? publicWineOf(item) : undefined
  }
  expect(await shown(former.id)).toMatchObject({ successor_id: next.id, path_segment: `offen-${shop.id}-2020` })
  expect(JSON.stringify(await shown(former.id))).not.toContain('Geheim')
  expect(await shown(next.id)).toBeUndefined()
  expect((await getPublic('/wines/getPublic', { id: next.id })).json.error).toBe('wine_not_found')
  await edit(next.id, { public: 1 })
  await untilPublished(shop.id)
  expect(await shown(next.id)).toMatchObject({ predecessor_id: former.id, path_segment: `offen-${shop.id}` })
  const found = await getPublic('/wines/getPublic', { hash: former.hash })
  expect(found.json.data).toMatchObject({ id: former.id, vintage: 2020, successor_id: next.id })
})
