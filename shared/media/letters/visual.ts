import bidiModule, { type Bidi } from 'bidi-js'
import { type FaceOf, type FontName, type Run, runsOf } from './faces.ts'

/**
 * A line of a paragraph: the part of its text from `from` on, with the hyphen if its last word is divided, and whether
 * another word follows.
 */
export type TextLine = { paragraph: string; from: number; text: string; isFollowed: boolean }

/** A part of a line that is drawn as a whole; an odd `level` means from right to left. */
export type Piece = Run & { level: number }

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

// The package's types describe another form of its module.
const newBidi = bidiModule as unknown as () => Bidi

let made: Bidi | undefined
const bidi = (): Bidi => {
  made ??= newBidi()
  return made
}

/** True if any part of a text is right-to-left. */
export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text)

/** True if a paragraph is right-to-left, like its first letter. */
export const isRightToLeft = (paragraph: string): boolean => rightToLeft.test(/\p{L}/u.exec(paragraph)?.[0] ?? '')

// A face reverses right-to-left words by itself, but not the characters between words.
const words = /[\p{L}\p{M}\u200c]+|\p{N}+|[^\p{L}\p{M}\p{N}]/gu

const mirror = (text: string): string => (text.length === 1 ? (bidi().getMirroredCharacter(text) ?? text) : text)

const piecesAt = (faceOf: FaceOf, text: string, font: FontName, level: number): Piece[] => {
  const isTurned = level % 2 === 1
  const parts = isTurned ? Array.from(text.matchAll(words), ([part]) => part) : [text]
  return parts.flatMap(part => runsOf(faceOf, isTurned ? mirror(part) : part, font).map(run => ({ ...run, level })))
}

const logical = (faceOf: FaceOf, line: TextLine, font: FontName): Piece[] => {
  const { levels } = bidi().getEmbeddingLevels(line.paragraph.slice(0, line.from) + line.text)
  const pieces: Piece[] = []
  let start = line.from
  const end = line.from + line.text.length
  for (let at = start + 1; at <= end; at++) {
    if (at < end && levels[at] === levels[start]) continue
    pieces.push(...piecesAt(faceOf, line.text.slice(start - line.from, at - line.from), font, levels[start] ?? 0))
    start = at
  }
  return pieces
}

/** Returns the order of parts from left to right (UAX 9, rule L2), as indexes. */
const visualOrder = (pieces: readonly Piece[]): number[] => {
  const order = pieces.map((_, n) => n)
  const levelAt = (place: number) => pieces[order[place] ?? 0]?.level ?? 0
  for (let level = Math.max(...pieces.map(piece => piece.level)); level > 0; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while (end < order.length && levelAt(end) >= level) end++
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end - 1)
    }
  }
  return order
}

/** Returns the parts of a line in reading order, each with its index from the left. */
export const piecesOf = (faceOf: FaceOf, line: TextLine, font: FontName): { pieces: Piece[]; order: number[] } => {
  const isPlain = !hasRightToLeft(line.text) && !isRightToLeft(line.paragraph)
  // The blank at its end separates the last word from the next when text is extracted.
  const plain = () =>
    runsOf(faceOf, line.isFollowed ? `${line.text} ` : line.text, font).map(run => ({ ...run, level: 0 }))
  const pieces = isPlain ? plain() : logical(faceOf, line, font)
  return { pieces, order: isPlain ? pieces.map((_, n) => n) : visualOrder(pieces) }
}
