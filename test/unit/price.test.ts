import { products as kind, newProduct, type ProductRow, withRow } from '../../lib/tool/imports/products.ts'
import { wines } from '../../lib/tool/imports/wines.ts'
import { withData } from '../../shared/catalogue/wines/merge.ts'
import { Problem } from '../../shared/contract/errors.ts'
import {
  agreedPrice,
  completeAmounts,
  withClientPrice,
  withClientPrices,
  withOwnPrices,
} from '../../shared/values/money.ts'
import { wineWith } from '../support/imported-wines.ts'

const noAmounts = ['', '12', '12.5', '12,50', '1e3', 'free', ' 12.50', '12.50 EUR']

describe('an invalid amount', () => {
  test.each(noAmounts)('never counts as 0, and its field is named: %j', amount => {
    expect(() => completeAmounts({ gross: amount }, 19, 'wine 12')).toThrow(/^gross of wine 12 is no amount/)
    expect(() => completeAmounts({ gross: '1.19', net: amount }, 19, 'wine 12')).toThrow(/^net of wine 12 is no amount/)
    expect(() => completeAmounts({ net: '1.00', tax: amount }, 19, 'wine 12')).toThrow(/^tax of wine 12 is no amount/)
  })

  const none = { winery: null, priceRanges: new Map() }

  test.each(noAmounts)('makes an edit of a stored wine fail instead of changing the price: %j', gross => {
    const wine = wineWith({ id: 12, gross })
    expect(() => withData(wine, { taxrate: 7 }, none)).toThrow(/^gross of wine 12 is no amount/)
    const price = { wine_id: 12, price_range_id: 1, priceRangeName: 'A', gross, net: '0.00', tax: '0.00', taxrate: 19 }
    const ranged = wineWith({ id: 12, gross: '1.00', prices: [price] })
    expect(() => withData(ranged, { place: 'Mosel' }, none)).toThrow(/^gross of wine 12 for the price range 1 is no/)
    expect(() => withData(ranged, { place: 'Mosel' }, none)).not.toThrow(Problem)
  })

  const rangeIds = { priceRanges: new Map([['Gastronomie', 1]]), categories: new Map() }
  const row: ProductRow = { articlenumber: 'P-1', name: 'Kellnermesser', gross: '12.50' }
  const product = newProduct({ id: 5, customers_id: 7, now: '2026-01-01 00:00:00' }, row, rangeIds)

  test.each(noAmounts)('makes an import fail for the stored record: %j', gross => {
    const change = { articlenumber: 'P-1', taxrate: 7 }
    expect(() => withRow({ ...product, gross }, change, rangeIds)).toThrow(/^gross of product 5 is no amount/)
    const { prices } = newProduct(
      { id: 5, customers_id: 7, now: '' },
      { ...row, prices: [{ priceRange: 'Gastronomie', gross: '9.90' }] },
      rangeIds,
    )
    const ranged = { ...product, prices: prices.map(price => ({ ...price, gross })) }
    expect(() => withRow(ranged, change, rangeIds)).toThrow(/^gross of product 5 for the price range 1 is no amount/)
  })

  // A file may have a decimal comma, as a German Excel writes it.
  test.each(
    noAmounts.filter(amount => amount !== '' && amount !== '12,50' && !amount.startsWith(' ')),
  )('is refused in a file with line and column: %j', amount => {
    const money = { rule: 'money', expected: 'an amount with two decimals such as "12.50"' }
    const wine = { articlenumber: 'A-1', name: 'Riesling', type: 'white', countrycode: 'de', region: '1005' }
    for (const column of ['gross', 'net', 'tax']) {
      const cells = { ...wine, taxrate: '19', [column]: amount }
      expect(wines.format.parseRow(cells, 7).problems).toEqual([{ line: 7, column, ...money }])
      const problems = kind.format.parseRow({ articlenumber: 'P-1', taxrate: '19', [column]: amount }, 3).problems
      expect(problems).toEqual([{ line: 3, column, ...money }])
    }
    const prices = wines.format.parseRow({ ...wine, prices: `Gastronomie=${amount}` }, 9).problems
    expect(prices).toEqual([{ line: 9, column: 'prices', ...money }])
  })
})

test('amounts of which one exceeds the limit of digits fit no record', () => {
  const none = { winery: null, priceRanges: new Map([[1, 'A']]) }
  const wine = wineWith({ id: 12, gross: '1.19', net: '1.00', tax: '0.19', taxrate: 19 })
  for (const net of ['840336134.45', '999999999.99']) {
    expect(() => withData(wine, { net }, none)).toThrow(Problem)
    expect(() => withData(wine, { prices: [{ price_range_id: 1, gross: undefined, net }] }, none)).toThrow(Problem)
  }
  const largest = withData(wine, { net: '840336134.44' }, none)
  expect(largest.gross).toBe('999999999.98')
  expect(withData(largest, { place: 'Mosel' }, none)).toMatchObject({ gross: '999999999.98', net: '840336134.44' })
})

test('a row with contradictory amounts is an error', () => {
  const row: ProductRow = { articlenumber: 'P-1', name: 'Kellnermesser', gross: '12.50', net: '1.00' }
  expect(() =>
    newProduct({ id: 5, customers_id: 7, now: '' }, row, { priceRanges: new Map(), categories: new Map() }),
  ).toThrow(Problem)
})

describe('prices for price ranges', () => {
  const amounts = (net: string, tax: string, gross: string) => ({ net, tax, gross, taxrate: 19 })
  const [one, two] = [
    { price_range_id: 1, ...amounts('0.84', '0.16', '1.00') },
    { price_range_id: 2, ...amounts('1.68', '0.32', '2.00'), taxrate: 7 },
  ]
  const wine = { id: 7, ...amounts('2.52', '0.48', '3.00'), prices: [one, two] }
  const terms = (price_range_id: number | null) => ({ price_range_id, tax_free: 0 }) as const

  test('a client sees only its own, also as the record’s amounts; a merchant sees all', () => {
    expect(withClientPrice(wine, terms(2))).toEqual({
      id: 7,
      ...amounts('1.68', '0.32', '2.00'),
      taxrate: 7,
      prices: [two],
    })
    for (const range of [null, 3]) expect(withClientPrice(wine, terms(range))).toEqual({ ...wine, prices: [] })
    expect(withClientPrice(wine, undefined)).toBe(wine)
    expect(wine.prices).toEqual([one, two])
  })

  test('a tax-free client sees net prices, of its range and of the record', () => {
    const free = { tax: '0.00', taxrate: 0 }
    const own = { ...two, ...free, gross: '1.68' }
    expect(withClientPrice(wine, { price_range_id: 2, tax_free: 1 })).toEqual({
      ...wine,
      ...{ net: '1.68', gross: '1.68', ...free, prices: [own] },
    })
    expect(withClientPrice(wine, { price_range_id: null, tax_free: 1 })).toEqual({
      ...wine,
      ...{ gross: '2.52', ...free, prices: [] },
    })
  })

  test('these rules apply to each record of a page', () => {
    const page = { data: [wine, wine], totalCount: 2 }
    expect(withClientPrices(page, terms(1))).toEqual({
      data: [1, 2].map(() => ({ ...wine, ...amounts('0.84', '0.16', '1.00'), prices: [one] })),
      totalCount: 2,
    })
    expect(withClientPrices(page, undefined)).toBe(page)
  })

  test('an order keeps the amounts that it was placed with', () => {
    expect(withOwnPrices(wine, { price_range_id: 2 })).toEqual({ ...wine, prices: [two] })
    expect(withOwnPrices(wine, undefined)).toBe(wine)
  })

  test('without an agreed price, the record’s own applies', () => {
    expect(agreedPrice(wine, { price_range_id: 2 })).toBe(two)
    expect([agreedPrice(wine, { price_range_id: null }), agreedPrice(wine, { price_range_id: 9 })]).toEqual([
      undefined,
      undefined,
    ])
  })
})
