import { badIds, badTexts } from '../support/bad-values.ts'
import type { Json } from '../support/harness.ts'
import { newWineShop, refusal } from '../support/wine-shop.ts'

const { least, add, edit, get, added } = await newWineShop()

const oneLine = ['place', 'quality_note', 'terroir', 'maturation', 'nostocktext', 'drinktemperature', 'articlenumber']
const flags = ['cuvee', 'bio', 'vegan', 'active', 'public', 'shop', 'winesearch', 'internal', 'network', 'topseller']
const counts = ['sorting', 'weight', 'taxrate']
const decimals = ['alcohol', 'sweetness', 'acid', 'bottlesize']
const money = ['gross', 'net', 'tax']

const bad: [field: string, values: readonly unknown[]][] = [
  ...['name', 'image', ...oneLine].map((field): [string, readonly unknown[]] => [field, badTexts]),
  ['name', ['', ' ', null]],
  ['description', [7, [], 'a\u0000b', '\ud800', 'x'.repeat(10_001)]],
  ['type', ['beer', 'Red', '', null, 1, ['red']]],
  ['countrycode', ['DE', 'deu', '', null, 'd1']],
  ['region', [...badIds, null]],
  ['taste_id', [16, ...badIds]],
  ['vintage', [999, 10_000, '20x4', 2024.5, -1]],
  ['taxrate', [101, null]],
  ['alcohol', ['100.1', '12.55', null].slice(0, 2)],
  ['bottlesize', ['0', '0.000', '0.7501', null]],
  ...decimals.map((field): [string, readonly unknown[]] => [field, ['-1', 'x', '1,5', '1e3', [], true]]),
  ...money.map((field): [string, readonly unknown[]] => [
    field,
    ['1', '1.5', '-1.00', '1,50', 1.005, null, [], true, 'x'],
  ]),
  ...counts.map((field): [string, readonly unknown[]] => [field, [-1, 1.5, '1e3', 'x', null, []]]),
  ...[...flags, 'nostock'].map((field): [string, readonly unknown[]] => [field, [2, 'yes', null, '', []]]),
  ['bottling_type', ['merchant', '', 1]],
  ['cap', ['glass', '', 1]],
  ['gtin', ['4006381333932', '123', 'x'.repeat(13)]],
  ['language', ['DE', 'deu', '', null]],
  ['allergenIds', [[0], [15], [1, 1], 'x', null, ['1x']]],
  ['grapetypeIds', [[0], [1, 1], null, {}]],
  ['categoryIds', [null, 'x', [-1]]],
  ['origin_id', badIds],
  ['winery_id', badIds],
  ['prices', [null, {}, ['x'], [{}], [{ price_range_id: 'x', gross: '1.00' }]]],
]

test.each(bad)('a bad %s is refused by its path, in an edit and in a new wine', async (field, values) => {
  const { id } = await added()
  for (const value of values) {
    for (const answer of [await edit(id, { [field]: value }), await add({ ...least(), [field]: value })]) {
      const [status, word, path] = refusal(answer)
      expect([value, status, word]).toEqual([value, 400, 'validation_failed'])
      expect(path).toMatch(new RegExp(`^data\\.${field}(\\.|$)`))
    }
  }
  expect((await get(id)).version).toBe(1)
})

test('fields that the service sets itself, and unknown ones, are refused and all named', async () => {
  const { id } = await added()
  const own = ['id', 'customers_id', 'cruser_id', 'crstamp', 'chstamp', 'path_segment', 'pdf', 'expertisePdf', 'hash']
  const more = ['translations', 'winery', 'quantity', 'stock', 'qrcodes', 'expertise', 'constructor', 'nonsense']
  for (const field of [...own, ...more]) {
    expect(refusal(await edit(id, { [field]: 1 }))).toEqual([400, 'field_not_writable', `data.${field}`])
    expect(refusal(await add({ ...least(), [field]: 1 }))).toEqual([400, 'field_not_writable', `data.${field}`])
  }
  expect(refusal(await add({ ...least(), version: 1 }))).toEqual([400, 'field_not_writable', 'data.version'])
  const { json } = await edit(id, { place: 'x', hash: 1, pdf: 1 })
  expect(json.fields.map(({ path }: Json) => path)).toEqual(['data.hash', 'data.pdf'])
  expect(await get(id)).toMatchObject({ version: 1, place: null })
})
