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
  ['countrycode', ['xx', 'deu', '', null, 'd1']],
  // A text may be a region's name: the wine's country decides, after all other fields.
  ['region', [...badIds.filter(value => typeof value !== 'string'), null]],
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

const valuesOf = Map.groupBy(bad, ([field]) => field)
const badOf = new Map([...valuesOf].map(([field, lists]) => [field, lists.flatMap(([, values]) => values)]))

/** Some fields, and their wrong values in each request: one value of each field. */
const together = (fields: readonly string[]): [string, Json[]] => {
  const most = Math.max(...fields.map(field => badOf.get(field)?.length ?? 0))
  const requests = Array.from({ length: most }, (_, n) =>
    Object.fromEntries(fields.flatMap(field => (badOf.get(field) ?? []).slice(n, n + 1).map(value => [field, value]))),
  )
  return [fields.join(', '), requests]
}

// An answer lists 20 fields at most.
const names = [...badOf.keys()]
const groups = Array.from({ length: Math.ceil(names.length / 10) }, (_, n) =>
  together(names.slice(10 * n, 10 * n + 10)),
)

test.each(groups)('bad values of %s are refused by their paths, in an edit and in a new wine', async (_, requests) => {
  const { id } = await added()
  for (const data of requests) {
    for (const { status, json } of [await edit(id, data), await add({ ...least(), ...data })]) {
      expect([data, status, json.error]).toEqual([data, 400, 'validation_failed'])
      const paths: string[] = json.fields.map(({ path }: Json) => path.split('.').slice(0, 2).join('.'))
      expect([...new Set(paths)].sort()).toEqual(
        Object.keys(data)
          .map(field => `data.${field}`)
          .sort(),
      )
    }
  }
  expect((await get(id)).version).toBe(1)
})

test('fields that the service sets itself, and unknown ones, are refused and all named', async () => {
  const { id } = await added()
  const own = ['id', 'customers_id', 'cruser_id', 'crstamp', 'chstamp', 'pdf', 'expertisePdf', 'hash']
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
