import { create, type Font, type PathCommand } from 'fontkit'
import { type FontName, fontData } from '../../fonts.ts'
import { at, type Shape } from './shapes.ts'

const fonts = new Map<FontName, Font>()

const fontOf = (name: FontName): Font => {
  const known = fonts.get(name) ?? create(fontData(name))
  fonts.set(name, known)
  return known
}

/** How letters are set: size in pixels, `tracking` between them in ems. */
export type Type = { font: FontName; size: number; fill: string; tracking?: number }

type Placed = { commands: readonly PathCommand[]; x: number; y: number }

/** What the font can show of a text. */
const printable = (text: string, font: Font): string =>
  Array.from(text.normalize('NFC'), sign => (font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) ? sign : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

const layout = (text: string, { font: name, size, tracking = 0 }: Type): { width: number; glyphs: Placed[] } => {
  const font = fontOf(name)
  const factor = size / font.unitsPerEm
  const { glyphs, positions } = font.layout(printable(text, font))
  let width = 0
  const placed = glyphs.map((glyph, n): Placed => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[n] ?? {}
    const one = { commands: glyph.path.commands, x: width + xOffset * factor, y: -yOffset * factor }
    width += xAdvance * factor + tracking * size
    return one
  })
  return { width: Math.max(0, width - tracking * size), glyphs: placed }
}

/** The width of a line in pixels. */
export const widthOf = (text: string, type: Type): number => layout(text, type).width

const letters = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' } as const

const drawnGlyph = ({ commands, x, y }: Placed, left: number, baseline: number, factor: number): string =>
  commands
    .map(({ command, args }) => {
      const points: string[] = []
      for (let n = 0; n + 1 < args.length; n += 2) {
        points.push(at(left + x + (args[n] ?? 0) * factor, baseline + y - (args[n + 1] ?? 0) * factor))
      }
      return letters[command] + points.join(' ')
    })
    .join('')

/** A line of text around a centre, as outlines: no machine needs the font. */
export const line = (text: string, type: Type, centre: number, baseline: number): Shape[] => {
  const { width, glyphs } = layout(text, type)
  const factor = type.size / fontOf(type.font).unitsPerEm
  const d = glyphs.map(glyph => drawnGlyph(glyph, centre - width / 2, baseline, factor)).join('')
  return d ? [{ d, fill: type.fill }] : []
}

const broken = (words: readonly string[], type: Type, width: number): string[] => {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last !== undefined && widthOf(longer, type) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Lines that are about equally long, in a type that lets them fit. */
export type Block = { lines: string[]; type: Type }

/** The same number of lines over the narrowest width that holds them. */
const evened = (words: readonly string[], type: Type, width: number, count: number): string[] => {
  let lines = broken(words, type, width)
  for (let narrower = width * 0.95; narrower > width * 0.4; narrower *= 0.95) {
    const next = broken(words, type, narrower)
    if (next.length > count || next.some(one => widthOf(one, type) > narrower)) break
    lines = next
  }
  return lines
}

const shortened = (text: string, type: Type, width: number, isLast: boolean): string => {
  let kept = text
  while (kept && widthOf(isLast || kept !== text ? `${kept}…` : kept, type) > width)
    kept = kept.slice(0, -1).toWellFormed()
  return isLast || kept !== text ? `${kept.replaceAll('\ufffd', '').trim()}…` : kept
}

/** How far apart lines stand, in ems. */
export const leading = 1.12

/** The room for a text: pixels, and how many lines it may take. */
export type TextRoom = { width: number; height: number; most: number }

/**
 * A text in lines, in the largest of the falling sizes that lets it fit; cut, with an ellipsis, at the last one.
 */
export const block = (
  text: string,
  type: Omit<Type, 'size'>,
  { width, height, most }: TextRoom,
  sizes: readonly [number, ...number[]],
): Block => {
  const words = printable(text.slice(0, 200), fontOf(type.font)).split(' ')
  for (const size of sizes) {
    const set = { ...type, size }
    const lines = broken(words, set, width)
    const isLow = lines.length <= most && lines.length * size * leading <= height
    const fits = isLow && lines.every(one => widthOf(one, set) <= width)
    if (fits) return { lines: evened(words, set, width, lines.length), type: set }
  }
  const set = { ...type, size: sizes.at(-1) ?? sizes[0] }
  const lines = broken(words, set, width).slice(0, most)
  return { lines: lines.map((one, n) => shortened(one, set, width, n === most - 1)), type: set }
}
