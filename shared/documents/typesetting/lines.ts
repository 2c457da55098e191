import { type FaceOf, type FontName, type Run, runsOf } from '../../media/letters/faces.ts'
import { unbrokenParts } from '../../media/letters/lines.ts'
import type { TextLine } from '../../media/letters/visual.ts'

/**
 * The style of a text: size and tracking in points, the extra gaps after lines and paragraphs in ems. `start` aligns
 * paragraphs from right to left at the right. Words are hyphenated if they would leave more than `hyphens` of a line empty.
 */
export type Style = {
  font: FontName
  size: number
  color: string
  lineGap?: number
  paragraphGap?: number
  tracking?: number
  align?: 'left' | 'right' | 'start'
  hyphens?: number
}

/** The document being drawn, and the locale for its sentences and words. */
export type Sheet = {
  doc: PDFKit.PDFDocument
  locale: string
  faceOf: FaceOf
  /** Splits a word into its hyphenation parts. */
  hyphenate: (word: string) => readonly string[]
  /** Measured widths, in ems. */
  widths: Map<string, number>
  /** The structure element that contains the drawn parts. */
  parent?: ReturnType<PDFKit.PDFDocument['struct']>
}

/** A line with its width in points. */
type Line = TextLine & { width: number }

/** Lines of a text, and the number of its characters in them; `isBroken` if a word did not fit into a line of its own. */
export type Lines = { lines: Line[]; taken: number; isBroken: boolean }

const measuredSize = 1000

/** Returns the width of a run in ems. Each run is measured once for a sheet, in all sizes. */
export const runWidth = ({ doc, widths }: Sheet, { text, face }: Run): number => {
  const place = `${face} ${text}`
  const known = widths.get(place)
  if (known !== undefined) return known
  const width = doc.font(face).fontSize(measuredSize).widthOfString(text) / measuredSize
  widths.set(place, width)
  return width
}

const wordWidth = (sheet: Sheet, text: string, style: Style): number => {
  const ems = runsOf(sheet.faceOf, text, style.font).reduce((sum, run) => sum + runWidth(sheet, run), 0)
  return ems * style.size + (style.tracking ?? 0) * text.length
}

// The width of longer words is the sum of their letters', since shaping them takes time and they are hardly real words.
const longestShaped = 40

/** Returns the width in points of a part that may end a line; measuring a long part stops when it is too wide. */
const widthOf = (sheet: Sheet, text: string, style: Style, most: number): number => {
  if (text.length <= longestShaped) return wordWidth(sheet, text, style)
  let width = 0
  for (const character of text) {
    width += wordWidth(sheet, character, style)
    if (width > most) break
  }
  return width
}

const softHyphens = /\u00ad/g
const withoutHyphens = (text: string) => text.replace(softHyphens, '')
const withHyphenAtEnd = (text: string) => `${withoutHyphens(text)}${text.endsWith('\u00ad') ? '-' : ''}`

/** Returns the number of characters of a word that fit at least and at most: whole letters with their marks. */
const fittingLetters = (sheet: Sheet, word: string, style: Style, room: number): number => {
  let [length, width] = [0, 0]
  for (const [letter] of word.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    width += widthOf(sheet, letter, style, room)
    if (width > room && length > 0) break
    length += letter.length
  }
  return length
}

type Division = { length: number; text: string }

// No line begins or ends with fewer letters of a word.
const fewestLetters = 3

const isWord = /^\p{L}{6,40}[^\p{L}\p{N}]*$/u

/** Returns the start of a word that fits with a hyphen; undefined if no hyphenation fits. */
const divideWord = (sheet: Sheet, word: string, style: Style, room: number): Division | undefined => {
  if (!style.hyphens || !isWord.test(word)) return undefined
  const parts = sheet.hyphenate(word)
  for (let count = parts.length - 1; count > 0; count--) {
    const part = parts.slice(0, count).join('')
    const isShort = part.length < fewestLetters || parts.slice(count).join('').length < fewestLetters
    if (!isShort && wordWidth(sheet, `${part}-`, style) <= room) return { length: part.length, text: `${part}-` }
  }
  return undefined
}

const tolerance = 0.01

/** Fills lines with the parts of a paragraph, up to a number of lines. */
class Setter {
  readonly lines: Line[] = []
  taken = 0
  isBroken = false
  #from = 0
  #text = ''
  #width = 0
  readonly #sheet: Sheet
  readonly #paragraph: string
  readonly #style: Style
  readonly #room: number
  readonly #most: number

  constructor(sheet: Sheet, paragraph: string, style: Style, room: number, most: number) {
    this.#sheet = sheet
    this.#paragraph = paragraph
    this.#style = style
    this.#room = room
    this.#most = most
  }

  get isFull(): boolean {
    return this.lines.length >= this.#most
  }

  /** Ends the line, optionally with a last part. */
  end(last = '', length = 0): void {
    const text = (last ? withoutHyphens(this.#text) + last : withHyphenAtEnd(this.#text)).trimEnd()
    const spaces = this.#text.length - this.#text.trimEnd().length
    const trailing = last || spaces === 0 ? 0 : wordWidth(this.#sheet, ' ', this.#style) * spaces
    const width = this.#width - trailing + (last ? wordWidth(this.#sheet, last, this.#style) : 0)
    const tracked = this.#style.tracking ?? 0
    this.lines.push({
      paragraph: this.#paragraph,
      from: this.#from,
      text,
      width: Math.max(0, width - tracked),
      isFollowed: last === '',
    })
    this.taken += length
    this.#from = this.taken
    this.#text = ''
    this.#width = 0
  }

  /** Ends the last line of the paragraph; an empty paragraph has one line. */
  finish(): void {
    if (this.#text || this.lines.length === 0) this.end()
  }

  #append(piece: string, width: number): void {
    this.#text += piece
    this.#width += width
    this.taken += piece.length
  }

  #fits(piece: string): boolean {
    const end = withHyphenAtEnd(piece.trimEnd())
    return this.#width + widthOf(this.#sheet, end, this.#style, this.#room) <= this.#room + tolerance
  }

  /** Sets a part without break opportunities: whole, hyphenated, on a line of its own, or broken anywhere. */
  add(piece: string): void {
    let rest = piece
    while (rest && !this.isFull) {
      if (this.#fits(rest)) {
        this.#append(rest, widthOf(this.#sheet, withoutHyphens(rest), this.#style, this.#room * 2))
        return
      }
      rest = rest.slice(this.#addPart(rest))
    }
  }

  #addPart(rest: string): number {
    const left = this.#room - this.#width
    const isLoose = this.#text === '' || left > (this.#style.hyphens ?? 1) * this.#room
    const part = isLoose ? divideWord(this.#sheet, rest, this.#style, left) : undefined
    if (part) {
      this.end(part.text, part.length)
      return part.length
    }
    if (this.#text) {
      this.end()
      return 0
    }
    this.isBroken = true
    const length = fittingLetters(this.#sheet, rest.slice(0, 2000), this.#style, this.#room)
    this.end(rest.slice(0, length), length)
    return length
  }
}

const setParagraph = (sheet: Sheet, paragraph: string, style: Style, width: number, most: number): Lines => {
  const setter = new Setter(sheet, paragraph, style, width, most)
  for (const piece of unbrokenParts(paragraph)) {
    setter.add(piece)
    if (setter.isFull) break
  }
  if (!setter.isFull) setter.finish()
  return setter
}

/** Breaks a text into at most `most` lines. */
export const linesOf = (sheet: Sheet, text: string, style: Style, width: number, most: number): Lines => {
  const all: Lines = { lines: [], taken: 0, isBroken: false }
  for (const paragraph of text.split('\n')) {
    if (all.lines.length >= most) break
    const { lines, taken, isBroken } = setParagraph(sheet, paragraph, style, width, most - all.lines.length)
    all.lines.push(...lines)
    all.taken += taken + 1
    all.isBroken ||= isBroken
  }
  const last = all.lines.at(-1)
  if (last) last.isFollowed = false
  return all
}
