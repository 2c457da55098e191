import type { Label, Labels, Language } from '../../contract/labels/labels.ts'
import { labelIn, labelOf } from '../../contract/labels/labels.ts'
import type { Wine } from '../../contract/records/wine.ts'
import background from './background.json' with { type: 'json' }

const regions: Labels = background.regions
const grapes: Labels = background.grapes

/** The text about a region, by its id; null for most. */
export const regionText = (region: number, language: Language): string | null => labelOf(regions, region, language)

const maxGrapes = 2

/** The text about the first of a wine's grapes that has a text; null if none has. */
export const grapeText = (ids: readonly number[], language: Language): string | null => {
  const texts = new Set(ids.map(id => labelOf(grapes, id, language)).filter(text => text !== null))
  return texts.size > 0 ? [...texts].slice(0, maxGrapes).join(' ') : null
}

const sweet: ReadonlySet<number> = new Set([4, 5, 6, 7])
const offDry: ReadonlySet<number> = new Set([2, 3, 11, 15])
const foods = { red: 'red', white: 'white', rose: 'rose', rotling: 'rose', vingris: 'rose' } as const
const sparkling: ReadonlySet<string> = new Set(['sparkling', 'secco'])

const foodOf = ({ type, taste_id }: Pick<Wine, 'type' | 'taste_id'>): Label | undefined => {
  const { food } = background
  if (sparkling.has(type)) return food.sparkling
  if (!Object.hasOwn(foods, type)) return undefined
  if (sweet.has(taste_id ?? 0)) return food.sweet
  if (type === 'white' && offDry.has(taste_id ?? 0)) return food.offDry
  return food[foods[type as keyof typeof foods]]
}

/** Returns food for a wine of this type and taste; null for types without. */
export const foodText = (wine: Pick<Wine, 'type' | 'taste_id'>, language: Language): string | null => {
  const food = foodOf(wine)
  return food === undefined ? null : labelIn(language, food)
}
