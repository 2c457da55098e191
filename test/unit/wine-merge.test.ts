import { Problem } from '../../shared/contract/errors.ts'
import { withData } from '../../shared/wines/merge.ts'
import { bare } from '../support/expertise-sheet-samples.ts'

// Stored when any number was taken for a region.
const older = { ...bare, countrycode: 'de', region: 2000, quality: 'aoc' }
const named = { winery: null, priceRanges: new Map() }

const pathsOf = (data: Parameters<typeof withData>[1]): string[] => {
  try {
    withData(older, data, named)
    return []
  } catch (error) {
    if (error instanceof Problem) return error.fields.map(({ path }) => path)
    throw error
  }
}

test('an edit of something else leaves a region and a quality that do not fit the country as they are', () => {
  expect(withData(older, { place: 'Assmannshausen' }, named)).toMatchObject({ region: 2000, quality: 'aoc' })
})

test('an edit that gives one of them, or the country, is held to what it then says', () => {
  expect(pathsOf({ region: 2000 })).toEqual(['data.region'])
  expect(pathsOf({ quality: 'aoc' })).toEqual(['data.quality'])
  expect(pathsOf({ countrycode: 'de' })).toEqual(['data.region', 'data.quality'])
  expect(pathsOf({ region: 1008 })).toEqual([])
  expect(pathsOf({ countrycode: 'fr' })).toEqual([])
})
