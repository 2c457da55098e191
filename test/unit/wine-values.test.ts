import fc from 'fast-check'
import * as v from 'valibot'
import {
  isGtin,
  isQualityOf,
  isRegionOf,
  qualities,
  regionBlocks,
  regionIdOf,
  regionsAsText,
  wineTypes,
} from '../../shared/contract/labels/labels.ts'
import { uniqueList } from '../../shared/contract/schema/fields.ts'

test('a quality belongs to the countries whose table has it', () => {
  expect(isQualityOf('de', 'singlesite')).toBe(true)
  expect(isQualityOf('de', 'aoc')).toBe(false)
  expect(isQualityOf('fr', 'aoc')).toBe(true)
  expect(isQualityOf('at', 'selection')).toBe(false)
  expect(isQualityOf('us', 'california')).toBe(true)
})

test('a country without a table takes any quality that says something', () => {
  expect(isQualityOf('ch', 'Grand Cru')).toBe(true)
  expect(isQualityOf('ch', ' ')).toBe(false)
  expect(isQualityOf('constructor', 'aoc')).toBe(true)
})

test('the quality tables hold every word once', () => {
  for (const words of qualities.values()) expect(new Set(words).size).toBe(words.length)
  expect(qualities.get('de')).toHaveLength(29)
  expect(qualities.get('at')).toHaveLength(16)
  expect(wineTypes).toHaveLength(14)
})

test('a region belongs to the country whose block holds its id', () => {
  expect(isRegionOf('de', 1000)).toBe(true)
  expect(isRegionOf('de', 1013)).toBe(true)
  expect(isRegionOf('de', 1014)).toBe(false)
  expect(isRegionOf('de', 2000)).toBe(false)
  expect(isRegionOf('fr', 2008)).toBe(false)
  expect(isRegionOf('gr', 5008)).toBe(false)
  expect(isRegionOf('ar', 14000)).toBe(false)
})

test('a country without a block takes any positive whole number as region', () => {
  expect(isRegionOf('ch', 2251)).toBe(true)
  for (const region of [0, -1, 1.5, Number.NaN, 2 ** 53]) expect(isRegionOf('ch', region)).toBe(false)
})

test('a region of one country is none of another, whether that has a block or not', () => {
  for (const country of ['br', 'ch', 'fr', 'lu']) expect(isRegionOf(country, 1001)).toBe(false)
  const kent = regionIdOf('Kent') ?? 0
  expect([isRegionOf('gb', kent), isRegionOf('ch', kent), isRegionOf('de', kent)]).toEqual([true, false, false])
})

test('no region belongs to two countries with a block', () => {
  const countries = [...regionBlocks.keys()]
  const regionIds = fc.integer({ min: 1, max: 20000 })
  fc.assert(fc.property(regionIds, region => countries.filter(code => isRegionOf(code, region)).length <= 1))
})

test('a block is described by its ranges', () => {
  expect(regionsAsText('fr')).toBe('2000-2007, 2009-2021, 100049')
  expect(regionsAsText('nl')).toBe('7000-7005')
  expect(regionsAsText('ch')).toBe('a positive whole number that is not a region of another country')
})

test('a GTIN has 8, 12, 13 or 14 digits and the right check digit', () => {
  for (const gtin of ['96385074', '036000291452', '4006381333931', '10012345678902']) expect(isGtin(gtin)).toBe(true)
  for (const text of ['96385075', '400638133393', '4006381333932', '963850740', '', ' 96385074', '４006381333931']) {
    expect(isGtin(text)).toBe(false)
  }
})

test('no single wrong digit makes another GTIN of a GTIN', () => {
  const change = fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(change, ([place, by]) => {
      const digits = [...'4006381333931'].map(Number)
      digits[place] = ((digits[place] ?? 0) + by) % 10
      return !isGtin(digits.join(''))
    }),
  )
})

test('a list that is too long is refused before its elements are looked at', () => {
  let looks = 0
  const counting = v.pipe(
    v.number(),
    v.check(() => ++looks > 0),
  )
  const { issues } = v.safeParse(uniqueList(counting), Array(101).fill(1))
  expect([issues?.map(({ type }) => type), looks]).toEqual([['max_length'], 0])
  expect(v.is(uniqueList(v.number()), [...Array(100).keys()])).toBe(true)
  expect(v.is(uniqueList(v.number()), [1, 1])).toBe(false)
})
