import {
  ingredientClasses,
  type LabelLanguage,
  nutrientKeys,
  packagingMaterials,
} from '../../contract/labels/label-tables.ts'
import {
  classOf,
  eNumberOf,
  type Facts,
  type Ingredient,
  isAllergen,
  type ShownNutrition,
} from '../../contract/records/facts.ts'
import type { FactRow } from '../../contract/routes/facts.ts'
import { type Terms, termsIn } from './terms.ts'

/** The facts that rows show: those of a label, or of a wine. */
export type ShownFacts = Pick<Facts, 'ingredients' | 'packaging'> & { nutrition: ShownNutrition | null }

const noValues = { key: null, quantity: null, unit: null, enumber: null, allergen: 0, and_or: 0 }

/** The name of an ingredient in a language; a name without translation in the language of the wine. */
export const ingredientName = ({ key, name = '', names }: Ingredient, language: LabelLanguage, terms: Terms): string =>
  key ? terms.ingredients[key] : (names?.[language] ?? name)

const nutritionRows = (nutrition: ShownNutrition, terms: Terms): FactRow[] => {
  const row = (key: keyof Terms['nutrients'], quantity: string | null, unit: string): FactRow[] => {
    const shown = nutrition.negligible.some(name => name === key) ? '0.0' : quantity
    if (shown === null) return []
    return [
      {
        ...noValues,
        factgroup: 'nutritionalInformation',
        subgroup: 'general',
        key,
        name: terms.nutrients[key],
        quantity: shown,
        unit,
      },
    ]
  }
  const text = (value: number | null) => (value === null ? null : String(value))
  return [
    ...row('energy', text(nutrition.kj), 'kJ'),
    ...row('energy', text(nutrition.kcal), 'kcal'),
    ...nutrientKeys.flatMap(name => row(name, nutrition[name], 'g')),
  ]
}

/** The rows of a label in a language, in the order and with the words by which existing shops sort them. */
export const factRows = (facts: ShownFacts, language: LabelLanguage): FactRow[] => {
  const terms = termsIn(language)
  return [
    ...(facts.nutrition ? nutritionRows(facts.nutrition, terms) : []),
    ...facts.ingredients.map(
      (one): FactRow => ({
        ...noValues,
        factgroup: 'ingredients',
        subgroup: ingredientClasses[classOf(one) ?? 'other'].subgroup,
        key: one.key ?? null,
        name: ingredientName(one, language, terms),
        enumber: eNumberOf(one) ?? null,
        allergen: isAllergen(one) ? 1 : 0,
        and_or: one.and_or ?? 0,
      }),
    ),
    ...facts.packaging.map(
      ({ part, material }): FactRow => ({
        ...noValues,
        factgroup: 'recycling',
        subgroup: 'general',
        key: part,
        name: `${terms.parts[part]}: ${terms.collections[packagingMaterials[material]]}`,
        enumber: material,
      }),
    ),
  ]
}
