import * as v from 'valibot'
import { packages } from '../../lib/tool/imports/packages.ts'
import { products } from '../../lib/tool/imports/products.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { wines as wineKind } from '../../lib/tool/imports/wines.ts'
import { Address, addressFields } from '../../shared/contract/records/address.ts'
import { clientFields } from '../../shared/contract/records/client.ts'
import { checkSize, findOversized, jsonBytes, maxRecordBytes } from '../../shared/contract/records/size.ts'
import { completeWinery, wineryFields } from '../../shared/contract/records/winery.ts'
import type { FieldTable, ValueSchema } from '../../shared/contract/schema/fields.ts'
import { bare } from '../support/expertise-sheet-samples.ts'
import { catalogueOf } from '../support/imported-wines.ts'
import { counted } from '../support/partitions.ts'

const wide = '🍷'
const line = wide.repeat(255)
const lines = wide.repeat(10_000)

describe('the size of a record', () => {
  const limit = { rule: 'max_bytes', expected: 'at most 100 KB as JSON' }
  const full = { text: 'x'.repeat(maxRecordBytes - 11) }

  test('is that of its JSON in bytes, without the version', () => {
    expect(jsonBytes(full)).toBe(maxRecordBytes)
    expect(findOversized({ ...full, version: 17 }, {}, null)).toBeUndefined()
    expect(findOversized({ text: `${full.text}x` }, {}, null)).toEqual({ field: undefined, ...limit })
    expect(findOversized({ text: 'ü'.repeat(maxRecordBytes / 2) }, {}, null)).toMatchObject(limit)
    expect(findOversized({ text: '"'.repeat(maxRecordBytes / 2) }, {}, null)).toMatchObject(limit)
  })

  test('is refused for the longest of the given fields', () => {
    const large = { ...full, more: 'x' }
    expect(findOversized(large, { a: 'x', b: 'üü', c: undefined }, null)).toEqual({ field: 'b', ...limit })
    expect(() => checkSize(large, { a: 'x', b: 'üü' }, null)).toThrow(
      '`data.b` is too long: a record can have at most 100 KB as JSON.',
    )
    expect(() => checkSize(large, {}, null)).toThrow('`data` is too long')
  })

  test('may exceed the limit if it did before, but must not grow', () => {
    const large = { text: 'x'.repeat(maxRecordBytes), version: 9 }
    expect(findOversized({ ...large, version: 10 }, {}, large)).toBeUndefined()
    expect(findOversized({ text: 'x', version: 10 }, {}, large)).toBeUndefined()
    expect(findOversized({ text: `x${large.text}`, version: 10 }, {}, large)).toMatchObject(limit)
  })
})

describe('records that need no check because they cannot be too large', () => {
  /** The longest value that a schema takes. */
  const longestOf = (schema: ValueSchema): unknown =>
    [lines, wide.repeat(4000), line, Number.MAX_SAFE_INTEGER, '2026-01-01 00:00:00', 'de', 999, 100, 1, 0].find(value =>
      v.is(schema, value),
    )
  const filled = (fields: Readonly<Record<string, ValueSchema | undefined>>) =>
    Object.fromEntries(Object.entries(fields).flatMap(([name, schema]) => (schema ? [[name, longestOf(schema)]] : [])))
  const schemasOf = (fields: FieldTable) =>
    Object.fromEntries(Object.entries(fields).map(([name, { column, schema }]) => [name, column ?? schema]))

  test.each([
    ['a client', filled(schemasOf(clientFields)), 30_000],
    ['a winery', filled(schemasOf(wineryFields)), 50_000],
    ['an address', filled({ ...Address.entries, ...addressFields }), 10_000],
  ])('%s', (_, record, least) => {
    expect(jsonBytes(record)).toBeGreaterThan(least)
    expect(jsonBytes(record)).toBeLessThan(maxRecordBytes)
  })
})

describe('an import refuses oversized records by line and column', () => {
  const prices = counted(100).map(n => ({ priceRange: `${n}${wide.repeat(250)}`, gross: '1.00' }))
  const tooLarge = { rule: 'max_bytes', expected: 'at most 100 KB as JSON' }
  const plain: WineRow = { articlenumber: 'W', name: 'Wein', type: 'red', countrycode: 'de', region: 1005 }

  test('a wine', () => {
    const winery = { name: line, freetext: lines, company: line, address: line, city: line, www: line, fax: line }
    const few = prices.slice(0, 9)
    const texts = { prices: few, place: line, terroir: line, maturation: line, quality_note: line, nostocktext: line }
    const rows = [
      { ...plain, articlenumber: '1', prices },
      { ...plain, articlenumber: '2', description: lines, ...texts },
      {
        ...plain,
        articlenumber: '3',
        description: lines,
        ...texts,
        winery: { ...winery, zip: line, taxid: line, phone: line, mail: line, vineyard: line, harvest: line },
      },
    ]
    const { additions, refusals } = wineKind.plan(catalogueOf([]), rows, [5, 6, 7])
    expect(refusals).toEqual([
      { line: 5, column: 'prices', ...tooLarge },
      { line: 7, column: 'winery', ...tooLarge },
    ])
    expect(additions.map(({ articlenumber }) => articlenumber)).toEqual(['2'])
  })

  test('a winery that makes another of its wines too large', () => {
    const known = completeWinery({ id: 4, name: 'Gut', customers_id: 1, crstamp: '', chstamp: '' })
    const wine = { ...bare, winery: known, winery_id: 4 }
    const wines = [
      { ...wine, id: 1, articlenumber: '1', description: lines, terroir: wide.repeat(6000) },
      { ...wine, id: 2, articlenumber: '2' },
    ]
    const plan = (winery: object) =>
      wineKind.plan(catalogueOf(wines), [{ ...plain, articlenumber: '2', winery: { name: 'Gut', ...winery } }], [9])
    expect(plan({ freetext: lines }).refusals).toEqual([{ line: 9, column: 'winery', ...tooLarge }])
    expect(plan({ freetext: 'kurz' }).refusals).toEqual([])
  })

  test('a product', () => {
    const state = { version: 0, products: [], stocks: new Map(), rangesVersion: 0, priceRanges: [], categories: [] }
    const row = { articlenumber: 'P', name: 'Karaffe', gross: '1.00', description: lines }
    expect(products.plan(state, [{ ...row, prices }], [3]).refusals).toEqual([
      { line: 3, column: 'prices', ...tooLarge },
    ])
    expect(products.plan(state, [row], [3]).refusals).toEqual([])
  })

  test('a list of packages, by its last line', () => {
    const state = { version: 0, packages: [], last: 0 }
    const rows = counted(1000).map(n => ({ min_bottles: n, max_bottles: n, gross: '1.00', taxrate: 19 }))
    expect(packages.plan(state, rows).refusals).toEqual([
      { line: 1000, column: '', rule: 'max_bytes', expected: 'the last of a list of at most 100 KB as JSON' },
    ])
    expect(packages.plan(state, rows.slice(0, 200)).refusals).toEqual([])
  })
})
