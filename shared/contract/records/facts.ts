import * as v from 'valibot'
import {
  classKeys,
  ingredientKeys,
  ingredients as ingredientTable,
  type LabelLanguage,
  labelLanguages,
  materialCodes,
  type NutrientKey,
  nutrientKeys,
  operatorRoles,
  packagingParts,
} from '../labels/label-tables.ts'
import { boundedWhole, decimal, givenOnly, oneOfWords, uniqueList } from '../schema/fields.ts'
import { described, Flag, filled, list, must, requirement } from '../schema/wire.ts'
import type { Wine } from './wine.ts'

const ENumber = v.pipe(
  filled(10),
  must<string>('e_number', 'an E number such as "E 334"', text => /^E \d{3,4}[a-z]?$/.test(text), {
    pattern: '^E [0-9]{3,4}[a-z]?$',
  }),
)

const Names = v.strictObject(
  Object.fromEntries(
    labelLanguages.map(language => [language, described(v.optional(filled(120)), `The name in this language.`)]),
  ) as Record<LabelLanguage, v.OptionalSchema<ReturnType<typeof filled>, undefined>>,
)

const ingredientEntries = {
  key: described(v.optional(oneOfWords(ingredientKeys)), 'Key of the ingredient in the table `ingredients`.'),
  name: described(v.optional(filled(120)), 'Name of an ingredient that the table lacks, in the language of the wine.'),
  names: described(v.optional(Names), 'The same name in other languages, by the language in two letters.'),
  class: described(
    v.optional(oneOfWords(classKeys)),
    'Class of the ingredient in the table `ingredientclasses`; that of the key if left out.',
  ),
  enumber: described(v.optional(ENumber), 'E number of an ingredient that the table lacks.'),
  allergen: described(v.optional(Flag), '1 marks an allergen, which labels emphasize; follows from the key.'),
  and_or: described(
    v.optional(Flag),
    '1 says that the wine contains one or more of the ingredients of this class that have the mark.',
  ),
}

type GivenIngredient = v.InferOutput<v.StrictObjectSchema<typeof ingredientEntries, undefined>>

const isNamed = ({ key, name, class: given }: GivenIngredient): boolean =>
  key === undefined ? name !== undefined && given !== undefined : name === undefined

const Ingredient = v.pipe(
  v.strictObject(ingredientEntries),
  v.check(requirement('ingredient', 'given by `key`, or by `name` and `class`', isNamed), 'ingredient'),
  v.transform(givenOnly),
)
export type Ingredient = v.InferOutput<typeof Ingredient>

const ingredientId = ({ key, name, class: given }: Ingredient): string => JSON.stringify([key, name, given])

// Regulation (EU) 2019/33, Article 48a (3): only these two classes, and not more than three ingredients.
const alternativeClasses: readonly unknown[] = ['acidity_regulator', 'stabiliser']
const maxAlternatives = 3

const hasGrams = decimal(1, 100)
const grams = (name: string, more = '') =>
  described(v.optional(v.nullable(hasGrams)), `${name}, in grams per 100 ml${more}.`)

/** The nutrients that a label may list together as "negligible amounts". */
const Nutrient = oneOfWords(nutrientKeys)

/** The values of a nutrition declaration. */
export const nutritionEntries = {
  kj: described(v.optional(v.nullable(boundedWhole(0, 4000))), 'Energy of 100 ml in kilojoules; computed if left out.'),
  kcal: described(
    v.optional(v.nullable(boundedWhole(0, 1000))),
    'Energy of 100 ml in kilocalories; computed if left out.',
  ),
  fat: grams('Fat'),
  saturates: grams('Saturated fatty acids'),
  carbohydrate: grams('Carbohydrate', ', glycerol included; sugars and glycerol if left out'),
  sugars: grams('Sugars', '; the `sweetness` of the wine if left out'),
  protein: grams('Protein'),
  salt: described(v.optional(v.nullable(decimal(2, 100))), 'Salt, in grams per 100 ml.'),
  glycerol: described(v.optional(v.nullable(decimal(1, 999))), 'Glycerol, in grams per litre, for the computation.'),
  negligible: described(
    v.optional(uniqueList(Nutrient)),
    'Nutrients that the label lists as contained in negligible amounts.',
  ),
}

type GivenNutrition = v.InferOutput<v.StrictObjectSchema<typeof nutritionEntries, undefined>>

const isPart = (part: string | null | undefined, whole: string | null | undefined): boolean =>
  !part || !whole || Number(part) <= Number(whole)

const Nutrition = v.pipe(
  v.strictObject(nutritionEntries),
  v.check(
    requirement(
      'parts',
      'such that saturates are at most fat, and sugars at most carbohydrate',
      (one: GivenNutrition) => isPart(one.saturates, one.fat) && isPart(one.sugars, one.carbohydrate),
    ),
    'parts',
  ),
  v.check(
    requirement(
      'both_units',
      'given with both `kj` and `kcal`, or with neither',
      ({ kj, kcal }: GivenNutrition) => ((kj ?? null) === null) === ((kcal ?? null) === null),
    ),
    'both_units',
  ),
)
export type Nutrition = v.InferOutput<typeof Nutrition>

const Packaging = v.strictObject({
  part: described(oneOfWords(packagingParts), 'Part of the packaging.'),
  material: described(oneOfWords(materialCodes), 'Code of its material by Decision 97/129/EC, as `GL 70`.'),
})

export const Operator = v.strictObject({
  role: described(oneOfWords(operatorRoles), 'Relation of the operator to the wine, as the label states it.'),
  name: described(filled(), 'Name of the operator.'),
  address: described(filled(), 'Address of the operator, in one line.'),
})

/** The E number of an ingredient: its own, or that of its key. */
export const eNumberOf = ({ key, enumber }: Ingredient): string | undefined =>
  enumber ?? (key && ingredientTable[key].enumber)

/** True if labels emphasize an ingredient. */
export const isAllergen = ({ key, allergen }: Ingredient): boolean =>
  allergen === 1 || (key !== undefined && ingredientTable[key].allergen !== undefined)

/** The class of an ingredient: its own, or that of its key. */
export const classOf = ({ key, class: given }: Ingredient) => given ?? (key && ingredientTable[key].class)

const alternativesHold = (given: Ingredient[]): boolean => {
  const marked = given.filter(({ and_or }) => and_or === 1).map(classOf)
  return marked.every(name => {
    const count = marked.filter(other => other === name).length
    return alternativeClasses.includes(name) && count > 1 && count <= maxAlternatives
  })
}

// The page of a label has 20 KB at most, in any language and with any signs (test/unit/elabel-page.test.ts).
const maxIngredients = 40
const maxOwnNames = 500

const longestName = ({ name = '', names = {} }: Ingredient): number =>
  Math.max(...[name, ...Object.values(names)].map(text => text?.length ?? 0))

const areNamesShort = (given: Ingredient[]): boolean =>
  given.reduce((sum, one) => sum + longestName(one), 0) <= maxOwnNames

const Ingredients = v.pipe(
  uniqueList<Ingredient>(Ingredient, ingredientId, maxIngredients),
  v.check(
    requirement('names', `such that all \`name\`s together have ${maxOwnNames} characters at most`, areNamesShort),
    'names',
  ),
  v.check(
    requirement('and_or', 'such that `and_or` marks two or three acidity regulators or stabilisers', alternativesHold),
    'and_or',
  ),
)

/** The facts of a wine as they are stored and shown. Source: Regulation (EU) No 1308/2013, Article 119. */
export const Facts = v.strictObject({
  ingredients: described(Ingredients, 'Ingredients, in the order in which the label lists them.'),
  nutrition: described(v.nullable(Nutrition), 'Nutrition declaration, per 100 ml.'),
  packaging: described(list(Packaging, 20), 'Parts of the packaging, for recycling.'),
  operator: described(v.nullable(Operator), 'Operator: the company that is responsible for the wine.'),
  exempt: described(
    Flag,
    '1 marks a wine that was made before 8 December 2023, which needs no ingredients and no nutrition declaration.',
  ),
})
export type Facts = v.InferOutput<typeof Facts>

/** The facts of a wine in requests; a part that is left out stays as it is. */
export const GivenFacts = v.strictObject({
  ...v.partial(Facts).entries,
  published: described(
    v.optional(Flag),
    '1 publishes the electronic label at `/e/{hash}`; 0 withdraws it, and the page answers 410.',
  ),
})
export type GivenFacts = v.InferOutput<typeof GivenFacts>

export const noFacts: Facts = { ingredients: [], nutrition: null, packaging: [], operator: null, exempt: 0 }

/** The nutrition of a label: grams per 100 ml as text, null where the label does not say it. */
export type ShownNutrition = Record<NutrientKey, string | null> & {
  kj: number | null
  kcal: number | null
  /** 1 if the energy is computed. */
  computed: 0 | 1
  negligible: NonNullable<Nutrition['negligible']>
}

/** The part of a wine that its label shows. */
export type LabelledWine = Pick<
  Wine,
  'hash' | 'name' | 'vintage' | 'type' | 'countrycode' | 'region' | 'alcohol' | 'bottlesize' | 'language'
>

/**
 * An electronic label: all that its page shows, so that it needs no other record. `published` and `withdrawn` are times
 * as `2026-01-31 12:00:00`, UTC.
 */
export type Label = LabelledWine &
  Omit<Facts, 'nutrition' | 'exempt'> & {
    wine_id: number
    nutrition: ShownNutrition
    published: string
    withdrawn: string | null
  }
