import fc from 'fast-check'
import { importRecords } from '../../lib/tool/imports/run.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { readCatalogue } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines, wines as kind, winesRolledOver } from '../../lib/tool/imports/wines.ts'
import { readLabel } from '../../shared/catalogue/wines/label.ts'
import { classKeys, ingredientKeys, materialCodes, packagingParts } from '../../shared/contract/labels/label-tables.ts'
import type { Facts } from '../../shared/contract/records/facts.ts'
import { newShop } from '../support/harness.ts'
import { nothing, someText, throughCsv, throughJson } from '../support/record-files.ts'
import { variedFacts } from '../support/wine-facts.ts'

const shop = await newShop()
const { parseRow, parseJsonRow, toCsvRecord } = kind.format

const plain = { articlenumber: 'A', name: 'Riesling', type: 'white', countrycode: 'de', region: '1005' }
const analysed = { ...plain, vintage: '2024', alcohol: '12', sweetness: '3', acid: '6' }
const cells = {
  facts_ingredients: 'grapes|tartaric_acid=and_or|malic_acid=and_or|sulphites|Eichenholz=other=en:Oak wood',
  facts_glycerol: '7,0',
  facts_negligible: 'fat|saturates|protein|salt',
  facts_packaging: 'bottle=GL 71|cork=FOR 51',
  facts_operator: 'Weingut Etikett',
  facts_operator_role: 'bottled_by',
  facts_operator_address: 'Hauptstraße 1, 54470 Bernkastel',
}
const facts = {
  ...variedFacts,
  packaging: [
    { part: 'bottle', material: 'GL 71' },
    { part: 'cork', material: 'FOR 51' },
  ],
  exempt: 0,
}

let number = 0
const own = () => ({ articlenumber: `F-${++number}` })
type Cells = Record<string, string>
const rowOf = (record: Cells): WineRow => {
  const { row, problems } = parseRow(record, 2)
  if (!row) throw new Error(JSON.stringify(problems))
  return row
}
const wineOf = async (articlenumber: string) => {
  const found = (await readCatalogue(shop.id)).wines.find(wine => wine.articlenumber === articlenumber)
  if (!found) throw new Error('no such wine')
  return found
}
const factsOf = async (articlenumber: string) => {
  const { id } = await wineOf(articlenumber)
  return (await shop.call('facts/getAll', { wine_id: id })).json.facts
}
const planOf = async (record: Cells) => kind.plan(await kind.read(shop.id), [rowOf(record)])
const refusalsOf = async (record: Cells) => (await planOf(record)).refusals.map(({ column, rule }) => [column, rule])
const imported = async (more: Cells = {}): Promise<Cells> => {
  const record = { ...analysed, ...own(), ...more }
  await importWines(shop.id, [rowOf(record)])
  return record
}

describe('the columns of facts', () => {
  test('set the facts of a new wine', async () => {
    const { articlenumber = '' } = await imported(cells)
    expect(await factsOf(articlenumber)).toEqual(facts)
  })

  test('set only the given parts of the facts of a known wine', async () => {
    const record = await imported(cells)
    await importWines(shop.id, [rowOf({ ...plain, articlenumber: record.articlenumber ?? '', facts_sugars: '0.4' })])
    expect(await factsOf(record.articlenumber ?? '')).toEqual({
      ...facts,
      nutrition: { ...facts.nutrition, sugars: '0.4' },
    })
  })

  test('clear what an empty cell names', async () => {
    const record = await imported(cells)
    const empty = { facts_glycerol: '', facts_negligible: '', facts_operator: '', facts_operator_role: '' }
    const { articlenumber = '' } = record
    await importWines(shop.id, [rowOf({ ...record, ...empty, facts_operator_address: '' })])
    expect(await factsOf(articlenumber)).toEqual({ ...facts, nutrition: null, operator: null })
  })

  test('leave a wine without facts alone if they are empty', async () => {
    const record = await imported()
    const empty = Object.fromEntries(
      kind.format.columns.flatMap(({ name, part }) => (part === 'facts' ? [[name, '']] : [])),
    )
    expect(await planOf({ ...record, ...empty })).toEqual(nothing(1))
    const { articlenumber = '' } = await imported(empty)
    expect((await readCatalogue(shop.id)).facts.has((await wineOf(articlenumber)).id)).toBe(false)
  })

  test('show each change in a plan, also of the order of ingredients', async () => {
    const record = await imported({ ...cells, facts_ingredients: 'grapes|sulphites' })
    const { changes } = await planOf({
      ...record,
      ...cells,
      facts_ingredients: 'sulphites|grapes',
      facts_kj: '290',
      facts_kcal: '70',
    })
    expect(changes.flatMap(({ fields }) => fields)).toEqual([
      { name: 'facts_ingredients', from: 'grapes|sulphites', to: 'sulphites|grapes' },
      { name: 'facts_kj', from: null, to: 290 },
      { name: 'facts_kcal', from: null, to: 70 },
    ])
  })

  test.each<[Cells, string, string]>([
    [{ facts_ingredients: 'grapes|gold' }, 'facts_ingredients', 'ingredient'],
    [{ facts_ingredients: 'Gold=metal' }, 'facts_ingredients', 'one_of'],
    [{ facts_ingredients: 'grapes|grapes' }, 'facts_ingredients', 'unique'],
    [{ facts_ingredients: 'sulphites=and_or' }, 'facts_ingredients', 'and_or'],
    [{ facts_packaging: 'bottle' }, 'facts_packaging', 'one_of'],
    [{ facts_packaging: 'bottle=GL 99' }, 'facts_packaging', 'one_of'],
    [{ facts_operator_role: 'drunk_by' }, 'facts_operator_role', 'one_of'],
    [{ facts_fat: '101' }, 'facts_fat', 'decimal'],
    [{ facts_exempt: 'ja' }, 'facts_exempt', 'flag'],
  ])('are refused with line and column for %j', (more, column, rule) => {
    expect(parseRow({ ...plain, ...more }, 7).problems).toMatchObject([{ line: 7, column, rule }])
  })

  test.each<[Cells, [string, string][]]>([
    [{ facts_kj: '400', facts_kcal: '71' }, [['facts_kj', 'energy']]],
    [{ facts_kj: '294' }, [['facts_negligible', 'both_units']]],
    [{ facts_fat: '0.1', facts_saturates: '0.2' }, [['facts_negligible', 'parts']]],
    [{ facts_operator_address: '' }, [['facts_operator_address', 'required']]],
    [
      { facts_published: '1', facts_operator: '', facts_operator_role: '', facts_operator_address: '' },
      [['facts_operator', 'required']],
    ],
  ])('are refused by a plan for %j, and nothing is written', async (more, refused) => {
    const record = await imported(cells)
    expect(await refusalsOf({ ...record, name: 'Anders', ...more })).toEqual(refused)
    await expect(importWines(shop.id, [rowOf({ ...record, name: 'Anders', ...more })])).rejects.toThrow('refused')
    expect((await wineOf(record.articlenumber ?? '')).name).toBe('Riesling')
  })
})

describe('the column facts_published', () => {
  const published = { ...cells, facts_published: '1' }

  test('publishes the label and withdraws it', async () => {
    const record = await imported(published)
    const { hash } = await wineOf(record.articlenumber ?? '')
    expect(await readLabel(hash)).toMatchObject({ name: 'Riesling', withdrawn: null, nutrition: { kj: 294 } })
    await importWines(shop.id, [rowOf({ ...record, facts_published: '0' })])
    expect((await readLabel(hash))?.withdrawn).toMatch(/^2/)
    expect(await planOf({ ...record, facts_published: '0' })).toEqual(nothing(1))
  })

  test('withdraws no label where its cell is empty: bottles carry its code', async () => {
    expect(await planOf({ ...(await imported(published)), facts_published: '' })).toEqual(nothing(1))
  })

  test('is no change as 0 for a wine that never had a label', async () => {
    expect(await planOf({ ...(await imported(cells)), facts_published: '0' })).toEqual(nothing(1))
  })

  test('lets no row change vintage or alcohol', async () => {
    const record = await imported(published)
    const other = { ...plain, articlenumber: record.articlenumber ?? '' }
    expect(await refusalsOf({ ...other, vintage: '2023' })).toEqual([['vintage', 'label_published']])
    expect(await refusalsOf({ ...other, alcohol: '11.5', facts_fat: '0.1' })).toEqual([['alcohol', 'label_published']])
  })

  test('keeps the label as the wine is, after a change of what it shows', async () => {
    const record = await imported(published)
    await importWines(shop.id, [
      rowOf({ ...plain, articlenumber: record.articlenumber ?? '', name: 'Neu', sweetness: '63' }),
    ])
    const { hash } = await wineOf(record.articlenumber ?? '')
    expect(await readLabel(hash)).toMatchObject({ name: 'Neu', nutrition: { kj: 396, sugars: '6.3' } })
  })

  test('lets no row make the label incomplete', async () => {
    const record = await imported(published)
    const other = { ...plain, articlenumber: record.articlenumber ?? '' }
    expect(await refusalsOf({ ...other, acid: '' })).toEqual([['facts_kj', 'required']])
  })

  test('publishes as many labels as a list has', async () => {
    const many = Array.from({ length: 60 }, () => ({ ...analysed, ...own(), ...published }))
    await importWines(shop.id, many.map(rowOf))
    const { wines } = await readCatalogue(shop.id)
    const numbers = new Set(many.map(({ articlenumber }) => articlenumber))
    const made = wines.filter(({ articlenumber }) => numbers.has(articlenumber ?? ''))
    expect(made.filter(({ label }) => label === 'published')).toHaveLength(60)
    const labels = await Promise.all(made.map(({ hash }) => readLabel(hash)))
    expect(labels.filter(label => label?.withdrawn === null)).toHaveLength(60)
  })
})

describe('an export', () => {
  test('contains the facts, and changes nothing when it is imported again', async () => {
    await imported({ ...cells, facts_published: '1' })
    await imported()
    const state = await kind.read(shop.id)
    const { rows } = kind.exportRows(state)
    for (const read of [rows, throughCsv(kind.format, rows), throughJson(kind.format, rows)])
      expect(kind.plan(state, read)).toEqual(nothing(rows.length))
  })

  const ingredient = fc.oneof(
    fc.record({ key: fc.constantFrom(...ingredientKeys) }),
    fc.record(
      {
        name: someText,
        class: fc.constantFrom(...classKeys.filter(name => name !== 'acidity_regulator' && name !== 'stabiliser')),
        enumber: fc.constantFrom('E 334', 'E 150a'),
        allergen: fc.constantFrom<0 | 1>(0, 1),
        names: fc.record({ en: someText, fr: someText }, { requiredKeys: [] }),
      },
      { requiredKeys: ['name', 'class'] },
    ),
  )
  const someFacts: fc.Arbitrary<Pick<Facts, 'ingredients' | 'packaging'>> = fc.record({
    ingredients: fc.uniqueArray(ingredient, {
      selector: one => ('key' in one ? one.key : `${one.name}=${one.class}`),
      maxLength: 4,
    }),
    packaging: fc.array(
      fc.record({ part: fc.constantFrom(...packagingParts), material: fc.constantFrom(...materialCodes) }),
      { maxLength: 3 },
    ),
  })

  test('contains any ingredient and packaging', () => {
    fc.assert(
      fc.property(someFacts, given => {
        const row = rowOf(plain)
        const cellsIn = toCsvRecord({ ...row, facts: given })
        const read = rowOf(cellsIn)
        expect(toCsvRecord(read)).toEqual(cellsIn)
        expect(parseJsonRow(JSON.parse(JSON.stringify({ ...row, facts: given })), 1).row?.facts).toEqual(
          JSON.parse(JSON.stringify(given)),
        )
      }),
      { numRuns: 200 },
    )
  })
})

test('a row that rolls a wine with a label over gives facts to the next vintage alone', async () => {
  const { articlenumber = '' } = await imported({ ...cells, facts_published: '1' })
  const { id, hash } = await wineOf(articlenumber)
  const row = rowOf({ ...analysed, articlenumber, vintage: '2025', alcohol: '11.5', facts_ingredients: 'grapes' })
  await importRecords(shop.id, winesRolledOver, [row])
  const next = await wineOf(articlenumber)
  expect(next).toMatchObject({ vintage: 2025, predecessor_id: id })
  expect((await factsOf(articlenumber)).ingredients).toEqual([{ key: 'grapes' }])
  expect(await readLabel(hash)).toMatchObject({ vintage: 2024, alcohol: '12.0', withdrawn: null })
})
