import { nutrientKeys } from '../../contract/labels/label-tables.ts'
import type { Language } from '../../contract/labels/labels.ts'
import { type Ingredient, isAllergen, type ShownNutrition } from '../../contract/records/facts.ts'
import { ingredientLines } from '../elabels/ingredients.ts'
import { ingredientName, type ShownFacts } from '../elabels/rows.ts'
import { type Terms, termsIn } from '../elabels/terms.ts'

/** The ingredients of a wine and its nutrition declaration as sentences; null if it has none. */
export type FactTexts = {
  ingredients: { label: string; value: string } | null
  nutrition: { label: string; value: string; energy: string } | null
}

type Shown = { language: Language; terms: Terms }

const filledIn = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

const ingredientsText = (ingredients: readonly Ingredient[], { language, terms }: Shown): string =>
  ingredientLines<string>(ingredients, terms, {
    textOf: one => {
      const text = ingredientName(one, language, terms)
      // The sheet has no bold type.
      return isAllergen(one) ? text.toLocaleUpperCase(language) : text
    },
    joined: (parts, separator) => parts.join(separator),
    filledIn,
  }).join('; ')

/** The amounts below the energy. */
const amountsText = (nutrition: ShownNutrition, { language, terms }: Shown): string => {
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 2 })
  const amounts = nutrientKeys.flatMap(name => {
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
