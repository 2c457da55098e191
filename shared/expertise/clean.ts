import type { HasGlyph } from '../fonts.ts'
import { withTexts } from '../text.ts'

const hole = '\0'

// Soft hyphens are invisible format characters too, but they are wanted: they say where a word may break.
const invisible = /(?!\u00ad)[\p{Cf}\p{Variation_Selector}]/gu
const control = /(?!\n)[\p{Cc}\p{Zs}]/gu

// Breaking one endless word into lines takes time that grows with the square of its length. A no-break space is a part of
// its word.
const endlessWord = /[^ \n]{120}(?=[^ \n])/gu

const plain = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/\p{Zs}/gu, space => (space === '\u00a0' || space === '\u202f' ? '\u00a0' : ' '))
    .replace(control, space => (space === '\u00a0' ? space : ' '))
    .replace(invisible, '')

const substitute = (character: string, hasGlyph: HasGlyph) => {
  const known = [...character.normalize('NFKD')].filter(part => hasGlyph(part.codePointAt(0) ?? 0))
  return known.length > 0 ? known.join('') : hole
}

const holes = / ?\0[\0 ]*/g

// With the space before them, where one follows or a sign that stands close to its word.
const closed = (run: string, at: number, text: string): string =>
  run.includes(' ') && !/^[\s.,;:!?)]?$/.test(text.charAt(at + run.length)) ? ' ' : ''

/**
 * The text without what the font cannot print: emoji and foreign scripts go (with the space before them), compatibility
 * forms become plain letters, runs of line ends become one \n, runs of blanks one blank; no word stays longer than 120
 * characters.
 */
const cleanText = (text: string, hasGlyph: HasGlyph): string =>
  Array.from(plain(text), character =>
    character === '\n' || hasGlyph(character.codePointAt(0) ?? 0) ? character : substitute(character, hasGlyph),
  )
    .join('')
    .replace(holes, closed)
    .replace(/ {2,}/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{2,}/g, '\n')
    .replace(endlessWord, '$& ')
    .trim()

/** A copy of plain data with every string in it cleaned; numbers and null stay. */
export const cleanAll = <T>(value: T, hasGlyph: HasGlyph): T => withTexts(value, text => cleanText(text, hasGlyph))
