import fc from 'fast-check'
import { wineTypes } from '../../shared/contract/labels/labels.ts'
import {
  highestAge,
  informationOf,
  soldInformation,
  withInformation,
} from '../../shared/contract/records/consumer-information.ts'
import { centsPerLitre, formatMoney, parseMoney } from '../../shared/values/money.ts'

const cents = fc.integer({ min: 1, max: 99_999_999_999 })
const millilitres = fc.integer({ min: 1, max: 999_000 })
const litresOf = (size: number): string => (size / 1000).toFixed(3)

describe('the price of a litre', () => {
  test.each([
    ['12.90', '0.750', '17.20'],
    ['11.90', '0.750', '15.87'],
    ['24.90', '1.500', '16.60'],
    ['5.90', '0.375', '15.73'],
    ['9.00', '1.000', '9.00'],
    // Half a cent is rounded up, also where the binary quotient is below the half.
    ['0.01', '2.000', '0.01'],
    ['2.01', '2.000', '1.01'],
    ['100000000.05', '10.000', '10000000.01'],
  ])('%s for %s litres are %s a litre', (gross, bottlesize, amount) => {
    expect(informationOf({ gross, bottlesize, type: 'red' }).base_price).toEqual({ amount, unit: 'l' })
  })

  test('is missing without a price and without a size', () => {
    for (const [gross, bottlesize] of [
      ['0.00', '0.750'],
      ['9.00', '0.000'],
      ['9.00', ''],
      ['9.00', 'x'],
    ] as const)
      expect(informationOf({ gross, bottlesize, type: 'red' }).base_price).toBeNull()
    for (const size of [undefined, null, {}]) expect(centsPerLitre(900, size)).toBeNull()
  })

  test('is the nearest whole cent, half a cent up', () => {
    fc.assert(
      fc.property(cents, millilitres, (price, size) => {
        const litre = BigInt(centsPerLitre(price, litresOf(size)) ?? -1)
        // price / size − ½ < litre / 1000 ≤ price / size + ½, in whole numbers.
        const twice = 2n * (litre * BigInt(size) - BigInt(price) * 1000n)
        expect(twice > -BigInt(size) && twice <= BigInt(size)).toBe(true)
      }),
    )
  })

  test('does not fall where the price rises or the bottle is smaller', () => {
    fc.assert(
      fc.property(cents, cents, millilitres, millilitres, (one, other, small, large) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const [less, more] = [Math.min(small, large), Math.max(small, large)]
        const litre = (price: number, size: number): number => centsPerLitre(price, litresOf(size)) ?? -1
        expect(litre(low, less)).toBeLessThanOrEqual(litre(high, less))
        expect(litre(low, more)).toBeLessThanOrEqual(litre(low, less))
      }),
    )
  })

  test('is an amount of the interface, and the same for one piece and for many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        millilitres,
        fc.integer({ min: 1, max: 9999 }),
        (price, size, n) => {
          const wine = { gross: formatMoney(price), bottlesize: litresOf(size), type: 'red' }
          const { base_price } = informationOf(wine)
          expect(parseMoney(base_price?.amount)).toBe(centsPerLitre(price, wine.bottlesize))
          const line = { net: '0.00', gross: formatMoney(price * n), quantity: n, item: wine }
          expect(soldInformation(line, 'gross').base_price).toEqual(base_price)
        },
      ),
    )
  })
})

describe('the minimum age', () => {
  test('is 18 for spirits, none without alcohol, else 16', () => {
    const ages = Object.fromEntries(
      wineTypes.map(type => [type, informationOf({ gross: '9.00', bottlesize: '0.750', type }).min_age]),
    )
    const { destilate, grapeJuice, nonAlcoholic, ...others } = ages
    expect({ destilate, grapeJuice, nonAlcoholic }).toEqual({ destilate: 18, grapeJuice: null, nonAlcoholic: null })
    expect(new Set(Object.values(others))).toEqual(new Set([16]))
  })

  test('of a product is its own', () => {
    for (const min_age of [16, 18, null] as const)
      expect(informationOf({ min_age })).toEqual({ base_price: null, min_age })
  })

  test('of several is the highest', () => {
    const of = (...ages: (16 | 18 | null)[]) => highestAge(ages.map(min_age => ({ min_age })))
    expect([of(), of(null), of(null, 16), of(18, null, 16), of(16, 18)]).toEqual([null, null, 16, 18, 18])
  })
})

test('a wine is answered with both, and is not changed itself', () => {
  const wine = { id: 7, gross: '8.90', bottlesize: '0.750', type: 'destilate' }
  expect(withInformation(wine)).toEqual({ ...wine, base_price: { amount: '11.87', unit: 'l' }, min_age: 18 })
  expect(wine).not.toHaveProperty('base_price')
})

describe('a line of an order', () => {
  const line = { net: '14.96', gross: '17.80', quantity: 2, item: { bottlesize: '0.750', type: 'red', gross: '1.00' } }

  test('has the price of a litre on the side that the order is priced by', () => {
    expect(soldInformation(line, 'gross')).toEqual({ base_price: { amount: '11.87', unit: 'l' }, min_age: 16 })
    expect(soldInformation(line, 'net').base_price).toEqual({ amount: '9.97', unit: 'l' })
  })

  test('from before a record had them has none', () => {
    for (const item of [{}, { type: 'unknown', bottlesize: null }, { type: 'toString' }, { min_age: 21 }])
      expect(soldInformation({ ...line, item }, 'gross')).toEqual({ base_price: null, min_age: null })
  })

  test('of a product keeps the age that the product had', () => {
    expect(soldInformation({ ...line, item: { min_age: 18 } }, 'gross')).toEqual({ base_price: null, min_age: 18 })
  })
})
