import {
  allergenIds,
  bottlingTypes,
  caps,
  qualities,
  tasteIds,
  wineTypes,
} from '../../shared/contract/labels/labels.ts'
import { NewWine } from '../../shared/contract/records/wine.ts'
import { badIds, harmlessTexts } from '../support/bad-values.ts'
import type { Json } from '../support/harness.ts'
import { newWineShop, recordOf, refusal } from '../support/wine-shop.ts'

const shop = await newWineShop()
const { winery, categories, ranges, least, add, edit, get, added } = shop

const flags = ['vegan', 'active', 'public', 'shop', 'winesearch', 'internal', 'network', 'topseller', 'nostock']

/** Every writable field: a value to send, and the value in the record if it differs. */
const settable: Record<string, [sent: unknown, stored?: unknown]> = {
  name: [' Spätburgunder  „Alte Reben“ 🍷', 'Spätburgunder  „Alte Reben“ 🍷'],
  type: ['red'],
  countrycode: ['at'],
  region: ['8003', 8003],
  articlenumber: ['A-1'],
  taste_id: ['15', 15],
  vintage: [2024],
  alcohol: [12.5, '12.5'],
  sweetness: ['8', '8.0'],
  acid: [0, '0.0'],
  bottlesize: ['0.75', '0.750'],
  drinktemperature: ['8-10'],
  gross: ['11.90'],
  net: ['10.00'],
  tax: [1.9, '1.90'],
  taxrate: ['19', 19],
  place: ['Gumpoldskirchen'],
  description: ['Zwei\r\nZeilen.', 'Zwei\nZeilen.'],
  quality: ['dac'],
  quality_note: ['Mu\u0308hlberg', 'Mühlberg'],
  terroir: ['Löß'],
  maturation: ['Barrique'],
  bottling_type: ['estate'],
  cap: ['crownCap'],
  gtin: ['4006381333931'],
  cuvee: [true, 1],
  bio: ['1', 1],
  ...Object.fromEntries(flags.map(flag => [flag, [1]])),
  nostocktext: ['ausverkauft'],
  sorting: [3],
  weight: ['1250', 1250],
  language: ['en'],
  allergenIds: [
    [12, '7'],
    [12, 7],
  ],
  grapetypeIds: [[629, 3]],
  origin_id: [null],
  winery_id: [winery],
  image: ['/Images/wine/1/0123456789abcdef0123456789abcdef-720x1600.webp'],
  categoryIds: [categories],
  prices: [
    [{ price_range_id: ranges[0], gross: '9.52' }],
    [
      {
        price_range_id: ranges[0],
        priceRangeName: 'Gastronomie',
        gross: '9.52',
        net: '8.00',
        tax: '1.52',
        taxrate: 19,
      },
    ],
  ],
}
const sent = Object.fromEntries(Object.entries(settable).map(([field, [value]]) => [field, value]))
const stored = Object.fromEntries(Object.entries(settable).map(([field, [value, as = value]]) => [field, as]))
const storedBy = (id: number) => ({
  ...stored,
  prices: (stored.prices as object[]).map(price => ({ ...price, wine_id: id })),
})

test('these fields and the unique path_segment are all writable fields of the contract', () => {
  expect([...Object.keys(settable), 'path_segment'].sort()).toEqual(Object.keys(NewWine.entries).sort())
})

describe('a new wine', () => {
  test('needs name, type, country and region only', async () => {
    const data = least()
    const { status, json } = await add(data)
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      ...data,
      ...{ gross: '0.00', net: '0.00', tax: '0.00', taxrate: 19, bottlesize: '0.750', language: 'de', active: 1 },
      ...{ public: 0, shop: 0, network: 0, internal: 0, winery: null, prices: [], categoryIds: [], translations: [] },
      ...{
        customers_id: shop.id,
        version: 1,
        path_segment: json.data.name.toLowerCase().replaceAll(' ', '-'),
        pdf: `${json.data.path_segment}.pdf`,
        expertisePdf: null,
      },
    })
    expect(json.data.cruser_id).toBeGreaterThan(0)
    expect(json.data.crstamp).toBe(json.data.chstamp)
    expect(await get(json.data.id)).toEqual(recordOf(json.data))
    for (const field of Object.keys(data)) {
      const { [field]: _, ...rest } = data as Record<string, unknown>
      expect(refusal(await add(rest))).toEqual([400, 'validation_failed', `data.${field}`])
    }
  })

  test('takes every field that may be set', async () => {
    const { status, json } = await add(sent)
    expect(status).toBe(200)
    expect(json.data).toMatchObject(storedBy(json.data.id))
    expect(json.data.winery).toMatchObject({ id: winery, name: 'Gut Sonne', www: 'https://example.org' })
    expect(await get(json.data.id)).toEqual(recordOf(json.data))
  })
})

describe('an edit', () => {
  test('sets every field that may be set, answers the record, and changes nothing else', async () => {
    const before = await added()
    const { json } = await edit(before.id, { ...sent, name: 'Ganz anders' })
    expect(json.data).toMatchObject({
      ...storedBy(before.id),
      name: 'Ganz anders',
      path_segment: 'ganz-anders',
      version: 2,
    })
    for (const field of ['id', 'customers_id', 'cruser_id', 'crstamp', 'hash', 'pdf', 'translations'])
      expect([field, json.data[field]]).toEqual([field, before[field]])
    expect(await get(before.id)).toEqual(recordOf(json.data))
  })

  test.each(
    Object.entries(settable).filter(
      ([field]) => !['name', 'net', 'tax', 'region', 'countrycode', 'quality'].includes(field),
    ),
  )('sets %s and leaves the others', async (field, [value, as = value]) => {
    const before = await added({ taxrate: 19 })
    const { status, json } = await edit(before.id, { [field]: value })
    const { version, chstamp, path_segment, net, tax, winery: embedded, prices, expertisePdf, ...others } = before
    expect(status).toBe(200)
    expect(json.data).toMatchObject(field === 'prices' ? others : { ...others, prices, [field]: as })
    expect(json.data.version).toBe(2)
  })

  test('clears the optional fields', async () => {
    const wine = await added({ ...sent, name: 'Leer' })
    const nothing = {
      ...{ articlenumber: null, taste_id: null, vintage: null, alcohol: null, sweetness: null, acid: null, place: '' },
      ...{ drinktemperature: '', description: ' ', quality: null, quality_note: null, terroir: null, maturation: null },
      ...{ bottling_type: null, cap: null, gtin: '', nostocktext: null, winery_id: null, image: null },
    }
    const lists = { allergenIds: [], grapetypeIds: [], categoryIds: [], prices: [] }
    const { json } = await edit(wine.id, { ...nothing, ...lists })
    const cleared = Object.fromEntries(Object.keys(nothing).map(field => [field, null]))
    expect(json.data).toMatchObject({ ...cleared, ...lists, winery: null })
  })

  test('stores texts with special characters unchanged', async () => {
    const { id } = await added()
    for (const text of harmlessTexts) {
      const { json } = await edit(id, { place: text, description: text })
      expect([json.data.place, json.data.description]).toEqual([text, text])
    }
  })

  test('of a missing wine is not found, and an empty one is refused', async () => {
    expect(refusal(await edit(2 ** 53 - 1, { name: 'x' }))).toEqual([404, 'wine_not_found', undefined])
    expect(refusal(await edit((await added()).id, {}))).toEqual([400, 'nothing_to_change', undefined])
    expect(refusal(await edit((await added()).id, { version: 1 }))).toEqual([400, 'nothing_to_change', undefined])
    for (const id of badIds) expect(refusal(await edit(id, { name: 'x' }))).toEqual([400, 'validation_failed', 'id'])
    for (const data of [null, [], 'x', 7]) expect((await edit(1, data)).status).toBe(400)
  })

  test('is accepted with the version that was read, and not with an older or newer one', async () => {
    const { id } = await added()
    expect((await edit(id, { place: 'A', version: 1 })).json.data.version).toBe(2)
    for (const version of [1, 3]) {
      expect(refusal(await edit(id, { place: 'B', version }))).toEqual([409, 'version_conflict', undefined])
    }
    expect(await get(id)).toMatchObject({ place: 'A', version: 2 })
  })
})

describe('the tables of a wine', () => {
  test.each([
    ['type', wineTypes],
    ['taste_id', tasteIds],
    ['bottling_type', bottlingTypes],
    ['cap', caps],
  ])('%s takes every word of its table', async (field, table) => {
    const { id } = await added()
    for (const value of table) expect((await edit(id, { [field]: value })).json.data[field]).toBe(value)
  })

  test('allergens are the fourteen of the EU', async () => {
    expect((await added({ allergenIds })).allergenIds).toEqual([...allergenIds])
  })

  test.each([
    ['de', 1013, 'vdpGrossesGewaechs', 1014, 'dac'],
    ['fr', 2007, 'aop', 2008, 'cabinet'],
    ['at', 8025, 'ausbruch', 1005, 'selection'],
    ['us', 18_002, 'california', 18_003, 'country'],
    ['za', 13_000, 'origin', 1, 'Origin'],
  ])('region and quality are those of the country %s', async (countrycode, region, quality, otherRegion, otherQuality) => {
    const good = { countrycode, region, quality }
    const { id } = await added(good)
    expect(qualities.get(countrycode)).toContain(quality)
    expect(refusal(await edit(id, { region: otherRegion }))).toEqual([400, 'validation_failed', 'data.region'])
    expect(refusal(await edit(id, { quality: otherQuality }))).toEqual([400, 'validation_failed', 'data.quality'])
    expect(refusal(await add({ ...least(), ...good, region: otherRegion }))[2]).toBe('data.region')
    expect(refusal(await add({ ...least(), ...good, quality: otherQuality }))[2]).toBe('data.quality')
  })

  test('a country without tables takes any region and any quality', async () => {
    expect(await added({ countrycode: 'lu', region: 7, quality: 'Grand Premier Cru' })).toMatchObject({ region: 7 })
  })

  test('a region and grapes may be given by name, and are stored by id', async () => {
    const { id, ...wine } = await added({ region: 'Pfalz', grapetypeIds: ['Riesling', '32', 'Syrah/Shiraz'] })
    expect([wine.region, wine.grapetypeIds]).toEqual([1007, [129, 32, 122]])
    const { json } = await edit(id, { countrycode: 'it', region: 'toskana', grapetypeIds: ['SANGIOVESE'] })
    expect([json.data.region, json.data.grapetypeIds]).toEqual([6016, [502]])
  })

  test.each([
    [{ region: 'Nirgendwo' }, 'data.region', 'region_of_country'],
    [{ region: 'Toskana' }, 'data.region', 'region_of_country'],
    [{ countrycode: 'br', region: 'Baden' }, 'data.region', 'region_of_country'],
    [{ grapetypeIds: ['Riesling', 'Rieslyng'] }, 'data.grapetypeIds.1', 'id'],
    [{ grapetypeIds: ['Riesling', 129] }, 'data.grapetypeIds', 'unique'],
  ])('%j is refused as an unknown region or grape', async (data, path, rule) => {
    const { status, json } = await edit((await added()).id, data)
    expect([status, json.error, json.fields]).toEqual([
      400,
      'validation_failed',
      [{ path, rule, expected: expect.any(String) }],
    ])
  })

  test('region and quality that stay are validated against a new country', async () => {
    const { id } = await added({ quality: 'cabinet' })
    const { json, status } = await edit(id, { countrycode: 'fr' })
    expect([status, json.fields.map(({ path }: Json) => path)]).toEqual([400, ['data.region', 'data.quality']])
    expect((await edit(id, { countrycode: 'fr', region: 2001, quality: null })).status).toBe(200)
  })
})
