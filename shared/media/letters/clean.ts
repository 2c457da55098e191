import anyAscii from 'any-ascii'
import { withTexts } from '../../values/text.ts'
import type { FaceOf } from './faces.ts'

type IsPrintable = (character: string) => boolean

// Soft hyphens are invisible format characters too, but they are wanted: they say where a word may break. So is the sign
// that keeps two Arabic letters apart.
const invisible = /(?![\u00ad\u200c])[\p{Cf}\p{Variation_Selector}]|(?<!\p{Script=Arabic})\u200c/gu
// Some faces have them as letters in boxes, and none as flags.
const flags = /\p{Regional_Indicator}/gu
const control = /(?!\n)[\p{Cc}\p{Zs}]/gu

const plain = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/\p{Zs}/gu, space => (space === '\u00a0' || space === '\u202f' ? '\u00a0' : ' '))
    .replace(control, space => (space === '\u00a0' ? space : ' '))
    .replace(invisible, '')
    .replace(flags, '')

// A skin tone or the sign that makes a pictograph colourful belongs to the one before it.
const pictographs = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u20e3)*/gu

/** The replacement of a character that no face has: its parts, its transliteration, or nothing. */
const substitute = (character: string, isPrintable: IsPrintable): string => {
  const parts = [...character.normalize('NFKD')].filter(isPrintable)
  if (parts.length > 0) return parts.join('')
  return /[\p{L}\p{M}\p{N}]/u.test(character) ? anyAscii(character) : ''
}

const printed = (character: string, isPrintable: IsPrintable): string =>
  character === '\n' || character === '\u00ad' || isPrintable(character)
    ? character
    : substitute(character, isPrintable)

/**
 * The text in what the faces can print: compatibility forms become plain letters, letters of further scripts how they
 * sound, emoji and the like are left out; runs of line ends become one \n, runs of blanks one blank.
 */
const cleanText = (text: string, isPrintable: IsPrintable): string =>
  Array.from(
    plain(text).replace(pictographs, ([sign = '']) => (isPrintable(sign) ? sign : '')),
    character => printed(character, isPrintable),
  )
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim()

/** A copy of plain data with every string in it cleaned; numbers and null stay. */
export const cleanAll = <T>(value: T, faceOf: FaceOf): T =>
  withTexts(value, text => cleanText(text, character => faceOf(character, 'text') !== undefined))
