import { ingredients as ingredientTable, labelLanguages } from '../../contract/labels/label-tables.ts'
import { type Language, labelOf, labels } from '../../contract/labels/labels.ts'
import { type Ingredient, isAllergen } from '../../contract/records/facts.ts'
import type { LawWord } from '../../contract/routes/facts.ts'
import { memberStates } from '../../contract/vocabulary.ts'
import { missingOnLabel, type StoredFacts } from './facts.ts'
import type { StoredWine } from './stored.ts'

// Regulations (EU) No 1169/2011, 1308/2013 and 251/2014; the price of a litre by the German Preisangabenverordnung.

/** A particular that the law requires and a wine lacks. */
export type Missing = { word: LawWord; text: string }

type Texts = Readonly<Record<Language, string>>

const nutrients: Readonly<Record<string, Texts>> = {
  kj: { de: 'Brennwert', en: 'energy' },
  fat: { de: 'Fett', en: 'fat' },
  saturates: { de: 'gesättigte Fettsäuren', en: 'saturates' },
  carbohydrate: { de: 'Kohlenhydrate', en: 'carbohydrate' },
  sugars: { de: 'Zucker', en: 'sugars' },
  protein: { de: 'Eiweiß', en: 'protein' },
  salt: { de: 'Salz', en: 'salt' },
}

const sentences: Readonly<Record<LawWord, (detail: string) => Texts>> = {
  alcohol: () => ({ de: 'Der Alkoholgehalt fehlt.', en: 'The alcoholic strength is missing.' }),
  base_price: () => ({
    de: 'Der Preis fehlt, und mit ihm der Preis je Liter.',
    en: 'The price is missing, and with it the price of a litre.',
  }),
  allergens: detail => ({
    de: detail ? `Die Allergene nennen nicht: ${detail}.` : 'Es sind keine Allergene angegeben, etwa Sulfite.',
    en: detail ? `The allergens do not name: ${detail}.` : 'No allergens are given, such as sulphites.',
  }),
  bottler: () => ({
    de: 'Der Abfüller oder Hersteller fehlt.',
    en: 'The bottler or producer is missing.',
  }),
  importer: () => ({
    de: 'Der Importeur fehlt; der Wein ist von außerhalb der Europäischen Union.',
    en: 'The importer is missing; the wine is from outside the European Union.',
  }),
  exempt: () => ({
    de: 'Ein Wein dieses Jahrgangs ist nicht vor dem 8. Dezember 2023 hergestellt.',
    en: 'A wine of this vintage was not made before 8 December 2023.',
  }),
  ingredients: () => ({ de: 'Die Zutaten fehlen.', en: 'The ingredients are missing.' }),
  ingredient_name: detail => ({
    de: `Die Zutat ${detail} fehlt in anderen Sprachen.`,
    en: `The ingredient ${detail} has no name in some languages.`,
  }),
  nutrition: detail => ({
    de: `In der Nährwertdeklaration fehlt: ${detail}.`,
    en: `The nutrition declaration lacks: ${detail}.`,
  }),
}

const lacks = (word: LawWord, language: Language, detail = ''): Missing => ({
  word,
  text: sentences[word](detail)[language],
})

type Checked = Readonly<{ wine: StoredWine; facts: StoredFacts; language: Language }>

const allergensMissing = ({ wine: { allergenIds, type }, facts, language }: Checked): Missing[] => {
  const contained = facts.ingredients.flatMap(({ key }) => (key && ingredientTable[key].allergen) ?? [])
  const unnamed = [...new Set(contained)].filter(id => !allergenIds.includes(id))
  if (unnamed.length > 0) {
    const names = unnamed.map(id => labelOf(labels.allergens, id, language) ?? String(id))
    return [lacks('allergens', language, names.join(', '))]
  }
  // Distillates of cereals, whey and nuts are no allergens: Regulation (EU) No 1169/2011, Annex II.
  const mayHaveAny = type !== 'destilate' && facts.ingredients.length === 0
  const isUnnamed = allergenIds.length === 0 && (mayHaveAny || facts.ingredients.some(isAllergen))
  return isUnnamed ? [lacks('allergens', language)] : []
}

const operatorMissing = ({ wine, facts: { operator }, language }: Checked): Missing[] => {
  const isImported = !memberStates.has(wine.countrycode)
  if (isImported) return operator?.role === 'imported_by' ? [] : [lacks('importer', language)]
  return operator ? [] : [lacks('bottler', language)]
}

const isTranslated = ({ name, names = {} }: Ingredient, own: string): boolean =>
  name === undefined || labelLanguages.every(language => language === own || names[language] !== undefined)

const path = 'data.facts.nutrition'

const factsMissing = ({ wine, facts, language }: Checked): Missing[] => {
  // The values of a declaration that does not exist are all missing.
  const fields = missingOnLabel(wine, { ...facts, nutrition: facts.nutrition ?? {} }).map(field => field.path)
  const values = fields.flatMap(field => nutrients[field.slice(path.length + 1)]?.[language] ?? [])
  const untranslated = facts.ingredients.filter(one => !isTranslated(one, wine.language))
  return [
    ...(facts.ingredients.length === 0 ? [lacks('ingredients', language)] : []),
    ...untranslated.map(({ name }) => lacks('ingredient_name', language, name)),
    ...(values.length > 0 ? [lacks('nutrition', language, values.join(', '))] : []),
  ]
}

// The youngest vintage of which some wine may have been made by then.
const lastExempt = 2023

const declarationMissing = (checked: Checked): Missing[] => {
  const { wine, facts, language } = checked
  // Spirits need neither ingredients nor a nutrition declaration: Regulation (EU) No 1169/2011, Article 16 (4).
  if (wine.type === 'destilate') return []
  if (facts.exempt === 0) return factsMissing(checked)
  return (wine.vintage ?? 0) > lastExempt ? [lacks('exempt', language)] : []
}

const hasAlcohol = ({ type }: StoredWine): boolean => type !== 'grapeJuice' && type !== 'nonAlcoholic'

/**
 * The particulars that the law requires and a wine for sale in Germany lacks. Its size, country and region are in every
 * record, so they are never missing. An electronic label is no duty: paper may say the same.
 */
export const missingByLaw = (wine: StoredWine, facts: StoredFacts, language: Language): Missing[] => {
  const checked = { wine, facts, language }
  return [
    ...(wine.alcohol === null && hasAlcohol(wine) ? [lacks('alcohol', language)] : []),
    ...(wine.priced === 1 ? [] : [lacks('base_price', language)]),
    ...allergensMissing(checked),
    ...operatorMissing(checked),
    ...declarationMissing(checked),
  ]
}
