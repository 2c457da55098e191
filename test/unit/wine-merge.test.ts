import { withData } from '../../shared/catalogue/wines/merge.ts'
import { type BadField, Problem } from '../../shared/contract/errors.ts'
import { bare } from '../support/expertise-sheet-samples.ts'

// Stored when any number was taken for a region.
const older = { ...bare, countrycode: 'de', region: 2000, quality: 'aoc' }
const named = { winery: null, priceRanges: new Map() }

const fieldsOf = (data: Parameters<typeof withData>[1]): BadField[] => {
  try {
    withData(older, data, named)
    return []
  } catch (error) {
    if (error instanceof Problem) return [...error.fields]
    throw error
  }
}
const pathsOf = (data: Parameters<typeof withData>[1]): string[] => fieldsOf(data).map(({ path }) => path)

test('an unrelated edit keeps a region and a quality that do not fit the country', () => {
  expect(withData(older, { place: 'Assmannshausen' }, named)).toMatchObject({ region: 2000, quality: 'aoc' })
})

test('an edit of region, quality or country is validated against the others', () => {
  expect(pathsOf({ region: 2000 })).toEqual(['data.region'])
  expect(pathsOf({ quality: 'aoc' })).toEqual(['data.quality'])
  expect(pathsOf({ countrycode: 'de' })).toEqual(['data.region', 'data.quality'])
  expect(pathsOf({ region: 1008 })).toEqual([])
  expect(pathsOf({ countrycode: 'fr' })).toEqual([])
})

describe('a region that is given by name', () => {
  test('is found in the country of the wine, or in its new country', () => {
    expect(withData(older, { region: 'mosel', quality: null }, named).region).toBe(1005)
    expect(withData(older, { countrycode: 'fr', region: 'Burgundy' }, named).region).toBe(2003)
  })

  test('is refused with the nearest names if the country has none of that name', () => {
    const expected = (region: string, countrycode = 'de') =>
      fieldsOf({ region, countrycode, quality: null })[0]?.expected
    expect(expected('Moselle')).toMatch(/^a wine region of de, such as Mosel \(1005\), /)
    expect(expected('Rhinegau')).toMatch(/^a wine region of de, such as Rheingau \(\d+\), /)
    expect(expected('Burgundi', 'fr')).toMatch(/^a wine region of fr, such as Burgund \(2003\), /)
    expect(expected('Burgund')?.match(/\(\d+\)/g)).toHaveLength(5)
    // Regions of a country without names need an id.
    expect(expected('Nirgendwo', 'aq')).toBe('a positive whole number that is not a region of another country')
  })
})
