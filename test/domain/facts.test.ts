import { readLabel } from '../../shared/catalogue/wines/label.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { type Answer, call, type Json, refusal } from '../support/harness.ts'
import { analysis, variedFacts as facts } from '../support/wine-facts.ts'

const shop = await newCellar('Kellerei Etikett')
const other = await newCellar('Kellerei Nachbar')

const basics = {
  name: 'Riesling Schiefer',
  type: 'white',
  countrycode: 'de',
  region: 1008,
  vintage: 2024,
  gross: '9.50',
}

const fieldsOf = ({ json }: Answer) => json.fields?.map(({ path, rule }: Json) => [path, rule])
const add = (data: Json) => shop.call('wines/add', { data: { ...basics, ...analysis, ...data } })
const newWine = async (data: Json = { facts }): Promise<{ id: number; hash: string }> => {
  const { status, json } = await add(data)
  expect([status, json.error]).toEqual([200, undefined])
  return json.data
}
const edit = (id: number, data: Json) => shop.call('wines/edit', { id, data })
const factsOf = async (wine_id: number, more: Json = {}): Promise<Json> =>
  (await shop.call('facts/getAll', { wine_id, ...more })).json
const label = (uuid: string, more: Json = {}) => call('/elabels/get', { uuid, ...more })

describe('facts/getAll', () => {
  test('returns the facts as they were given, and rows in the order of a label', async () => {
    const { id } = await newWine()
    const { data, facts: kept, label: state } = await factsOf(id)
    expect(kept).toEqual({ ...facts, exempt: 0 })
    expect(state).toEqual({ status: 'none', url: null })
    expect(data.map((row: Json) => [row.factgroup, row.subgroup, row.key, row.quantity, row.unit])).toEqual([
      ['nutritionalInformation', 'general', 'energy', '294', 'kJ'],
      ['nutritionalInformation', 'general', 'energy', '71', 'kcal'],
      ['nutritionalInformation', 'general', 'fat', '0.0', 'g'],
      ['nutritionalInformation', 'general', 'saturates', '0.0', 'g'],
      ['nutritionalInformation', 'general', 'carbohydrate', '1.0', 'g'],
      ['nutritionalInformation', 'general', 'sugars', '0.3', 'g'],
      ['nutritionalInformation', 'general', 'protein', '0.0', 'g'],
      ['nutritionalInformation', 'general', 'salt', '0.0', 'g'],
      ['ingredients', 'general', 'grapes', null, null],
      ['ingredients', 'acidityregulator', 'tartaric_acid', null, null],
      ['ingredients', 'acidityregulator', 'malic_acid', null, null],
      ['ingredients', 'preservatices', 'sulphites', null, null],
      ['ingredients', 'others', null, null, null],
      ['recycling', 'general', 'bottle', null, null],
    ])
    expect(data.filter((row: Json) => row.allergen === 1).map((row: Json) => row.key)).toEqual(['sulphites'])
    expect(data.filter((row: Json) => row.and_or === 1)).toHaveLength(2)
  })

  test('names everything in the language of the wine, or in the one asked for', async () => {
    const { id } = await newWine()
    const names = async (language?: string) =>
      (await factsOf(id, { language })).data
        .filter((row: Json) => row.factgroup === 'ingredients')
        .map((row: Json) => row.name)
    expect(await names()).toEqual(['Trauben', 'Weinsäure', 'Äpfelsäure', 'Sulfite', 'Eichenholz'])
    expect(await names('en')).toEqual(['grapes', 'tartaric acid', 'malic acid', 'sulphites', 'Oak wood'])
  })

  test('returns no rows for a wine without facts', async () => {
    const { id } = await newWine({})
    expect(await factsOf(id)).toMatchObject({ data: [], facts: { ingredients: [], nutrition: null, operator: null } })
  })

  test('finds no wine of another merchant', async () => {
    const { id } = await newWine()
    expect(refusal(await other.call('facts/getAll', { wine_id: id }))).toEqual([404, 'wine_not_found'])
  })

  // Existing shops sort the rows in one pass: by group, nutrition by quantity, ingredients by subgroup.
  test('has the words by which existing shops sort its rows', async () => {
    const { id } = await newWine()
    const sorted: Record<string, Record<string, string[]>> = {}
    for (const { factgroup, subgroup, name, quantity } of (await factsOf(id)).data) {
      const place = factgroup === 'nutritionalInformation' && quantity === '0.0' ? 'negligible' : subgroup
      const group = sorted[factgroup] ?? {}
      sorted[factgroup] = { ...group, [place]: [...(group[place] ?? []), name] }
    }
    expect(sorted).toEqual({
      nutritionalInformation: {
        general: ['Brennwert', 'Brennwert', 'Kohlenhydrate', 'davon Zucker'],
        negligible: ['Fett', 'davon gesättigte Fettsäuren', 'Eiweiß', 'Salz'],
      },
      ingredients: {
        general: ['Trauben'],
        acidityregulator: ['Weinsäure', 'Äpfelsäure'],
        preservatices: ['Sulfite'],
        others: ['Eichenholz'],
      },
      recycling: { general: [expect.stringContaining('Flasche')] },
    })
  })
})

describe('facts in wines/add and wines/edit', () => {
  test('replace each given part and leave the others', async () => {
    const { id } = await newWine()
    await edit(id, { facts: { packaging: [], operator: null } })
    expect((await factsOf(id)).facts).toEqual({ ...facts, packaging: [], operator: null, exempt: 0 })
  })

  test('are no fields of the record, and raise its version', async () => {
    const { id } = await newWine()
    const { json } = await edit(id, { facts: { exempt: 1 } })
    expect(json.data.version).toBe(2)
    expect(json.data).not.toHaveProperty('facts')
    expect(json.data).not.toHaveProperty('label')
  })

  test('compute the energy again when the analysis changes', async () => {
    const { id } = await newWine()
    await edit(id, { sweetness: '63.0' })
    expect((await factsOf(id)).data.slice(0, 2).map((row: Json) => row.quantity)).toEqual(['396', '95'])
  })

  test('are not contradicted by a later analysis, whether a label shows them or not', async () => {
    const negligible = [...facts.nutrition.negligible, 'sugars']
    const { id } = await newWine({ facts: { nutrition: { kj: 294, kcal: 71, glycerol: '7.0', negligible } } })
    const change = { alcohol: '20.0', sweetness: '63.0' }
    const answer = await edit(id, change)
    expect([...refusal(answer), fieldsOf(answer)]).toEqual([
      ...[400, 'validation_failed'],
      [
        ['data.facts.nutrition.kj', 'energy'],
        ['data.facts.nutrition.kcal', 'energy'],
      ],
    ])
    expect((await edit(id, { ...change, facts: { nutrition: { glycerol: '7.0' } } })).status).toBe(200)
  })

  const wrong: [string, Json, string, string][] = [
    [
      'an energy that is far from the computed one',
      { nutrition: { ...facts.nutrition, kj: 400, kcal: 71 } },
      'nutrition.kj',
      'energy',
    ],
    ['an energy in one unit', { nutrition: { kj: 294 } }, 'nutrition', 'both_units'],
    [
      'less carbohydrate than the analysis has sugars',
      { nutrition: { carbohydrate: '0.1' } },
      'nutrition.carbohydrate',
      'parts',
    ],
    [
      'more saturates than a negligible amount of fat',
      { nutrition: { saturates: '0.6', negligible: ['fat'] } },
      'nutrition.fat',
      'parts',
    ],
    [
      'an amount that is not negligible',
      { nutrition: { salt: '0.02', negligible: ['salt'] } },
      'nutrition.negligible',
      'negligible',
    ],
    ['more sugars than carbohydrate', { nutrition: { sugars: '2.0', carbohydrate: '1.0' } }, 'nutrition', 'parts'],
    ['an unknown ingredient', { ingredients: [{ key: 'gold' }] }, 'ingredients.0.key', 'one_of'],
    ['a named ingredient without a class', { ingredients: [{ name: 'Gold' }] }, 'ingredients.0', 'ingredient'],
    ['an ingredient twice', { ingredients: [{ key: 'grapes' }, { key: 'grapes' }] }, 'ingredients', 'unique'],
    [
      'and/or of preservatives',
      {
        ingredients: [
          { key: 'sulphites', and_or: 1 },
          { key: 'potassium_sorbate', and_or: 1 },
        ],
      },
      'ingredients',
      'and_or',
    ],
    ['and/or of one ingredient', { ingredients: [{ key: 'tartaric_acid', and_or: 1 }] }, 'ingredients', 'and_or'],
    ['an unknown material', { packaging: [{ part: 'bottle', material: 'GL 99' }] }, 'packaging.0.material', 'one_of'],
  ]
  test.each(wrong)('refuse %s and leave nothing behind', async (_, given, path, rule) => {
    const { id } = await newWine()
    const answer = await edit(id, { facts: given, name: 'Anders' })
    expect([...refusal(answer), fieldsOf(answer)]).toEqual([400, 'validation_failed', [[`data.facts.${path}`, rule]]])
    expect((await factsOf(id)).facts).toEqual({ ...facts, exempt: 0 })
    expect((await shop.call('wines/get', { id })).json.data.name).toBe(basics.name)
  })

  test('lose none of 16 concurrent edits of different parts', async () => {
    const { id } = await newWine({})
    const parts = Object.entries(facts)
    const edits = Array.from({ length: 16 }, (_, n) => Object.fromEntries(parts.slice(n % parts.length).slice(0, 1)))
    const answers = await Promise.all(edits.map(part => edit(id, { facts: part })))
    expect(answers.map(({ status }) => status)).toEqual(edits.map(() => 200))
    expect((await factsOf(id)).facts).toEqual({ ...facts, exempt: 0 })
    expect((await getItem(key('facts', { merchant: shop.id, id })))?.version).toBe(edits.length)
  })
})

describe('a published label', () => {
  const published = (data: Json = {}) => newWine({ facts: { ...facts, published: 1 }, ...data })

  test('is public, also of a wine that is neither active nor public', async () => {
    const { id, hash } = await published({ active: 0, public: 0 })
    const { status, json } = await label(hash)
    expect(status).toBe(200)
    expect(json.data).toEqual((await factsOf(id)).data)
    expect(json.url).toMatch(new RegExp(`/e/${hash}$`))
    expect((await factsOf(id)).label).toEqual({ status: 'published', url: json.url })
  })

  test('is found by its hash as a UUID, too', async () => {
    const { hash } = await published()
    const uuid = hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase()
    expect((await label(uuid)).status).toBe(200)
  })

  test.each(['', 'x', '0'.repeat(32), '../x'])('is not found as %j', async uuid => {
    expect(refusal(await label(uuid))).toEqual([404, 'label_not_found'])
  })

  test('is needed for nothing: a wine with facts alone has none', async () => {
    const { hash } = await newWine()
    expect(refusal(await label(hash))).toEqual([404, 'label_not_found'])
  })

  test('is not published while facts are missing, and the refusal lists them', async () => {
    const { id } = await newWine({ facts, alcohol: null })
    const answer = await edit(id, { facts: { operator: null, nutrition: { negligible: ['fat'] }, published: 1 } })
    expect(refusal(answer)).toEqual([422, 'label_incomplete'])
    expect(fieldsOf(answer)?.map(([path]: string[]) => path)).toEqual([
      ...['data.alcohol', 'data.facts.nutrition.kj', 'data.facts.nutrition.saturates'],
      ...['data.facts.nutrition.carbohydrate', 'data.facts.nutrition.protein', 'data.facts.nutrition.salt'],
      'data.facts.operator',
    ])
    expect((await factsOf(id)).label.status).toBe('none')
  })

  test.each([
    ['vintage', 2023],
    ['vintage', null],
    ['alcohol', '12.5'],
  ])('keeps %s from changing to %s', async (name, value) => {
    const { id } = await published()
    const answer = await edit(id, { [name]: value })
    expect([...refusal(answer), fieldsOf(answer)]).toEqual([
      409,
      'label_published',
      [[`data.${name}`, 'label_published']],
    ])
    expect((await edit(id, { facts: { published: 0 } })).status).toBe(200)
    expect(refusal(await edit(id, { [name]: value }))).toEqual([409, 'label_published'])
  })

  test('accepts vintage and alcohol as they are', async () => {
    const { id } = await published()
    expect((await edit(id, { vintage: 2024, alcohol: 12 })).status).toBe(200)
  })

  test('follows each change of what it shows, at once', async () => {
    const { id, hash } = await published()
    await edit(id, { name: 'Riesling Blauschiefer', sweetness: '63.0' })
    expect(await readLabel(hash)).toMatchObject({
      name: 'Riesling Blauschiefer',
      nutrition: { kj: 396, sugars: '6.3' },
    })
    await edit(id, { facts: { packaging: [] } })
    expect((await readLabel(hash))?.packaging).toEqual([])
  })

  test('is refused a change that makes it incomplete', async () => {
    const { id } = await published()
    expect(refusal(await edit(id, { acid: null }))).toEqual([422, 'label_incomplete'])
    expect(refusal(await edit(id, { facts: { ingredients: [] } }))).toEqual([422, 'label_incomplete'])
  })

  test('answers 410 after its withdrawal, and is back when it is published again', async () => {
    const { id, hash } = await published()
    await edit(id, { facts: { published: 0 } })
    expect(refusal(await label(hash))).toEqual([410, 'label_withdrawn'])
    expect((await factsOf(id)).label).toEqual({ status: 'withdrawn', url: null })
    await edit(id, { facts: { published: 1 } })
    expect((await label(hash)).status).toBe(200)
  })

  test.each([
    [{}, { exempt: 1, published: 1 }],
    [{ exempt: 1 }, { published: 1 }],
    [{ published: 1 }, { exempt: 1 }],
  ])('is not for an exempt wine: %j, then %j', async (first, then) => {
    const { id } = await newWine({ facts: { ...facts, ...first } })
    const answer = await edit(id, { facts: then })
    expect([...refusal(answer), fieldsOf(answer)]).toEqual([400, 'validation_failed', [['data.facts.exempt', 'label']]])
  })

  test('is refused an analysis with more sugars than it calls negligible', async () => {
    const negligible = [...facts.nutrition.negligible, 'sugars']
    const { id } = await published({ facts: { ...facts, nutrition: { ...facts.nutrition, negligible }, published: 1 } })
    const answer = await edit(id, { sweetness: '63.0' })
    expect(fieldsOf(answer)).toEqual([['data.facts.nutrition.negligible', 'negligible']])
  })
})
