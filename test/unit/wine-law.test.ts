import { factsOf, type StoredFacts } from '../../shared/catalogue/wines/facts.ts'
import { missingByLaw } from '../../shared/catalogue/wines/law.ts'
import type { StoredWine } from '../../shared/catalogue/wines/stored.ts'
import { type LabelLanguage, labelLanguages } from '../../shared/contract/labels/label-tables.ts'
import type { Facts } from '../../shared/contract/records/facts.ts'
import { lawWords } from '../../shared/contract/routes/facts.ts'
import { wineWith } from '../support/imported-wines.ts'

const analysis = { alcohol: '12.0', sweetness: '3.0', acid: '6.0', gross: '9.50', allergenIds: [12], vintage: 2024 }
const wine: StoredWine = { ...wineWith(analysis), label: 'published' }
const facts: StoredFacts = {
  ...factsOf(undefined),
  ingredients: [{ key: 'grapes' }, { key: 'sulphites' }],
  nutrition: { glycerol: '7.0', negligible: ['fat', 'saturates', 'protein', 'salt'] },
  operator: { role: 'bottled_by', name: 'Weingut', address: 'Weg 1' },
}
const none = factsOf(undefined)

const missing = (otherWine: Partial<StoredWine> = {}, otherFacts: Partial<StoredFacts> = {}) =>
  missingByLaw({ ...wine, ...otherWine }, { ...facts, ...otherFacts }, 'de').map(({ word }) => word)

test('a wine with all particulars lacks nothing', () => {
  expect(missing()).toEqual([])
})

const oak = (languages: readonly LabelLanguage[]): Facts['ingredients'] => [
  { key: 'grapes' },
  { name: 'Eichenholz', class: 'other', names: Object.fromEntries(languages.map(one => [one, 'x'])) },
]

const cases: [string, string, Partial<StoredWine>, Partial<StoredFacts>][] = [
  ['without alcohol', 'alcohol', { alcohol: null }, { nutrition: { ...facts.nutrition, kj: 294, kcal: 71 } }],
  ['without a price', 'base_price', { gross: '0.00', priced: 0 }, {}],
  ['whose ingredients contain an allergen that it does not name', 'allergens', { allergenIds: [7] }, {}],
  [
    'that names no allergen, but has an ingredient of its own that is one',
    'allergens',
    { allergenIds: [] },
    { ingredients: [{ key: 'grapes' }, { ...oak(labelLanguages)[1], allergen: 1 }] },
  ],
  ['without an operator', 'bottler', {}, { operator: null }],
  ['from outside the Union with a bottler alone', 'importer', { countrycode: 'nz' }, {}],
  ['that is too young to be exempt', 'exempt', { label: undefined }, { exempt: 1 }],
  ['without ingredients', 'ingredients', {}, { ingredients: [] }],
  ['with an ingredient that is not translated', 'ingredient_name', {}, { ingredients: oak(['en', 'fr']) }],
  ['without a nutrition declaration', 'nutrition', {}, { nutrition: null }],
]

test.each(cases)('a wine %s lacks %s alone', (_, word, otherWine, otherFacts) => {
  expect(missing(otherWine, otherFacts)).toEqual([word])
})

test('each word is that of some wine', () => {
  expect(new Set(cases.map(([, word]) => word))).toEqual(new Set(lawWords))
})

test('a wine without facts and allergens lacks all that they give', () => {
  const words = missingByLaw({ ...wine, label: undefined, allergenIds: [] }, none, 'de').map(({ word }) => word)
  expect(words).toEqual(['allergens', 'bottler', 'ingredients', 'nutrition'])
})

test('a wine needs no electronic label', () => {
  expect(missing({ label: undefined })).toEqual([])
})

test('a wine whose ingredients contain no allergen needs none', () => {
  expect(missing({ allergenIds: [] }, { ingredients: [{ key: 'grapes' }] })).toEqual([])
})

test('a wine of before 8 December 2023 needs neither ingredients nor nutrition nor a label', () => {
  const exempt = { ...none, exempt: 1, operator: facts.operator } as const
  expect(missing({ vintage: 2022, label: undefined }, exempt)).toEqual([])
  expect(missing({ vintage: null, label: undefined }, exempt)).toEqual([])
})

test('a spirit needs neither label nor allergens, and a grape juice no alcohol', () => {
  const bottled = { ...none, operator: facts.operator }
  expect(missing({ type: 'destilate', allergenIds: [], label: undefined }, bottled)).toEqual([])
  const given = { nutrition: { ...facts.nutrition, kj: 294, kcal: 71 } }
  expect(missing({ type: 'grapeJuice', alcohol: null }, given)).toEqual([])
})

test('an imported wine with its importer lacks nothing', () => {
  const operator = { role: 'imported_by', name: 'Kontor', address: 'Weg 1' } as const
  expect(missing({ countrycode: 'nz' }, { operator })).toEqual([])
})

test('an ingredient with a name in each language lacks nothing', () => {
  expect(missing({ language: 'de' }, { ingredients: oak(labelLanguages.filter(one => one !== 'de')) })).toEqual([])
})

test('sentences name the details in the language asked for', () => {
  const changes: StoredFacts = { ...facts, nutrition: { negligible: ['fat', 'saturates', 'protein'] } }
  const texts = (language: 'de' | 'en') =>
    missingByLaw({ ...wine, allergenIds: [], acid: null, sweetness: null }, changes, language).map(({ text }) => text)
  expect(texts('de')).toEqual([
    'Die Allergene nennen nicht: Sulfite.',
    'In der Nährwertdeklaration fehlt: Brennwert, Kohlenhydrate, Zucker, Salz.',
  ])
  expect(texts('en')).toEqual([
    'The allergens do not name: Sulphites.',
    'The nutrition declaration lacks: energy, carbohydrate, sugars, salt.',
  ])
})
