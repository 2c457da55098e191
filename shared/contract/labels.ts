import { fold } from '../values/text.ts'
import allergens from './labels/allergens.json' with { type: 'json' }
import bottlingtypes from './labels/bottlingtypes.json' with { type: 'json' }
import countries from './labels/countries.json' with { type: 'json' }
import grapetypes from './labels/grapetypes.json' with { type: 'json' }
import qualitytypes from './labels/qualitytypes.json' with { type: 'json' }
import tastes from './labels/tastes.json' with { type: 'json' }
import units from './labels/units.json' with { type: 'json' }
import wineregions from './labels/wineregions.json' with { type: 'json' }
import winetypes from './labels/winetypes.json' with { type: 'json' }

/** The languages in which there are labels. */
export const languages = ['de', 'en'] as const

/** A language in which there are labels. */
export type Language = (typeof languages)[number]

/** What something is called: in each language, or in all of them alike. */
export type Label = string | Readonly<Record<Language, string>>

/** Labels by id or word. */
export type Labels = Readonly<Record<string, Label>>

/** Names by id: those that something has beside its label. */
export type Synonyms = Readonly<Record<string, readonly string[] | undefined>>

/** All labels; those of `wineregions` and `qualitytypes` by country first. */
export const labels = {
  countries,
  wineregions,
  tastes,
  winetypes,
  qualitytypes,
  grapetypes,
  units,
  bottlingtypes,
  allergens,
}

/** The keys of a table, in its order. */
export const wordsOf = <Word extends string>(table: Readonly<Record<Word, unknown>>): Word[] =>
  Object.keys(table) as Word[]

/** The keys of a table whose keys are ids, in rising order. */
export const idsOf = (table: Labels): number[] => Object.keys(table).map(Number)

/** A label in a language. */
export const labelIn = (language: Language, label: Label): string =>
  typeof label === 'string' ? label : label[language]

/** The label of an id or word in a language; null where the table has none. */
export const labelOf = (table: Labels | undefined, key: string | number, language: Language): string | null =>
  table && Object.hasOwn(table, key) ? labelIn(language, table[key] ?? '') : null

// No label is nearly as long; folding something very long would take its time.
const longestName = 255

/**
 * Finds ids by a label of theirs in any language, or by one of their synonyms, in either case; of several ids the lowest.
 * The names are folded at the first question: most instances are never asked.
 */
export const finderOf = (table: Labels, synonyms: Synonyms = {}): ((name: string) => number | undefined) => {
  let ids: Map<string, number> | undefined
  const folded = (): Map<string, number> => {
    const names = Object.entries(table).flatMap(([id, label]) =>
      [...languages.map(language => labelIn(language, label)), ...(synonyms[id] ?? [])].map(
        name => [fold(name), Number(id)] as const,
      ),
    )
    // Of equal keys a map keeps the last.
    return new Map(names.reverse())
  }
  return name => {
    if (name.length > longestName) return undefined
    ids ??= folded()
    return ids.get(fold(name.trim()))
  }
}
