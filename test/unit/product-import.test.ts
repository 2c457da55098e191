import fc from 'fast-check'
import { products as kind, newProduct, type ProductRow, withRow } from '../../lib/tool/imports/products.ts'
import type { PricedProduct } from '../../shared/catalogue/products/stored.ts'
import { completeCategory } from '../../shared/contract/records/category.ts'
import { nothing, someFlag, someLines, someMoney, someText, throughCsv, throughJson } from '../support/record-files.ts'

const rangeIds = new Map([
  ['Gastronomie', 1],
  ['A=B | \\C', 2],
])
const ids = { priceRanges: rangeIds, categories: new Map([['Zubehör', 3]]) }
const identity = { id: 1, customers_id: 7, now: '2026-01-01 00:00:00' }
const productFrom = (row: Partial<ProductRow>, id = 1): PricedProduct =>
  newProduct({ ...identity, id }, { articlenumber: 'P-1', name: 'Kellnermesser', gross: '12.50', ...row }, ids)

const { format: productFormat } = kind
const stateOf = (products: readonly PricedProduct[], stocks: ReadonlyMap<number, number>) => ({
  version: 0,
  products: products.map(product => ({ ...product, version: 1 })),
  stocks,
  rangesVersion: 0,
  priceRanges: [],
  categories: [completeCategory({ id: 3, name: 'Zubehör', path_segment: 'zubehoer' })],
})
const planProducts = (
  products: readonly PricedProduct[],
  rows: readonly ProductRow[],
  stocks: ReadonlyMap<number, number>,
) => kind.plan(stateOf(products, stocks), rows)
const exportProducts = (products: readonly PricedProduct[], stocks: ReadonlyMap<number, number>) =>
  kind.exportRows(stateOf(products, stocks)).rows

const prices = fc.uniqueArray(fc.record({ priceRange: fc.constantFrom(...rangeIds.keys()), gross: someMoney }), {
  selector: ({ priceRange }) => priceRange,
  maxLength: 2,
})
const rows = fc.record<Partial<ProductRow>>({
  name: someText,
  gross: someMoney,
  taxrate: fc.constantFrom(0, 7, 19),
  prices,
  categories: fc.constantFrom([], ['Zubehör']),
  topseller: someFlag,
  sorting: fc.nat(99),
  package_quantity: fc.nat(12),
  stock: fc.option(fc.nat(500)),
  description: someLines,
  image: fc.constantFrom(null, 'drawn', '/Images/product/7-1/0123456789abcdef0123456789abcdef-60x90.webp'),
  active: someFlag,
  nostock: someFlag,
  nostocktext: fc.option(someText),
})
const arbitraryRows = fc
  .tuple(fc.uniqueArray(someText, { maxLength: 5 }), fc.array(rows, { minLength: 5, maxLength: 5 }))
  .map(([numbers, parts]) => numbers.map((articlenumber, n) => ({ ...parts[n], articlenumber })))

const csvRow = (cells: Record<string, string>) => productFormat.parseRow({ articlenumber: 'P-1', ...cells }, 3)

describe('an export of products', () => {
  test('imported again changes nothing, as CSV and as JSON', () => {
    fc.assert(
      fc.property(arbitraryRows, given => {
        const products = given.map((row, n) => productFrom(row, n + 1))
        const stocks = new Map(given.flatMap(({ stock }, n) => (stock == null ? [] : [[n + 1, stock] as const])))
        const exported = exportProducts(products, stocks)
        for (const read of [exported, throughCsv(productFormat, exported), throughJson(productFormat, exported)]) {
          expect(planProducts(products, read, stocks)).toEqual(nothing(products.length))
          expect(read.map((row, n) => productFrom(row, n + 1))).toEqual(products)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('leaves out translations and products without an article number', () => {
    const products = [
      productFrom({}),
      { ...productFrom({}), origin_id: 1 },
      { ...productFrom({}), articlenumber: null },
    ]
    expect(exportProducts(products, new Map())).toHaveLength(1)
  })

  test('has a column for every key except the derived net and tax', () => {
    const [row] = exportProducts([productFrom({ path_segment: 'kellnermesser' })], new Map())
    const absent = productFormat.columns.filter(({ name }) => !Object.hasOwn(row as ProductRow, name))
    expect(absent.map(({ name }) => name)).toEqual(['net', 'tax'])
  })
})

describe('a row of a product', () => {
  test('is parsed into wire types, and its price completed from the given columns', () => {
    const cells = { net: '10.00', taxrate: '19', package_quantity: '6', stock: '', prices: 'Gastronomie=9.90|A=1.00' }
    expect(csvRow(cells).row).toEqual({
      articlenumber: 'P-1',
      net: '10.00',
      tax: '1.90',
      gross: '11.90',
      taxrate: 19,
      package_quantity: 6,
      stock: null,
      prices: [
        { priceRange: 'Gastronomie', gross: '9.90' },
        { priceRange: 'A', gross: '1.00' },
      ],
    })
  })

  test.each([
    [{ articlenumber: '' }, 'articlenumber', 'required'],
    [{ net: '9.90' }, 'taxrate', 'required'],
    [{ gross: '11.90', net: '10.01', taxrate: '19' }, 'gross', 'price_inconsistent'],
    [{ package_quantity: '-1' }, 'package_quantity', 'whole_number'],
    [{ prices: 'A=1.00|A=2.00' }, 'prices', 'unique'],
  ])('is refused for %j', (cells, column, rule) => {
    expect(csvRow(cells)).toEqual({
      row: null,
      problems: [{ line: 3, column, rule, expected: expect.any(String) }],
    })
  })
})

describe('a plan of products', () => {
  const product = productFrom({ prices: [{ priceRange: 'Gastronomie', gross: '9.90' }] })

  test('shows each change, prices by their range', () => {
    const row: ProductRow = {
      articlenumber: 'P-1',
      taxrate: 7,
      stock: 5,
      prices: [{ priceRange: 'Gastronomie', gross: '8.90' }],
    }
    const { changes } = planProducts([product], [row], new Map([[1, 9]]))
    expect(changes).toEqual([
      {
        record: { ...product, version: 1 },
        row,
        fields: [
          { name: 'taxrate', from: 19, to: 7 },
          { name: 'stock', from: 9, to: 5 },
          { name: 'prices', from: ['Gastronomie=9.90'], to: ['Gastronomie=8.90'] },
        ],
      },
    ])
  })

  test('needs only the article number and the changes of an existing product', () => {
    expect(planProducts([product], [{ articlenumber: 'P-1', stock: 3 }], new Map()).changes).toHaveLength(1)
    expect(planProducts([product], [{ articlenumber: 'P-2', stock: 3 }], new Map()).refusals).toEqual([
      expect.objectContaining({ line: 1, column: 'name', rule: 'required' }),
    ])
  })
})

describe('a changed product', () => {
  test('keeps gross amounts under a new tax rate, also in its price ranges', () => {
    const before = productFrom({ gross: '11.90', prices: [{ priceRange: 'Gastronomie', gross: '10.70' }] })
    const after = withRow(before, { articlenumber: 'P-1', taxrate: 7 }, ids)
    expect(after).toMatchObject({ gross: '11.90', net: '11.12', tax: '0.78', taxrate: 7 })
    expect(after.prices).toEqual([
      {
        price_range_id: 1,
        priceRangeName: 'Gastronomie',
        taxrate: 7,
        net: '10.00',
        tax: '0.70',
        gross: '10.70',
        product_id: 1,
      },
    ])
  })

  test('keeps its categories in a row without categories', () => {
    const before = productFrom({ categories: ['Zubehör'] })
    expect(withRow(before, { articlenumber: 'P-1', taxrate: 7 }, ids).categoryIds).toEqual([3])
  })

  test('must not have the path_segment of another product', () => {
    const others = [productFrom({ path_segment: 'messer' })]
    const row = { articlenumber: 'P-2', name: 'Messer', gross: '1.00', path_segment: 'messer' }
    const unique = expect.objectContaining({ column: 'path_segment', rule: 'unique' })
    expect(planProducts(others, [row], new Map()).refusals).toEqual([unique])
    expect(planProducts(others, [{ ...row, path_segment: 'anders' }], new Map()).refusals).toEqual([])
  })

  test('has a package quantity of one bottle by default', () => {
    expect(productFrom({}).package_quantity).toBe(1)
    expect(productFrom({ package_quantity: 6 }).package_quantity).toBe(6)
  })
})
