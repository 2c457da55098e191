import { localizationIn } from '../../shared/catalogue/localization/tables.ts'
import synonyms from '../../shared/contract/labels/grape-synonyms.json' with { type: 'json' }
import {
  allergenIds,
  bottlingTypes,
  grapeIdOf,
  grapeIdsOf,
  grapeName,
  type Label,
  type Labels,
  type Language,
  labelIn,
  labels,
  languages,
  qualities,
  regionBlocks,
  regionIdOf,
  regionName,
  type Synonyms,
  tasteIds,
  wineTypes,
} from '../../shared/contract/labels/labels.ts'
import { fold } from '../../shared/values/text.ts'

const german = localizationIn('de')
const english = localizationIn('en')

/** All keys of a localization, with their parents. */
const keysIn = (value: object, above = ''): string[] =>
  Object.entries(value).flatMap(([key, one]) => [
    `${above}${key}`,
    ...(typeof one === 'object' && one !== null ? keysIn(one, `${above}${key}.`) : []),
  ])

const textsIn = (value: object): string[] =>
  Object.values(value).flatMap(one => (typeof one === 'string' ? [one] : textsIn(one)))

const allLabels: readonly Label[] = Object.entries(labels).flatMap(([name, table]): Label[] =>
  name === 'wineregions' || name === 'qualitytypes'
    ? Object.values(table).flatMap(Object.values)
    : Object.values(table),
)

test('a localization has the tables of the contract, in its order', () => {
  expect(Object.keys(german)).toEqual([
    ...['countries', 'wineregions', 'tastes', 'winetypes', 'qualitytypes', 'grapetypes', 'units', 'bottlingtypes'],
    ...['allergens', 'ingredients', 'ingredientclasses', 'packaging'],
  ])
  expect([german.countries.de, english.countries.de]).toEqual(['Deutschland', 'Germany'])
  expect([german.wineregions.it?.[6016], english.wineregions.it?.[6016]]).toEqual(['Toskana', 'Tuscany'])
  expect([german.tastes[1], english.tastes[1]]).toEqual(['trocken', 'dry'])
  expect([german.winetypes.sparkling, english.winetypes.sparkling]).toEqual(['Sekt', 'Sparkling wine'])
  expect(german.qualitytypes.it?.docg).toBe('Denominazione di origine controllata e garantita (DOCG)')
  expect([german.grapetypes[129], german.grapetypes[32]]).toEqual([{ name: 'Riesling' }, { name: 'Chardonnay' }])
  expect(german.units).toEqual({ l: 'l', kg: 'kg', g: 'g', ml: 'ml' })
  expect([german.bottlingtypes.purchase, english.bottlingtypes.estate]).toEqual(['Zukauf', 'Estate bottled'])
  expect([german.allergens[12], english.allergens[12]]).toEqual([{ name: 'Sulfite' }, { name: 'Sulphites' }])
  expect([german.ingredients.grapes, english.ingredients.grapes]).toEqual([{ name: 'Trauben' }, { name: 'grapes' }])
  expect([german.ingredientclasses.gas, english.packaging.cork]).toEqual([{ name: 'Packgase' }, 'Cork'])
})

test('all languages have the same keys, and every label says something', () => {
  expect(keysIn(english)).toEqual(keysIn(german))
  for (const text of [...textsIn(german), ...textsIn(english)]) {
    expect(text).toBe(text.normalize('NFC').trim())
    expect(text).not.toBe('')
  }
})

test('a label that is the same in all languages is written once', () => {
  const repeated = allLabels.filter(label => typeof label !== 'string' && label.de === label.en)
  expect(repeated).toEqual([])
})

test('every word and id of the vocabulary has a label', () => {
  expect(Object.keys(german.winetypes)).toEqual(wineTypes)
  expect(Object.keys(german.bottlingtypes)).toEqual(bottlingTypes)
  expect(Object.keys(german.tastes).map(Number)).toEqual(tasteIds)
  expect(Object.keys(german.allergens).map(Number)).toEqual(allergenIds)
  expect(tasteIds).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
  expect(allergenIds).toEqual(Array.from({ length: 14 }, (_, n) => n + 1))
  for (const [country, words] of qualities) expect(Object.keys(german.qualitytypes[country] ?? {})).toEqual(words)
  for (const [country, ids] of regionBlocks)
    expect(Object.keys(german.wineregions[country] ?? {}).map(Number)).toEqual(ids)
})

test('no region has two countries, and no name two regions', () => {
  const regions = Object.values(labels.wineregions).flatMap((names: Labels) => Object.entries(names))
  expect(new Set(regions.map(([id]) => id)).size).toBe(regions.length)
  const names = regions.map(([, label]) => [...new Set(languages.map(language => fold(labelIn(language, label))))])
  expect(new Set(names.flat()).size).toBe(names.flat().length)
})

test.each<[Language, string]>([
  ['de', 'Spätburgunder'],
  ['en', 'Pinot Noir (Spätburgunder)'],
])('a grape is found by its name in %s', (language, name) => {
  expect([grapeName(17, language), grapeIdOf(name)]).toEqual([name, 17])
})

test('a name is found in either case, composed or not, and as a whole only', () => {
  expect(grapeIdOf('RIESLING')).toBe(129)
  expect(grapeIdOf(' müller-thurgau '.normalize('NFD'))).toBe(75)
  expect(grapeIdOf('Weisser Burgunder')).toBe(grapeIdOf('Weißer Burgunder'))
  for (const name of ['Ries', 'Rieslingg', '', '129', '__proto__', 'constructor', 'x'.repeat(1_000_000)])
    expect(grapeIdOf(name)).toBeUndefined()
  expect(regionIdOf('mosel')).toBe(1005)
  expect([regionIdOf('Burgund'), regionIdOf('Burgundy')]).toEqual([2003, 2003])
})

test('of two grapes with one name the first is found', () => {
  expect([grapeName(18, 'de'), grapeName(194, 'de')]).toEqual(['Blauer Trollinger', 'Blauer Trollinger'])
  expect(grapeIdOf('Blauer Trollinger')).toBe(18)
})

test.each([
  ['Syrah/Shiraz', 122],
  ['Shiraz', 137],
  ['tinta roriz', 133],
  ['Grenache', 312],
  ['Garnacha', 299],
  ['Carmenère', 216],
  ['Cinsault', 232],
  ['Mourvedre', 414],
  ['Gamay', 292],
  ['Glera/Prosecco', 303],
  ['Carignan/Cariñena', 617],
  ["Nero d'Avola", 210],
  ['Weißburgunder', 126],
])('the name %s leads to the grape %d of the interface', (name, id) => {
  expect(grapeIdOf(name)).toBe(id)
})

test('a grape is found under all its ids by any of its names', () => {
  for (const name of ['Shiraz', 'syrah', 'Syrah/Shiraz']) expect(grapeIdsOf(name)).toEqual([122, 137])
  for (const name of ['Spätburgunder', 'Blauburgunder', 'Pinot Nero']) expect(grapeIdsOf(name)).toEqual([17, 135, 605])
  expect(grapeIdsOf('Saperavi')).toEqual([grapeIdOf('Saperavi')])
  expect(grapeIdsOf('Sirah')).toEqual([])
})

test('a synonym names one grape, and each id of a grape lists its label first', () => {
  const entries = synonyms.flatMap((grape: Synonyms) =>
    Object.entries(grape).map(([id, names = []]) => ({ id, names })),
  )
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  for (const { id, names } of entries) expect([id, names[0]]).toEqual([id, grapeName(Number(id), 'de')])
  for (const { id, names } of entries)
    for (const name of names.slice(1)) expect([name, grapeIdOf(name)]).toEqual([name, Number(id)])
})

test('what no table has is called nothing', () => {
  expect(grapeName(99_999, 'de')).toBeNull()
  expect(regionName('de', 2000, 'de')).toBeNull()
  for (const country of ['ch', 'ge', 'constructor', '__proto__']) expect(regionName(country, 1001, 'en')).toBeNull()
})
