import anyAscii from 'any-ascii'
import { withTexts } from '../../values/text.ts'
import type { FaceOf } from './faces.ts'

type IsPrintable = (character: string) => boolean

// Soft hyphens, where a word may break, and the non-joiner after Arabic letters are invisible format characters, too, but
// are kept.
const invisible = /(?![\u00ad\u200c])[\p{Cf}\p{Variation_Selector}]|(?<!\p{Script=Arabic})\u200c/gu
// Regional indicators: no face has flags, some have letters in boxes.
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

// A skin tone or a variation selector belongs to the pictograph before it.
const pictographs = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u20e3)*/gu

/** Returns the replacement of a character without a glyph: its parts, its transliteration, or nothing. */
const substitute = (character: string, isPrintable: IsPrintable): string => {
  const parts = [...character.normalize('NFKD')].filter(isPrintable)
  if (parts.length > 0) return parts.join('')
  return /[\p{L}\p{M}\p{N}]/u.test(character) ? anyAscii(character) : ''
}

const toPrintable = (character: string, isPrintable: IsPrintable): string =>
  character === '\n' || character === '\u00ad' || isPrintable(character)
    ? character
    : substitute(character, isPrintable)

/**
 * Returns the text in characters that the faces have: compatibility forms become plain letters, letters of other scripts
 * are transliterated, emoji and the like are left out; runs of line ends become one \n, runs of blanks one blank.
 */
const cleanText = (text: string, isPrintable: IsPrintable): string =>
  Array.from(
    plain(text).replace(pictographs, ([sign = '']) => (isPrintable(sign) ? sign : '')),
    character => toPrintable(character, isPrintable),
  )
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim()

/** Returns a copy of plain data with all strings cleaned. */
export const cleanAll = <T>(value: T, faceOf: FaceOf): T =>
  withTexts(value, text => cleanText(text, character => faceOf(character, 'text') !== undefined))
