import { wordsOf } from '../vocabulary.ts'
import classTable from './ingredientclasses.json' with { type: 'json' }
import ingredientTable from './ingredients.json' with { type: 'json' }
import type { Label } from './labels.ts'
import materialTable from './packaging.json' with { type: 'json' }

// The words of facts and electronic labels; `labels/README.md` names their sources. Their names in 24 languages are in
// `shared/documents/elabels/terms.ts`: only the label itself loads them.

/** The languages of a label, the default first. */
export const labelLanguages = [
  ...(['de', 'bg', 'cs', 'da', 'el', 'en', 'es', 'et', 'fi', 'fr', 'ga', 'hr'] as const),
  ...(['hu', 'it', 'lt', 'lv', 'mt', 'nl', 'pl', 'pt', 'ro', 'sk', 'sl', 'sv'] as const),
] as const

export type LabelLanguage = (typeof labelLanguages)[number]

export type ClassKey = keyof typeof classTable

/**
 * A class of ingredients: its `subgroup` in answers, and `prefix` if a label prints the name of the class before its
 * ingredients, as the law demands it of additives.
 */
export type IngredientClass = Readonly<{ subgroup: string; prefix: boolean; name: Label }>

/** The classes in the order of a label. */
export const ingredientClasses: Readonly<Record<ClassKey, IngredientClass>> = classTable

export const classKeys = wordsOf<ClassKey>(ingredientClasses)

export type IngredientKey = keyof typeof ingredientTable

/** An ingredient: `allergen` is an id of the allergens; a `statement` is a sentence, without a class before it. */
export type LabelIngredient = Readonly<{ class: ClassKey; enumber?: string; allergen?: number; statement?: boolean }>

/** The ingredients, those of a class together, in the order of the classes. */
export const ingredients = ingredientTable as Readonly<Record<IngredientKey, LabelIngredient>>

export const ingredientKeys = wordsOf<IngredientKey>(ingredients)

/** The rows below the energy, in the order of a nutrition declaration. */
export const nutrientKeys = ['fat', 'saturates', 'carbohydrate', 'sugars', 'protein', 'salt'] as const

export type NutrientKey = (typeof nutrientKeys)[number]

export const operatorRoles = ['bottled_by', 'produced_by', 'imported_by', 'sold_by', 'bottled_for'] as const

export const packagingParts = [
  ...(['bottle', 'cork', 'synthetic_cork', 'glass_stopper', 'screw_cap', 'crown_cap', 'capsule', 'wire_cage'] as const),
  ...(['carton', 'bag', 'beverage_carton', 'can', 'label'] as const),
] as const

export type PackagingPart = (typeof packagingParts)[number]

/** The kinds of waste in which materials are collected. */
export const collections = ['glass', 'metal', 'paper', 'plastic', 'wood', 'textile', 'mixed'] as const

export type Collection = (typeof collections)[number]

export type MaterialCode = keyof typeof materialTable

/** The collection of each material by its code, such as `GL 71`. */
export const packagingMaterials = materialTable as Readonly<Record<MaterialCode, Collection>>

export const materialCodes = wordsOf<MaterialCode>(packagingMaterials)
