import { foldable } from './foldable.ts'

/** Number of the folding rule; raise it with every change of `fold`, so that stored folded text is rebuilt. */
export const foldVersion = 3

const foldableRun = new RegExp(`[${foldable.replace(/[0-9a-f]+/g, '\\u{$&}').replace(/\s/g, '')}]+`, 'gu')

const foldRun = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    // Lower casing writes Σ as ς at the end of a word only, which would hide ΜΑΣ inside ΜΑΣΤΙΧΑ.
    .replaceAll('ς', 'σ')
    // Some pairs compose only in lower case (J + caron), and ss may meet a mark that stood behind ß.
    .normalize('NFC')

/**
 * The form in which texts are compared case-insensitively: NFC, lower case without any locale, ß and ẞ as ss.
 * Accents stay: `Müller` and `Muller` differ. Characters that are newer than Unicode 16.0 stay as they are, so the result
 * does not depend on the Node that runs. Idempotent.
 */
export const fold = (text: string): string => text.toWellFormed().replace(foldableRun, foldRun)

let german: Intl.Collator | undefined

/**
 * Compares texts as German sorts them: below zero where the first comes before. Digits are letters like others, so "10"
 * comes before "9".
 */
export const inGerman = (one: string, other: string): number => {
  // It takes longer to make than any other part of a function's start.
  german ??= new Intl.Collator('de')
  return german.compare(one, other)
}

/** A text of at most `max` characters: a longer one is cut and ends in an ellipsis. */
export const abridged = (text: string, max: number): string => {
  if (text.length <= max) return text
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/** A copy of plain data with every text in it changed; numbers, null and keys stay. */
export const withTexts = <T>(data: T, change: (text: string) => string): T => {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part)
    if (Array.isArray(part)) return part.map(walk)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(data) as T
}

/** A copy of plain data in which every text has at most `max` characters. */
export const withShortTexts = <T>(data: T, max: number): T => withTexts(data, text => abridged(text, max))
