import {
  type ClassKey,
  classKeys,
  ingredientClasses,
  ingredients,
  type LabelLanguage,
} from '../../contract/labels/label-tables.ts'
import { classOf, eNumberOf, type Ingredient, isAllergen, type Label } from '../../contract/records/facts.ts'
import { filledIn, type Html, html, joinParts } from './html.ts'
import type { Terms } from './terms.ts'

/** A label in a language. */
export type Shown = { label: Label; language: LabelLanguage; terms: Terms }

const tableOf = ({ key }: Ingredient) => (key === undefined ? undefined : ingredients[key])

/** The name of an ingredient; a name without a translation is marked as text in the language of the wine. */
const nameOf = ({ label, language, terms }: Shown, { key, name = '', names }: Ingredient): string | Html => {
  if (key !== undefined) return terms.ingredients[key]
  const own = names?.[language] ?? (language === label.language ? name : undefined)
  return own ?? html`<span lang="${label.language}">${name}</span>`
}

const ingredientOf = (shown: Shown, ingredient: Ingredient): Html => {
  const name = nameOf(shown, ingredient)
  const enumber = eNumberOf(ingredient)
  const text = isAllergen(ingredient) ? html`<b>${name}</b>` : name
  return enumber === undefined ? html`${text}` : html`${text} (${enumber.replace(' ', '\u00a0')})`
}

/** How a document prints ingredients: an ingredient with its name, and sentences of them. */
export type Printer<T> = {
  textOf: (ingredient: Ingredient) => T
  joined: (parts: readonly T[], separator: string) => T
  filledIn: (sentence: string, values: Readonly<Record<string, T | string>>) => T
}

/** The lines of a class: its certain ingredients, its alternatives, and its statements, such as that on packaging. */
const classLines = <T>(
  name: ClassKey,
  members: readonly Ingredient[],
  { sentences, classes }: Terms,
  { textOf, joined, filledIn }: Printer<T>,
): T[] => {
  const isStatement = (one: Ingredient) => tableOf(one)?.statement === true
  const certain = members.filter(one => one.and_or !== 1 && !isStatement(one)).map(textOf)
  const alternatives = members.filter(one => one.and_or === 1).map(textOf)
  const className = (number: 'one' | 'many') => classes[name as keyof Terms['classes']][number]
  const value = joined(certain, ', ')
  const list = joined(alternatives, ` ${sentences.and_or} `)
  const line = ingredientClasses[name].prefix
    ? filledIn(sentences.pair, { name: className(certain.length === 1 ? 'one' : 'many'), value })
    : value
  return [
    ...(certain.length > 0 ? [line] : []),
    ...(alternatives.length > 0 ? [filledIn(sentences.contains_and_or, { name: className('many'), list })] : []),
    ...members.filter(isStatement).map(textOf),
  ]
}

/** Returns the lines of ingredients, a class after the other in the order of a label. */
export const ingredientLines = <T>(ingredients: readonly Ingredient[], terms: Terms, printer: Printer<T>): T[] =>
  classKeys.flatMap(name => {
    const members = ingredients.filter(one => classOf(one) === name)
    return classLines(name, members, terms, printer)
  })

/** The ingredients, a line for each class in the order of a label, and a sentence that names the allergens. */
export const ingredientList = (shown: Shown): Html => {
  const { label, terms } = shown
  const groups = ingredientLines(label.ingredients, terms, {
    textOf: one => ingredientOf(shown, one),
    joined: joinParts,
    filledIn,
  })
  const allergens = label.ingredients.filter(isAllergen).map(one => {
    const { allergen } = tableOf(one) ?? {}
    return allergen === undefined ? nameOf(shown, one) : terms.allergens[`${allergen}` as keyof Terms['allergens']]
  })
  const list = joinParts([...new Set(allergens)], ', ')
  return html`<ul>${groups.map(one => html`<li>${one}</li>`)}</ul>${
    allergens.length > 0
      ? html`<p>${filledIn(terms.sentences.contains_allergens, { list: html`<b>${list}</b>` })}</p>`
      : ''
  }`
}
