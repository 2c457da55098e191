import { create, type Font, type PathCommand } from 'fontkit'
import { type Face, type FaceOf, type FontName, faceFinder, fontData } from '../../letters/faces.ts'
import { hasSolidScript, unbrokenParts } from '../../letters/lines.ts'
import { piecesOf } from '../../letters/visual.ts'
import { at, type Shape } from './shapes.ts'

const fonts = new Map<Face, Font>()

const fontOf = (face: Face): Font => {
  const known = fonts.get(face) ?? create(fontData(face))
  fonts.set(face, known)
  return known
}

/** The faces for a label; `texts` contains all its texts. */
export const facesFor = (texts: string): FaceOf =>
  faceFinder(texts, face => codePoint => fontOf(face).hasGlyphForCodePoint(codePoint))

/** The style of letters: size in pixels, `tracking` between them in ems. */
export type Type = { faceOf: FaceOf; font: FontName; size: number; fill: string; tracking?: number }

/** A glyph and its position in the line; a unit of its outline is `factor` pixels. */
type Placed = { commands: readonly PathCommand[]; factor: number; x: number; y: number }

const layout = (text: string, { faceOf, font: wanted, size, tracking = 0 }: Type) => {
  const { pieces, order } = piecesOf(faceOf, { paragraph: text, from: 0, text, isFollowed: false }, wanted)
  const glyphs: Placed[] = []
  let [width, after] = [0, 0]
  for (const { text: part, face, level } of order.flatMap(place => pieces[place] ?? [])) {
    const font = fontOf(face)
    const factor = size / font.unitsPerEm
    const set = font.layout(part)
    // Tracking would separate joined letters.
    after = level % 2 === 1 ? 0 : tracking * size
    for (const [n, { path }] of set.glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = set.positions[n] ?? {}
      glyphs.push({ commands: path.commands, factor, x: width + xOffset * factor, y: -yOffset * factor })
      width += xAdvance * factor + after
    }
  }
  return { width: Math.max(0, width - after), glyphs }
}

/** The width of a line in pixels. */
export const widthOf = (text: string, type: Type): number => layout(text, type).width

const letters = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' } as const

const drawnGlyph = ({ commands, factor, x, y }: Placed, left: number, baseline: number): string =>
  commands
    .map(({ command, args }) => {
      const points: string[] = []
      for (let n = 0; n + 1 < args.length; n += 2) {
        points.push(at(left + x + (args[n] ?? 0) * factor, baseline + y - (args[n + 1] ?? 0) * factor))
      }
      return letters[command] + points.join(' ')
    })
    .join('')

/** A centred line of text, as outlines: viewers need no font. */
export const line = (text: string, type: Type, centre: number, baseline: number): Shape[] => {
  const { width, glyphs } = layout(text, type)
  const d = glyphs.map(glyph => drawnGlyph(glyph, centre - width / 2, baseline)).join('')
  return d ? [{ d, fill: type.fill }] : []
}

// A name in a script with blanks breaks at blanks only, not at hyphens.
const wordsOf = (text: string): string[] =>
  text.split(/(?<= )/).flatMap(word => (hasSolidScript(word) ? [...unbrokenParts(word)] : [word]))

/** Breaks words, each with the blanks after it, into lines. */
const breakLines = (words: readonly string[], type: Type, width: number): string[] => {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''}${word}`
    if (lines.length > 0 && widthOf(longer.trimEnd(), type) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map(one => one.trimEnd())
}

/** Lines of about equal length, in a type in which they fit. */
export type Block = { lines: string[]; type: Type }

/** Balances lines: the same number of lines in the smallest width in which they fit. */
const balanceLines = (words: readonly string[], type: Type, width: number, count: number): string[] => {
  let lines = breakLines(words, type, width)
  for (let narrower = width * 0.95; narrower > width * 0.4; narrower *= 0.95) {
    const next = breakLines(words, type, narrower)
    if (next.length > count || next.some(one => widthOf(one, type) > narrower)) break
    lines = next
  }
  return lines
}

const shorten = (text: string, type: Type, width: number, isLast: boolean): string => {
  let kept = text
  while (kept && widthOf(isLast || kept !== text ? `${kept}…` : kept, type) > width)
    kept = kept.slice(0, -1).toWellFormed()
  return isLast || kept !== text ? `${kept.replaceAll('\ufffd', '').trim()}…` : kept
}

/** The distance of lines, in ems. */
export const leading = 1.12

/** The area for a text in pixels, and its maximum of lines. */
export type TextRoom = { width: number; height: number; most: number }

/**
 * Returns a text in lines, in the largest of the descending sizes in which it fits; cut with an ellipsis at the last
 * size.
 */
export const block = (
  text: string,
  type: Omit<Type, 'size'>,
  { width, height, most }: TextRoom,
  sizes: readonly [number, ...number[]],
): Block => {
  const words = wordsOf(text.slice(0, 200).toWellFormed().replace('\ufffd', ''))
  for (const size of sizes) {
    const set = { ...type, size }
    const lines = breakLines(words, set, width)
    const isLow = lines.length <= most && lines.length * size * leading <= height
    const fits = isLow && lines.every(one => widthOf(one, set) <= width)
    if (fits) return { lines: balanceLines(words, set, width, lines.length), type: set }
  }
  const set = { ...type, size: sizes.at(-1) ?? sizes[0] }
  const lines = breakLines(words, set, width).slice(0, most)
  return { lines: lines.map((one, n) => shorten(one, set, width, n === most - 1)), type: set }
}
