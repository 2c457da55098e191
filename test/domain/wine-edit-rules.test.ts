import type { Json } from '../support/harness.ts'
import { staleWines } from '../support/stale-wine.ts'
import { newWineShop, refusal } from '../support/wine-shop.ts'

const shop = await newWineShop()
const other = await newWineShop()
const { winery, categories, ranges, least, add, edit, get, added } = shop
const withStaleWine = staleWines()
const unknown = 2 ** 52 + 1

describe('the price of a wine', () => {
  const priced = async (data: object): Promise<Json> => {
    const { gross, net, tax, taxrate } = await added(data)
    return { gross, net, tax, taxrate }
  }

  test('follows from its given parts', async () => {
    const full = { gross: '8.90', net: '7.48', tax: '1.42', taxrate: 19 }
    const parts = [{ gross: '8.90' }, { net: '7.48' }, { gross: 8.9, tax: '1.42' }, { net: '7.48', tax: '1.42' }, full]
    for (const given of parts) expect(await priced(given)).toEqual(full)
    expect(await priced({ gross: '2.49', taxrate: 7 })).toEqual({ gross: '2.49', net: '2.33', tax: '0.16', taxrate: 7 })
    expect(await priced({ gross: '5.00', taxrate: 0 })).toEqual({ gross: '5.00', net: '5.00', tax: '0.00', taxrate: 0 })
  })

  test.each([
    { gross: '8.90', net: '7.00' },
    { gross: '8.90', net: '7.48', tax: '1.43' },
    { gross: '8.90', tax: '0.58' },
    { gross: '8.90', net: '7.48', tax: '1.42', taxrate: 7 },
    { net: '7.48', tax: '0.00' },
    { tax: '1.42' },
  ])('that contradicts itself is refused (%j)', async prices => {
    const { id, version } = await added({ gross: '8.90' })
    for (const answer of [await edit(id, prices), await add({ ...least(), ...prices })])
      expect(refusal(answer)).toEqual([422, 'price_inconsistent', 'data.gross'])
    expect((await get(id)).version).toBe(version)
  })

  test('keeps its gross amount at a new tax rate, and so do the prices of ranges', async () => {
    const { id } = await added({ gross: '11.90', prices: [{ price_range_id: ranges[0], gross: '9.52' }] })
    const { json } = await edit(id, { taxrate: 7 })
    expect(json.data).toMatchObject({ gross: '11.90', net: '11.12', tax: '0.78', taxrate: 7 })
    expect(json.data.prices).toMatchObject([{ gross: '9.52', net: '8.90', tax: '0.62', taxrate: 7 }])
  })
})

describe('the prices of ranges', () => {
  test('name their range and are replaced as a whole', async () => {
    const prices = ranges.map((price_range_id, n) => ({ price_range_id, net: `${n + 5}.00` }))
    const { id, prices: first } = await added({ prices })
    const amounts = [
      { priceRangeName: 'Gastronomie', gross: '5.95', net: '5.00', tax: '0.95' },
      { priceRangeName: 'Großhandel', gross: '7.14', net: '6.00', tax: '1.14' },
    ]
    expect(first).toEqual(amounts.map((one, n) => ({ wine_id: id, price_range_id: ranges[n], taxrate: 19, ...one })))
    const one = [{ price_range_id: ranges[1], gross: '1.07', taxrate: '7' }]
    expect((await edit(id, { prices: one })).json.data.prices).toMatchObject([{ net: '1.00', tax: '0.07', taxrate: 7 }])
    expect((await edit(id, { place: 'x' })).json.data.prices).toHaveLength(1)
  })

  test('may be sent back as they were read', async () => {
    const { id, prices } = await added({ prices: [{ price_range_id: ranges[0], gross: '9.52' }] })
    expect((await edit(id, { prices })).json.data.prices).toEqual(prices)
  })

  test('that contradict themselves, come twice or have unknown fields are refused by their path', async () => {
    const { id } = await added()
    const price = { price_range_id: ranges[0], gross: '9.52' }
    const sent = (...prices: object[]) => edit(id, { prices })
    const refused = async (...prices: object[]) => refusal(await sent(...prices))
    expect(await refused({ ...price, net: '9.00' })).toEqual([422, 'price_inconsistent', 'data.prices.0.gross'])
    expect(await refused({ price_range_id: ranges[0] })).toEqual([422, 'price_inconsistent', 'data.prices.0.gross'])
    expect(await refused({ ...price, nonsense: 1 })).toEqual([400, 'field_not_writable', 'data.prices.0.nonsense'])
    for (const count of [2, 101])
      expect(await refused(...Array(count).fill(price))).toEqual([400, 'validation_failed', 'data.prices'])
  })
})

describe('a record that a wine refers to', () => {
  const cases: [field: string, data: (id: number) => object, path: string][] = [
    ['winery', id => ({ winery_id: id }), 'data.winery_id'],
    ['category', id => ({ categoryIds: [categories[0], id] }), 'data.categoryIds.1'],
    ['price range', id => ({ prices: [{ price_range_id: id, gross: '1.00' }] }), 'data.prices.0.price_range_id'],
    ['original', id => ({ origin_id: id, language: 'en' }), 'data.origin_id'],
  ]

  test.each(cases)('must exist (%s)', async (_, data, path) => {
    const { id } = await added()
    for (const answer of [await edit(id, data(unknown)), await add({ ...least(), ...data(unknown) })])
      expect(refusal(answer)).toEqual([422, 'reference_not_found', path])
    expect((await get(id)).version).toBe(1)
  })

  test('must belong to the merchant', async () => {
    const foreign = await other.added()
    const { id } = await added()
    expect(refusal(await edit(id, { origin_id: foreign.id, language: 'en' }))[1]).toBe('reference_not_found')
  })

  test('is embedded and stays until another winery is named', async () => {
    const { id } = await added({ winery_id: winery, categoryIds: categories })
    const { json } = await edit(id, { place: 'x' })
    expect(json.data).toMatchObject({
      winery_id: winery,
      winery: { id: winery, name: 'Gut Sonne' },
      categoryIds: categories,
    })
    expect(refusal(await edit(id, { categoryIds: [categories[0], categories[0]] }))[2]).toBe('data.categoryIds')
    expect((await edit(id, { winery_id: null })).json.data).toMatchObject({ winery_id: null, winery: null })
  })
})

describe('the path_segment', () => {
  const bySlug = async (path_segment: string) => (await shop.call('wines/get', { path_segment })).json

  test('follows the name, and the old one is free again', async () => {
    const { id } = await added({ name: 'Größe „42“' })
    expect((await bySlug('groesse-42')).data.id).toBe(id)
    expect((await edit(id, { name: 'Kleinheit' })).json.data.path_segment).toBe('kleinheit')
    expect((await bySlug('kleinheit')).data.id).toBe(id)
    expect((await bySlug('groesse-42')).error).toBe('wine_not_found')
    expect((await added({ name: 'Grösse 42' })).path_segment).toBe('groesse-42')
  })

  test('is not taken by its own wine, which does not show it yet to a repeated edit', async () => {
    const { id } = await added()
    const data = { path_segment: 'noch-nicht-zu-sehen' }
    const answers = [await edit(id, data), await withStaleWine(() => edit(id, data))]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('that is taken is refused if it was given, for a new wine and for an edited one', async () => {
    const [one, two] = [await added({ name: 'Gleicher Name' }), await added()]
    const taken = { path_segment: 'gleicher-name' }
    expect(refusal(await add({ ...least(), ...taken }))).toEqual([409, 'slug_taken', 'data.path_segment'])
    expect(refusal(await edit(two.id, { ...taken, place: 'x' }))).toEqual([409, 'slug_taken', 'data.path_segment'])
    expect(await get(two.id)).toEqual(two)
    expect((await bySlug('gleicher-name')).data.id).toBe(one.id)
    expect((await edit(two.id, { path_segment: 'eigener-weg' })).json.data.path_segment).toBe('eigener-weg')
    expect((await bySlug('eigener-weg')).data.id).toBe(two.id)
    for (const wrong of ['Groß', 'a--b', '-a', 'a b', '', null])
      expect(refusal(await edit(two.id, { path_segment: wrong }))).toEqual([
        400,
        'validation_failed',
        'data.path_segment',
      ])
  })

  test('gets the vintage, then a number, if the one of the name is taken', async () => {
    const named = { name: 'Zweiter Riesling' }
    const first = await added({ ...named, vintage: 2021 })
    const segments = []
    for (const vintage of [2022, 2022, 2022, null, null])
      segments.push((await added({ ...named, vintage })).path_segment)
    expect(first.path_segment).toBe('zweiter-riesling')
    expect(segments).toEqual([
      'zweiter-riesling-2022',
      'zweiter-riesling-2022-2',
      'zweiter-riesling-2022-3',
      'zweiter-riesling-2',
      'zweiter-riesling-3',
    ])
    const { id } = await added({ name: 'Anders', vintage: 2023 })
    expect((await edit(id, named)).json.data.path_segment).toBe('zweiter-riesling-2023')
  })

  test('is unique for concurrent wines of one name', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => added({ name: 'Gleichzeitig' })))
    expect(new Set(all.map(({ path_segment }) => path_segment)).size).toBe(16)
  })

  test('stays if the new name has the same slug', async () => {
    const { id } = await added({ name: 'Alte Reben' })
    expect((await edit(id, { name: 'ALTE  Reben!' })).json.data).toMatchObject({
      name: 'ALTE  Reben!',
      path_segment: 'alte-reben',
    })
  })

  test('of another merchant may be the same', async () => {
    await added({ name: 'Hauswein' })
    expect((await other.added({ name: 'Hauswein' })).path_segment).toBe('hauswein')
  })

  test('of a name without letters is a word, of a long name a part of it', async () => {
    expect((await added({ name: '…' })).path_segment).toBe('wine')
    expect((await added({ name: 'ä'.repeat(255) })).path_segment).toBe('ae'.repeat(100))
  })

  test('goes to exactly one of concurrent requests for it', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({ ...least(), path_segment: 'begehrt' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })
})

describe('a translation', () => {
  const entry = ({ id, language, name, path_segment }: Json) => ({ id, language, name, path_segment })
  const translationsOf = async (id: number) => (await get(id)).translations

  test('is in the list of its original, in its present state', async () => {
    const original = await added()
    const english = await added({ origin_id: original.id, language: 'en' })
    const french = await added({ origin_id: original.id, language: 'fr' })
    expect(english.origin_id).toBe(original.id)
    expect(await get(original.id)).toMatchObject({ version: 3, translations: [entry(english), entry(french)] })
    const renamed = (await edit(english.id, { name: 'White Wine' })).json.data
    expect(await translationsOf(original.id)).toEqual([entry(renamed), entry(french)])
    await edit(english.id, { place: 'not in the list' })
    expect((await get(original.id)).version).toBe(4)
  })

  test('leaves the list of its former original', async () => {
    const [one, two] = [await added(), await added()]
    const english = await added({ origin_id: one.id, language: 'en' })
    await edit(english.id, { origin_id: two.id })
    expect([await translationsOf(one.id), await translationsOf(two.id)]).toEqual([[], [entry(english)]])
    await edit(english.id, { origin_id: null })
    expect([await translationsOf(one.id), await translationsOf(two.id)]).toEqual([[], []])
  })

  test('is in another language than its original, and an original is no translation', async () => {
    const original = await added()
    const english = await added({ origin_id: original.id, language: 'en' })
    const refused = [422, 'reference_not_found', 'data.origin_id']
    expect(refusal(await add({ ...least(), origin_id: original.id }))).toEqual(refused)
    expect(refusal(await edit(english.id, { language: 'de' }))).toEqual(refused)
    expect(refusal(await add({ ...least(), origin_id: english.id, language: 'fr' }))).toEqual(refused)
    expect(refusal(await edit(original.id, { origin_id: original.id, language: 'en' }))).toEqual(refused)
    const another = await added({ language: 'fr' })
    expect(refusal(await edit(original.id, { origin_id: another.id }))).toEqual(refused)
    expect(refusal(await edit(original.id, { language: 'en' }))).toEqual([400, 'validation_failed', 'data.language'])
    expect(await get(original.id)).toMatchObject({ origin_id: null, translations: [entry(english)] })
  })
})

test('every instance of every list finds an added or edited wine immediately, and only by its new text', async () => {
  const lists = ['wines/search', 'wines/getAll', 'wines/getByCategory', 'wines/getByType'] as const
  const questions: Record<(typeof lists)[number], (query: string) => object> = {
    'wines/search': query => ({ query }),
    'wines/getAll': query => ({ query: { name: query } }),
    'wines/getByCategory': query => ({ id: categories[0], query }),
    'wines/getByType': () => ({ type: 'vingris' }),
  }
  const countAll = async (query: string) => {
    // Two at a time, so that each list is answered by two instances.
    const calls = lists.flatMap(route => [1, 2].map(() => shop.call(route, questions[route](query))))
    return new Set((await Promise.all(calls)).map(({ json }) => json.totalCount))
  }
  expect(await countAll('Zaubertrank')).toEqual(new Set([0]))
  const { id } = await added({ name: 'Zaubertrank', type: 'vingris', categoryIds: [categories[0]] })
  expect(await countAll('zauber')).toEqual(new Set([1]))
  await edit(id, { name: 'Wasser', type: 'white' })
  expect(await countAll('zauber')).toEqual(new Set([0]))
})
