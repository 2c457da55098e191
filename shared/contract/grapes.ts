import synonyms from './labels/grape-synonyms.json' with { type: 'json' }
import { finderOf, type Language, labelOf, labels, type Synonyms } from './labels.ts'

/** The grapes that have several names: for each grape its ids, and for each id its names, the label first. */
const grapesOfManyNames: readonly Synonyms[] = synonyms

/** A grape's name in a language; null for an id that the service gives to none: it may be one of a merchant's own. */
export const grapeName = (id: number, language: Language): string | null => labelOf(labels.grapetypes, id, language)

/** Whether the interface's own table has an id, so that every shop's label file names it. */
export const isInterfaceGrape = (id: number): boolean => id < 100_000 && grapeName(id, 'de') !== null

/** The id of the grape with a name, in any language and in either case, synonyms included. */
export const grapeIdOf = finderOf(labels.grapetypes, Object.assign({}, ...grapesOfManyNames))

/** All ids of the grape with a name: `Shiraz` gives Syrah's id and Shiraz'; none for a name that no grape has. */
export const grapeIdsOf = (name: string): number[] => {
  const id = grapeIdOf(name)
  if (id === undefined) return []
  return Object.keys(grapesOfManyNames.find(ids => id in ids) ?? { [id]: [] }).map(Number)
}
