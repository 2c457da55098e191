import { jsonBytes, maxRecordBytes } from '../../shared/contract/records/size.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { completeWinery } from '../../shared/contract/records/winery.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import type { Answer } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { newWineShop, refusal } from '../support/wine-shop.ts'

// A stored record has at most 100 KB of JSON, a wine at most 30 translations, one for each language.

const shop = await newWineShop('Kellerei Übermaß')
const { id: merchant, least, add, edit, get, added } = shop

const wide = '🍷'
const description = wide.repeat(10_000)
const line = wide.repeat(255)
const lines = {
  ...{ place: line, quality_note: line, terroir: line, maturation: line, nostocktext: line, drinktemperature: line },
  ...{ articlenumber: line, quality: null },
}
const stamps = { crstamp: '2026-01-01 00:00:00', chstamp: '2026-01-01 00:00:00' }
const largeWinery = completeWinery({
  ...{ id: 50, name: line, customers_id: merchant, ...stamps },
  ...{ freetext: description, company: line, address: line, city: line, vineyard: line, harvest: line, memberof: line },
  ...{
    zip: line,
    mail: `${wide.repeat(242)}@example.org`,
    phone: line,
    fax: line,
    www: line,
    taxid: line,
    bestplaces: line,
  },
})
await putItem(key('winery', { merchant, id: 50 }), largeWinery)
for (const id of counted(100).map(n => 1000 + n)) {
  await putItem(key('priceRange', { merchant, id }), { id, name: `${id}${wide.repeat(250)}` })
}
const prices = counted(100).map(n => ({ price_range_id: 1000 + n, gross: '1.00' }))

const limit = { rule: 'max_bytes', expected: 'at most 100 KB as JSON' }
const tooLarge = (path: string) => [
  400,
  'validation_failed',
  `\`${path}\` is too long: a record can have at most 100 KB as JSON.`,
  [{ path, ...limit }],
]
// Of a success only its status: a record of 100 KB would fill the screen.
const answered = ({ status, json }: Answer) => (status === 200 ? 200 : [status, json.error, json.details, json.fields])

/** Stores a wine without checks, as older code may have left it. */
const store = async (id: number, change: Partial<Wine>) => {
  const place = key('wine', { merchant, id })
  const { doc = '', version = 0 } = (await getItem(place)) ?? {}
  await putItem(place, { doc: JSON.stringify({ ...JSON.parse(doc), ...change }), version }, { index: `${id}` })
}

describe('a wine of more than 100 KB', () => {
  test.each([
    ['description', { winery_id: 50, description, ...lines }],
    ['prices', { prices, place: line }],
  ])('is refused by its longest field, %s', async (field, data) => {
    expect(answered(await add({ ...least(), ...data }))).toEqual(tooLarge(`data.${field}`))
  })

  test('is not created by an edit', async () => {
    const { id } = await added({ description })
    expect(answered(await edit(id, { winery_id: 50, ...lines }))).toEqual(tooLarge('data.articlenumber'))
    expect(answered(await edit(id, { prices }))).toEqual(tooLarge('data.prices'))
    expect((await get(id)).version).toBe(1)
  })

  test('that exists already is edited as long as it does not grow', async () => {
    const { id } = await added({ place: 'Ort' })
    await store(id, { ...lines, image: line, place: 'Ort', description, winery: largeWinery, winery_id: 50 })
    expect(answered(await edit(id, { place: 'Dorf' }))).toEqual(tooLarge('data.place'))
    expect(answered(await edit(id, { place: 'Alm' }))).toBe(200)
    for (let version = 2; version < 10; version++) expect(answered(await edit(id, { bio: version % 2 }))).toBe(200)
    expect(answered(await edit(id, { description: null }))).toBe(200)
    const { place, version } = await get(id)
    expect([place, version]).toEqual(['Alm', 11])
  })

  test('is not made by the next vintage of a full one, whose id the refusal names, whatever is given', async () => {
    const full = { name: line, path_segment: 'voll', vintage: 2020, winery_id: 50, ...lines, articlenumber: null }
    const { version, ...wine } = await added(full)
    const { id } = wine
    const room = maxRecordBytes - jsonBytes({ ...wine, description: '' })
    expect((await edit(id, { description: wide.repeat(room / 4) + 'x'.repeat(room % 4) })).status).toBe(200)
    for (const data of [undefined, { description: null }])
      expect(refusal(await shop.call('wines/rollOver', { id, vintage: 2021, data }))).toEqual([
        ...[400, 'validation_failed', 'id'],
      ])
    expect((await edit(id, { description: null })).status).toBe(200)
    expect((await shop.call('wines/rollOver', { id, vintage: 2021 })).status).toBe(200)
  })
})

describe('the translations of a wine', () => {
  const codes = counted(40).map(
    n => `${String.fromCharCode(96 + Math.ceil(n / 20))}${String.fromCharCode(96 + (n % 20))}`,
  )
  const languages = codes.map(code => code.replace('`', 'z'))

  test('are at most 30', async () => {
    const original = await added()
    for (const language of languages.slice(0, 30)) await added({ origin_id: original.id, language })
    const refused = await add({ ...least(), origin_id: original.id, language: languages[30] })
    expect(refused.json.fields).toEqual([
      {
        path: 'data.origin_id',
        rule: 'max_translations',
        expected: 'the id of an original with fewer than 30 translations',
      },
    ])
    expect(refused.status).toBe(400)
    const other = await added({ language: languages[30] })
    expect(refusal(await edit(other.id, { origin_id: original.id }))).toEqual([
      400,
      'validation_failed',
      'data.origin_id',
    ])
    expect(answered(await edit(original.id, { name: 'Ein neuer Name' }))).toBe(200)
  })

  test('have one record for each language', async () => {
    const original = await added()
    await added({ origin_id: original.id, language: 'en' })
    const french = await added({ origin_id: original.id, language: 'fr' })
    const refused = [400, 'validation_failed', 'data.language']
    expect(refusal(await add({ ...least(), origin_id: original.id, language: 'en' }))).toEqual(refused)
    expect(refusal(await edit(french.id, { language: 'en' }))).toEqual(refused)
    expect(answered(await edit(french.id, { language: 'it' }))).toBe(200)
  })

  test('may exceed the limit in older data, and are still edited', async () => {
    const original = await added()
    const english = await added({ origin_id: original.id, language: 'en' })
    const entry = { id: english.id, language: 'en', name: 'Wine', path_segment: 'wine' }
    await store(original.id, { translations: counted(60).map(n => ({ ...entry, id: n === 60 ? english.id : n })) })
    expect(answered(await edit(english.id, { name: 'White Wine' }))).toBe(200)
    expect((await get(original.id)).translations).toHaveLength(60)
    expect(answered(await edit(original.id, { place: 'Ort' }))).toBe(200)
  })

  test('cannot make their original larger than a record may be', async () => {
    const original = await added({ description, winery_id: 50, name: 'Voll' })
    // The bytes left are fewer than a translation's name needs.
    const room = 100 * 1024 - Buffer.byteLength(JSON.stringify(original))
    await store(original.id, { nostocktext: 'x'.repeat(room - 300) })
    const refused = await add({ ...least(), name: line, origin_id: original.id, language: 'en' })
    expect(answered(refused)).toEqual(tooLarge('data.origin_id'))
    const english = await added({ name: 'V', origin_id: original.id, language: 'en' })
    expect(answered(await edit(english.id, { name: line }))).toEqual(tooLarge('data.name'))
  })
})
