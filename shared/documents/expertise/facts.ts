import { classKeys, ingredientClasses, ingredients as ingredientTable } from '../../contract/label-tables.ts'
import type { Language } from '../../contract/labels.ts'
import { classOf, type Ingredient, type ShownNutrition } from '../../contract/records/facts.ts'
import { ingredientName, isAllergen, type ShownFacts } from '../elabels/rows.ts'
import { type Terms, termsIn } from '../elabels/terms.ts'

/** The ingredients of a wine and its nutrition declaration as sentences; null if it has none. */
export type FactTexts = {
  ingredients: { label: string; value: string } | null
  nutrition: { label: string; value: string; energy: string } | null
}

type Shown = { language: Language; terms: Terms }

const filledIn = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

const isStatement = ({ key }: Ingredient): boolean => key !== undefined && ingredientTable[key].statement === true

/** The ingredients of a class: those that are in the wine, alternatives, and statements. */
const classTexts = (members: readonly Ingredient[], name: keyof typeof ingredientClasses, shown: Shown): string[] => {
  const { language, terms } = shown
  const textOf = (one: Ingredient) => {
    const text = ingredientName(one, language, terms)
    // The sheet has no bold type.
    return isAllergen(one) ? text.toLocaleUpperCase(language) : text
  }
  const certain = members.filter(one => one.and_or !== 1 && !isStatement(one)).map(textOf)
  const alternatives = members.filter(one => one.and_or === 1).map(textOf)
  const { one, many } = terms.classes[name as keyof Terms['classes']] ?? { one: '', many: '' }
  const value = certain.join(', ')
  const pair = { name: certain.length === 1 ? one : many, value }
  const list = alternatives.join(` ${terms.sentences.and_or} `)
  return [
    ...(value ? [ingredientClasses[name].prefix ? filledIn(terms.sentences.pair, pair) : value] : []),
    ...(list ? [filledIn(terms.sentences.contains_and_or, { name: many, list })] : []),
    ...members.filter(isStatement).map(textOf),
  ]
}

const ingredientsText = (ingredients: readonly Ingredient[], shown: Shown): string =>
  classKeys
    .flatMap(name =>
      classTexts(
        ingredients.filter(one => classOf(one) === name),
        name,
        shown,
      ),
    )
    .join('; ')

const nutrientNames = ['fat', 'saturates', 'carbohydrate', 'sugars', 'protein', 'salt'] as const

/** The amounts below the energy. */
const amountsText = (nutrition: ShownNutrition, { language, terms }: Shown): string => {
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 2 })
  const amounts = nutrientNames.flatMap(name => {
    const amount = nutrition[name]
    if (amount === null || nutrition.negligible.includes(name)) return []
    return [`${terms.nutrients[name]} ${number.format(Number(amount))}\u00a0g`]
  })
  const list = new Intl.ListFormat(language).format(nutrition.negligible.map(name => terms.amounts[name]))
  const negligible = list ? `${filledIn(terms.sentences.negligible, { list })}.` : ''
  return [amounts.length > 0 ? `${amounts.join(', ')}.` : '', negligible].filter(text => text !== '').join(' ')
}

/** Puts the facts of a wine into words; allergens are in capitals. */
export const factTexts = ({ ingredients, nutrition }: ShownFacts, language: Language): FactTexts => {
  const terms = termsIn(language)
  const shown = { language, terms }
  const value = ingredientsText(ingredients, shown)
  const { headings, sentences } = terms
  return {
    ingredients: value ? { label: headings.ingredients, value } : null,
    nutrition:
      nutrition && nutrition.kj !== null && nutrition.kcal !== null
        ? {
            label: `${headings.nutrition} ${sentences.per_100_ml}`,
            energy: `E (100 ml): ${nutrition.kj} kJ / ${nutrition.kcal} kcal`,
            value: amountsText(nutrition, shown),
          }
        : null,
  }
}
