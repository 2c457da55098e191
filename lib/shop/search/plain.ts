import { fold } from '../../../shared/values/text.ts'

/**
 * The form in which words of buyers and labels are compared: without case and accents, ä, ae and a alike, whatever is no
 * letter or digit as one space. `Weißwein`, `weisswein` and `Château d’Yquem`, `chateau d'yquem` are each the same.
 */
export const plain = (text: string): string =>
  fold(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([aou])e/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A word of a text: its plain form, and where it is. */
export type Word = { plain: string; from: number; to: number }

/** The words of a text, in their order. */
export const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    plain: plain(word),
    from: index,
    to: index + word.length,
  }))
