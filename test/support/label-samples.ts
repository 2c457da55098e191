import { ingredientKeys } from '../../shared/contract/labels/label-tables.ts'
import type { Label } from '../../shared/contract/records/facts.ts'

/** A published label of a German wine with the usual facts. */
export const label: Label = {
  hash: '0123456789abcdef0123456789abcdef',
  wine_id: 7,
  name: 'Radebeuler Goldener Wagen Riesling',
  vintage: 2024,
  type: 'white',
  countrycode: 'de',
  region: 1008,
  alcohol: '12.0',
  bottlesize: '0.750',
  language: 'de',
  ingredients: [
    { key: 'grapes' },
    { key: 'sucrose' },
    { key: 'tartaric_acid', and_or: 1 },
    { key: 'malic_acid', and_or: 1 },
    { key: 'lactic_acid' },
    { key: 'sulphur_dioxide' },
    { key: 'bottled_in_protective_atmosphere' },
    { name: 'Waldmeister', class: 'other', names: { en: 'woodruff' } },
  ],
  nutrition: {
    kj: 294,
    kcal: 71,
    computed: 1,
    fat: null,
    saturates: null,
    carbohydrate: '1.0',
    sugars: '0.3',
    protein: null,
    salt: null,
    negligible: ['fat', 'saturates', 'protein', 'salt'],
  },
  packaging: [
    { part: 'bottle', material: 'GL 71' },
    { part: 'cork', material: 'FOR 51' },
  ],
  operator: { role: 'bottled_by', name: 'Weingut Beispiel', address: 'Hauptstraße 1, 01067 Dresden' },
  published: '2026-11-26 12:00:00',
  withdrawn: null,
}

/** The label of a wine that gives as little as possible. */
export const smallLabel: Label = {
  ...label,
  ...{ name: 'Rot', vintage: null, alcohol: null, packaging: [], ingredients: [] },
  nutrition: { ...label.nutrition, kj: null, kcal: null, carbohydrate: null, sugars: null, negligible: [] },
}

export const allKeys = ingredientKeys.map(key => ({ key }))
