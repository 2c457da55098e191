import { fold } from '../../../shared/values/text.ts'

/**
 * Normalizes a text for comparison: no case, no accents, ä = ae = a, and a space in place of other characters.
 * `Weißwein` and `weisswein` are equal, as are `Château d’Yquem` and `chateau d'yquem`.
 */
export const normalize = (text: string): string =>
  fold(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([aou])e/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A normalized word and its position in the text. */
export type Word = { word: string; from: number; to: number }

export const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    word: normalize(word),
    from: index,
    to: index + word.length,
  }))
