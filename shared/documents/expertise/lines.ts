import { type FaceOf, type FontName, type Run, runsOf } from '../../media/letters/faces.ts'
import { unbrokenParts } from '../../media/letters/lines.ts'
import type { TextLine } from '../../media/letters/visual.ts'

/**
 * How a piece of text is set: size and tracking in points, the extra gaps after lines and paragraphs in ems. `start` is
 * the right where a paragraph runs from there. Words are divided by hyphens where they would leave more than `hyphens` of
 * a line empty.
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

/** The document being drawn, and the locale whose rules divide its text into sentences and words. */
export type Sheet = {
  doc: PDFKit.PDFDocument
  locale: string
  faceOf: FaceOf
  /** The parts into which hyphens may divide a word. */
  hyphenate: (word: string) => readonly string[]
  /** The measured width, in ems. */
  widths: Map<string, number>
  /** The element of the document's structure into which goes what is drawn. */
  parent?: ReturnType<PDFKit.PDFDocument['struct']>
}

/** A line with its width in points. */
type Line = TextLine & { width: number }

/** Lines of a text, and how much of it they take; `isBroken` where a word did not fit into a line of its own. */
export type Lines = { lines: Line[]; taken: number; isBroken: boolean }

const measuredSize = 1000

/** The width of a run in ems. Each is measured once for a sheet, whatever its sizes. */
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

// Longer words are added up of their letters, of which there are few: no time is spent on shaping what is no word.
const longestShaped = 40

/** The width of a piece that may end a line, in points; for a long one, measuring stops when it is too wide. */
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
const shown = (text: string) => text.replace(softHyphens, '')
const ended = (text: string) => `${shown(text)}${text.endsWith('\u00ad') ? '-' : ''}`

/** How many characters of a word fit at least and at most: whole letters with their marks. */
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

// Fewer letters do not stand alone.
const fewestLetters = 3

const isWord = /^\p{L}{6,40}[^\p{L}\p{N}]*$/u

/** As much of a word as fits with a hyphen; undefined where it cannot be divided there. */
const divided = (sheet: Sheet, word: string, style: Style, room: number): Division | undefined => {
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

/** Puts pieces of a paragraph into lines, one after the other, until there are so many of them. */
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

  /** Ends the line with a piece, or without. */
  end(last = '', length = 0): void {
    const text = (last ? shown(this.#text) + last : ended(this.#text)).trimEnd()
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

  /** Ends the last line of the paragraph, which has one even if it is empty. */
  finish(): void {
    if (this.#text || this.lines.length === 0) this.end()
  }

  #append(piece: string, width: number): void {
    this.#text += piece
    this.#width += width
    this.taken += piece.length
  }

  #fits(piece: string): boolean {
    const end = ended(piece.trimEnd())
    return this.#width + widthOf(this.#sheet, end, this.#style, this.#room) <= this.#room + tolerance
  }

  /** Sets what cannot be broken where a line may end: whole, divided by a hyphen, on a line of its own, or torn. */
  add(piece: string): void {
    let rest = piece
    while (rest && !this.isFull) {
      if (this.#fits(rest)) {
        this.#append(rest, widthOf(this.#sheet, shown(rest), this.#style, this.#room * 2))
        return
      }
      rest = rest.slice(this.#addPart(rest))
    }
  }

  #addPart(rest: string): number {
    const left = this.#room - this.#width
    const isLoose = this.#text === '' || left > (this.#style.hyphens ?? 1) * this.#room
    const part = isLoose ? divided(this.#sheet, rest, this.#style, left) : undefined
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

/** Breaks a text into lines, no more than `most`. */
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
