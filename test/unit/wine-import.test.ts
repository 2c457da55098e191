import fc from 'fast-check'
import { collectLines } from '../../lib/tool/imports/files.ts'
import type { Catalogue, WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { wines as kind, winesRolledOver } from '../../lib/tool/imports/wines.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import type { Winery } from '../../shared/contract/records/winery.ts'
import { arbitraryWines, catalogueOf, categories, wineWith } from '../support/imported-wines.ts'
import { nothing, throughCsv, throughJson } from '../support/record-files.ts'

const { columns: allColumns, parseRow, parseJsonRow, toCsvRecord } = kind.format
const csvColumns = allColumns.map(({ name }) => name)

type Context = Pick<Catalogue, 'categories' | 'stocks'>

const planImport = (wines: readonly Wine[], rows: readonly WineRow[], context?: Context, lines?: number[]) =>
  kind.plan(catalogueOf(wines, context), rows, lines)
const exportRows = (wines: readonly Wine[], context?: Context) => kind.exportRows(catalogueOf(wines, context)).rows

const row: WineRow = { articlenumber: 'A-1', name: 'Riesling', type: 'white', countrycode: 'de', region: 1005 }
const record = { articlenumber: 'A-1', name: 'Riesling', type: 'white', countrycode: 'de', region: '1005' }
const rowOf = (more: Record<string, string | null>) => parseRow({ ...record, ...more }, 2).row

const stocksOf = (wines: readonly Wine[]) =>
  new Map(wines.flatMap(({ id }) => (id % 3 === 0 ? [] : [[id, id] as const])))

describe('an export', () => {
  test('imported again changes nothing, as rows, as CSV and as JSON', () => {
    fc.assert(
      fc.property(arbitraryWines, wines => {
        const context = { categories, stocks: stocksOf(wines) }
        const rows = exportRows(wines, context)
        for (const read of [rows, throughCsv(kind.format, rows), throughJson(kind.format, rows)])
          expect(planImport(wines, read, context)).toEqual(nothing(wines.length))
      }),
      { numRuns: 50 },
    )
  })

  test('leaves out wines that share an article number, and their translations, and counts them', () => {
    const translation = wineWith({ id: 3, origin_id: 1, language: 'en' })
    const wines = [wineWith({ id: 1 }), wineWith({ id: 2 }), translation, wineWith({ id: 4, articlenumber: null })]
    const { rows, leftOut } = kind.exportRows(catalogueOf(wines))
    expect([rows.map(({ id }) => id), leftOut]).toEqual([[4], 3])
    expect(planImport(wines, rows)).toEqual(nothing(1))
  })

  test('contains the gross amount and the tax rate of a price only', () => {
    const [exported] = exportRows([wineWith({ gross: '11.90' })])
    expect(exported).toMatchObject({ gross: '11.90', taxrate: 19 })
    expect(exported).not.toHaveProperty('net')
    expect(exported).not.toHaveProperty('tax')
  })

  test('has a column for every key it can hold', () => {
    const [exported] = exportRows([wineWith({ winery: { name: 'Gut' } as Winery })], { categories, stocks: new Map() })
    const columns = Object.keys(toCsvRecord(exported as WineRow))
    expect(columns.filter(column => !csvColumns.includes(column))).toEqual([])
    expect(csvColumns.filter(column => !columns.includes(column) && !/^(winery|facts)_/.test(column))).toEqual([
      ...['id', 'net', 'tax', 'origin_id', 'original'],
    ])
  })
})

test('a row does not give an original the language of one of its translations', () => {
  const translations = [{ id: 2, language: 'en', name: 'Wine', path_segment: 'wine' }]
  const wines = [wineWith({ id: 1, translations })]
  const rows = exportRows(wines)
  const refused = { column: 'language', rule: 'translation', expected: 'another language than that of a translation' }
  const plan = (language: string) =>
    planImport(
      wines,
      rows.map(one => ({ ...one, language })),
      undefined,
      [4],
    ).refusals
  expect(plan('en')).toEqual([{ line: 4, ...refused }])
  expect(plan('fr')).toEqual([])
})

describe('a row of a translation', () => {
  const original = wineWith({ id: 1, translations: [{ id: 2, language: 'en', name: 'Wine', path_segment: 'wine' }] })
  const english = wineWith({ id: 2, origin_id: 1, language: 'en', path_segment: 'wine' })
  const translation = { ...row, articlenumber: null, original: 'A-1', language: 'fr' }
  const refusalsOf = (rows: readonly WineRow[]) =>
    planImport([original, english], rows).refusals.map(({ line, column, rule }) => [line, column, rule])

  test('finds the translation of its language, or adds it', () => {
    const plan = planImport([original, english], [translation, { ...translation, language: 'en', name: 'White' }])
    expect(plan.additions).toEqual([translation])
    expect(plan.changes.map(({ record, fields }) => [record.id, fields.map(({ name }) => name)])).toEqual([
      [2, ['articlenumber', 'name']],
    ])
  })

  test('names its original by the id alone where that has no article number, in the file or the catalogue', () => {
    const unnumbered = { ...row, articlenumber: null, id: 77 }
    const named = { ...translation, original: null, origin_id: 77 }
    expect(refusalsOf([unnumbered, named])).toEqual([])
    expect(refusalsOf([named])).toEqual([[1, 'origin_id', 'original']])
    expect(planImport([wineWith({ id: 77, articlenumber: null })], [named]).additions).toEqual([named])
  })

  test('is refused without an original, in the language of the original, twice, and as the 31st', () => {
    expect(refusalsOf([{ ...translation, original: 'B' }])).toEqual([[1, 'original', 'original']])
    expect(refusalsOf([{ ...translation, language: 'de' }])).toEqual([[1, 'language', 'translation']])
    expect(refusalsOf([translation, translation])).toEqual([[2, 'articlenumber', 'duplicate']])
    const many = Array.from({ length: 30 }, (_, n) => ({
      ...translation,
      language: `a${'abcdefghijklmnopqrstuvwxyzäöüß'[n]}`,
    }))
    expect(refusalsOf(many)).toEqual([[30, 'original', 'max_translations']])
    const { problems } = parseRow({ ...record, articlenumber: '', original: 'A-1' }, 3)
    expect(problems).toEqual([{ line: 3, column: 'language', rule: 'required', expected: 'given' }])
  })

  test('makes no next vintage', () => {
    const of2024 = [{ ...wineWith({ id: 1, vintage: 2024 }) }, { ...english, vintage: 2024 }]
    const later = { ...translation, language: 'en', vintage: 2025 }
    expect(winesRolledOver.plan(catalogueOf(of2024), [later]).refusals).toMatchObject([
      { column: 'vintage', rule: 'roll_over' },
    ])
  })
})

test('a path_segment that another wine of the file or the catalogue has is refused', () => {
  const other = wineWith({ id: 2, articlenumber: 'A-2', path_segment: 'silvaner' })
  const refusalsOf = (rows: readonly WineRow[]) =>
    planImport([other], rows).refusals.map(({ line, rule }) => [line, rule])
  expect(refusalsOf([{ ...row, path_segment: 'silvaner' }])).toEqual([[1, 'unique']])
  const own = { ...row, path_segment: 'riesling' }
  expect(refusalsOf([own, { ...own, articlenumber: 'A-3' }])).toEqual([[2, 'unique']])
})

describe('a CSV record', () => {
  test('is read into wire types', () => {
    expect(
      rowOf({
        vintage: '2024',
        alcohol: '12',
        bottlesize: '0.75',
        gross: '11.90',
        taxrate: '19',
        bio: '1',
        description: ' Saftig.\r\nLang. ',
        stock: '12',
        allergenIds: '12|7',
        categories: 'Weißwein|Bio \\| Vegan',
        prices: 'Gastronomie=8.90|A=B=7.50',
        winery: 'Gut Sonne',
        winery_www: 'https://example.org',
      }),
    ).toEqual({
      ...row,
      vintage: 2024,
      alcohol: '12.0',
      bottlesize: '0.750',
      gross: '11.90',
      taxrate: 19,
      bio: 1,
      description: 'Saftig.\nLang.',
      stock: 12,
      allergenIds: [12, 7],
      categories: ['Weißwein', 'Bio | Vegan'],
      prices: [
        { priceRange: 'Gastronomie', gross: '8.90' },
        { priceRange: 'A=B', gross: '7.50' },
      ],
      winery: { name: 'Gut Sonne', www: 'https://example.org' },
    })
  })

  test('clears what can be null or a list with an empty cell, and leaves the rest alone', () => {
    const cells = {
      vintage: '',
      quality: null,
      gross: '',
      net: '',
      bio: '',
      categories: '',
      stock: '',
      winery: '',
      winery_www: '',
    }
    expect(rowOf(cells)).toEqual({ ...row, gross: null, vintage: null, quality: null, categories: [], stock: null })
  })

  test('names its region and its grapes by id or by name, and holds their ids', () => {
    expect(rowOf({ region: 'Mosel' })?.region).toBe(1005)
    expect(rowOf({ countrycode: 'it', region: 'TUSCANY' })?.region).toBe(6016)
    expect(rowOf({ countrycode: 'br', region: 'Serra Gaúcha' })?.region).toBe(100_003)
    expect(rowOf({ grapetypeIds: 'Riesling|32| merlot |000' })).toBeNull()
    expect(rowOf({ grapetypeIds: 'Riesling|32| merlot |Syrah/Shiraz' })?.grapetypeIds).toEqual([129, 32, 71, 122])
  })

  test('fills a price from the columns given', () => {
    expect(rowOf({ net: '10.00', taxrate: '19' })).toEqual({
      ...row,
      net: '10.00',
      tax: '1.90',
      gross: '11.90',
      taxrate: 19,
    })
  })

  test.each([
    [{ articlenumber: '' }, 'articlenumber', 'required', 'given'],
    [{ name: ' ' }, 'name', 'required', 'given'],
    [{ region: '' }, 'region', 'required', 'given'],
    [{ name: 'x'.repeat(256) }, 'name', 'max_length', 'at most 255 characters long'],
    [{ name: 'a\u0007b' }, 'name', 'printable', 'free of control characters'],
    [{ countrycode: 'XX' }, 'countrycode', 'country_code', 'the code of a country in two letters'],
    [{ region: '2002' }, 'region', 'region_of_country', '1000-1013'],
    [{ region: 'Moselle' }, 'region', 'id', 'a positive whole number or the name of a wine region'],
    [{ region: 'Toskana' }, 'region', 'region_of_country', '1000-1013'],
    [{ quality: 'aoc' }, 'quality', 'quality_of_country', expect.stringContaining('cabinet')],
    [{ type: 'rot' }, 'type', 'one_of', expect.stringContaining('rose, rotling')],
    [{ bottling_type: 'home' }, 'bottling_type', 'one_of', 'producer, bottler, estate, castle, purchase'],
    [{ cap: 'glass' }, 'cap', 'one_of', 'screw, cork, crownCap, plastic, glas'],
    [{ taste_id: '16' }, 'taste_id', 'one_of', expect.stringContaining('14, 15')],
    [{ allergenIds: '12|15' }, 'allergenIds', 'one_of', expect.stringContaining('13, 14')],
    [{ allergenIds: '12|12' }, 'allergenIds', 'unique', 'free of duplicates'],
    [{ grapetypeIds: '1||2' }, 'grapetypeIds', 'id', 'a positive whole number or the name of a grape'],
    [{ grapetypeIds: '129|Riesling' }, 'grapetypeIds', 'unique', 'free of duplicates'],
    [{ vintage: '99' }, 'vintage', 'min_value', '1000'],
    [{ taxrate: '101' }, 'taxrate', 'max_value', '100'],
    [{ sorting: '-1' }, 'sorting', 'whole_number', 'a whole number of 0 or more'],
    [{ alcohol: '12,55' }, 'alcohol', 'decimal', 'a number from 0 to 100 with at most 1 decimals'],
    [{ alcohol: '100.1' }, 'alcohol', 'decimal', 'a number from 0 to 100 with at most 1 decimals'],
    [{ bottlesize: '0' }, 'bottlesize', 'above_zero', 'greater than 0'],
    [{ gross: '8,905' }, 'gross', 'money', 'an amount with two decimals such as "12.50"'],
    [{ gross: '-8.90' }, 'gross', 'min_value', '0.00'],
    [{ net: '8.90' }, 'taxrate', 'required', 'given'],
    [
      { gross: '11.90', net: '10.01', taxrate: '19' },
      'gross',
      'price_inconsistent',
      'consistent with net, tax and taxrate',
    ],
    [{ bio: 'ja' }, 'bio', 'flag', '0 or 1'],
    [{ gtin: '4006381333932' }, 'gtin', 'gtin', 'a GTIN of 8, 12, 13 or 14 digits with a valid check digit'],
    [{ language: 'DE' }, 'language', 'language', 'a language code of two lower-case letters'],
    [{ prices: 'Gastronomie' }, 'prices', 'money', 'an amount with two decimals such as "12.50"'],
    [{ prices: 'A=1.00|A=2.00' }, 'prices', 'unique', 'free of duplicates'],
    [{ winery_www: 'https://example.org' }, 'winery', 'required', 'given'],
    [{ winery: 'Gut', winery_countrycode: 'D' }, 'winery_countrycode', 'country_code', expect.any(String)],
    [{ stock: '1.5' }, 'stock', 'whole_number', 'a whole number of 0 or more'],
  ])('is refused for %j', (cells, column, rule, expected) => {
    expect(parseRow({ ...record, ...cells }, 7)).toEqual({ row: null, problems: [{ line: 7, column, rule, expected }] })
  })

  test('is refused with every problem at once', () => {
    const { problems } = parseRow({ ...record, type: 'rot', gross: 'x', winery: 'Gut', winery_region: '0' }, 3)
    expect(problems.map(({ column }) => column)).toEqual(['type', 'gross', 'winery_region'])
  })

  test('is refused on line 1 for an unknown column, once for the whole file', () => {
    const unknown = { line: 1, column: 'price', rule: 'unknown_column', expected: 'a column of the import' }
    const parsed = [2, 3].map(line => ({ line, parsed: parseRow({ ...record, price: '8.90' }, line) }))
    expect(parsed[0]?.parsed.problems).toEqual([unknown])
    expect(collectLines(parsed)).toEqual({ rows: [], lines: [], refusals: [unknown] })
  })
})

describe('a JSON row', () => {
  test('is read with JSON numbers and booleans', () => {
    const { row: read } = parseJsonRow(
      { ...row, gross: 8.9, alcohol: 12.5, bio: true, vintage: null, grapetypeIds: [3] },
      1,
    )
    expect(read).toEqual({ ...row, gross: '8.90', alcohol: '12.5', bio: 1, vintage: null, grapetypeIds: [3] })
  })

  test.each([
    [[], '', 'an object'],
    [{ ...row, name: 12 }, 'name', 'text'],
    [{ ...row, allergenIds: 12 }, 'allergenIds', 'a list'],
    [{ ...row, prices: ['A=1.00'] }, 'prices', 'an object'],
    [{ ...row, prices: [{ priceRange: 'A', gross: '1.00', net: '0.84' }] }, 'prices', 'of known keys only'],
    [{ ...row, winery: 'Gut' }, 'winery', 'an object'],
  ])('is refused where a value is of the wrong kind: %j', (value, column, expected) => {
    expect(parseJsonRow(value, 4).problems).toEqual([{ line: 4, column, rule: 'type', expected }])
  })

  test('is refused on its own line for an unknown key', () => {
    const unknown = { line: 4, rule: 'unknown_column', expected: 'a column of the import' }
    const odd = JSON.parse('{"__proto__": {"name": "x"}, "hash": "3", "winery": {"name": "Gut", "phones": "1"}}')
    expect(parseJsonRow({ ...row, ...odd }, 4).problems).toEqual([
      { ...unknown, column: '__proto__' },
      { ...unknown, column: 'hash' },
      { ...unknown, column: 'winery_phones' },
    ])
  })
})

describe('a plan', () => {
  const wine = wineWith({ articlenumber: 'A-1', gross: '8.90', categoryIds: [1], allergenIds: [7, 12] })

  test('adds the rows whose article number no wine has', () => {
    const added = { ...row, articlenumber: 'A-2' }
    expect(planImport([wine], [added])).toEqual({ ...nothing(0), additions: [added] })
  })

  test('names the fields a row changes and no others', () => {
    const wanted = {
      ...row,
      name: 'Neu',
      gross: '9.90',
      vintage: null,
      allergenIds: [12, 7],
      stock: 3,
      categories: ['Bio'],
    }
    const { changes } = planImport([wine], [wanted], { categories, stocks: new Map([[wine.id, 3]]) })
    expect(changes).toEqual([
      {
        record: wine,
        row: wanted,
        fields: [
          { name: 'name', from: 'Riesling', to: 'Neu' },
          { name: 'gross', from: '8.90', to: '9.90' },
          { name: 'categories', from: ['Weißwein'], to: ['Bio'] },
        ],
      },
    ])
  })

  test('leaves a field alone that the row does not give', () => {
    expect(planImport([wineWith({ articlenumber: 'A-1', quality: 'cabinet', bio: 1 })], [row])).toEqual(nothing(1))
  })

  test('finds every change of a single field', () => {
    const [exported] = exportRows([wine])
    const changed: Partial<WineRow>[] = [
      { alcohol: '13.0' },
      { bio: 1 },
      { place: 'Mosel' },
      { stock: 1 },
      { allergenIds: [7] },
    ]
    for (const change of changed) {
      const { changes } = planImport([wine], [{ ...(exported as WineRow), ...change }])
      expect(changes.map(({ fields }) => fields.map(({ name }) => name))).toEqual([Object.keys(change)])
    }
  })

  test('compares a winery by its name first and then by the details given', () => {
    const old = { name: 'Alt', www: 'https://alt.example', city: 'Trier' } as Winery
    const known = { name: 'Neu', www: 'https://neu.example', city: 'Wien' } as Winery
    const wines = [
      wineWith({ articlenumber: 'A-1', winery: old }),
      wineWith({ id: 2, articlenumber: 'A-2', winery: known }),
    ]
    const changesFor = (winery: WineRow['winery']) => planImport(wines, [{ ...row, winery }]).changes[0]?.fields
    expect(changesFor({ name: 'Alt', www: 'https://alt.example' })).toBeUndefined()
    expect(changesFor({ name: 'Alt', city: null })).toEqual([{ name: 'winery_city', from: 'Trier', to: null }])
    expect(changesFor({ name: 'Neu', city: 'Wien' })).toEqual([{ name: 'winery', from: 'Alt', to: 'Neu' }])
    expect(changesFor({ name: 'Drei', city: 'Linz' })).toEqual([
      { name: 'winery', from: 'Alt', to: 'Drei' },
      { name: 'winery_city', from: null, to: 'Linz' },
    ])
  })

  test('refuses the later row of an article number', () => {
    const { additions, refusals } = planImport([], [row, { ...row, name: 'Anders' }], undefined, [2, 5])
    expect(additions).toEqual([row])
    expect(refusals).toEqual([
      { line: 5, column: 'articlenumber', rule: 'duplicate', expected: 'given once, and is on line 2 already' },
    ])
  })

  test('refuses an article number that two wines of the catalogue share', () => {
    const { refusals } = planImport([wine, wineWith({ id: 2, articlenumber: 'A-1' })], [row])
    expect(refusals).toEqual([
      { line: 1, column: 'articlenumber', rule: 'ambiguous', expected: 'the number of a single wine of the catalogue' },
    ])
  })

  test('refuses a second version of a winery', () => {
    const winery = { name: 'Gut', www: 'https://gut.example' }
    const other = { ...row, articlenumber: 'A-2', winery: { ...winery, www: 'https://anders.example' } }
    expect(planImport([], [{ ...row, winery }, other]).refusals).toEqual([
      { line: 2, column: 'winery_www', rule: 'winery_conflict', expected: 'the same as on line 1' },
    ])
  })

  test('refuses a change of country that leaves a quality of the old one', () => {
    const german = wineWith({ articlenumber: 'A-1', quality: 'cabinet' })
    const moved = { ...row, countrycode: 'fr', region: 2000 }
    expect(planImport([german], [moved]).refusals).toEqual([
      { line: 1, column: 'quality', rule: 'quality_of_country', expected: expect.stringContaining('aoc') },
    ])
    expect(planImport([german], [{ ...moved, quality: null }]).changes).toHaveLength(1)
  })
})
