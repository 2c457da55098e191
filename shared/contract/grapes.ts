import { finderOf, type Language, labelOf, labels } from './labels.ts'

/** A grape's name in a language; null for an id that the service gives to none: it may be one of a merchant's own. */
export const grapeName = (id: number, language: Language): string | null => labelOf(labels.grapetypes, id, language)

/** The id of the grape with a name, in any language and in either case. */
export const grapeIdOf = finderOf(labels.grapetypes)
