import { runsOf } from '../../media/letters/faces.ts'
import { isRightToLeft, type Piece, piecesOf } from '../../media/letters/visual.ts'
import { type Lines, linesOf, runWidth, type Sheet, type Style } from './lines.ts'

/** Text ready to be drawn: it takes `height` points when set in `style` over `width` points. */
export type Fitted = Lines & { text: string; style: Style; width: number; height: number }

const tolerance = 0.01

const lineHeight = (doc: PDFKit.PDFDocument, { font, size }: Style): number =>
  doc.font(font).fontSize(size).currentLineHeight(true)

type OpenFont = { _font: { ascender: number } }

/** The distance in points from the top of a line to that of its letters. */
const ascentOf = (doc: PDFKit.PDFDocument, { font, size }: Style): number =>
  // pdfkit's types hide it.
  ((doc.font(font) as unknown as OpenFont)._font.ascender / 1000) * size

const stepOf = (doc: PDFKit.PDFDocument, style: Style): number =>
  lineHeight(doc, style) + (style.lineGap ?? 0) * style.size

const paragraphStep = ({ paragraphGap, size }: Style) => (paragraphGap ?? 0) * size

/**
 * Measures text without cutting it. With a maximum height, measuring stops when the text is higher.
 */
export const measureText = (
  sheet: Sheet,
  text: string,
  style: Style,
  width: number,
  room = Number.POSITIVE_INFINITY,
): Fitted => {
  const base = { text, style, width }
  if (!text) return { ...base, height: 0, lines: [], taken: 0, isBroken: false }
  const step = stepOf(sheet.doc, style)
  const set = linesOf(sheet, text, style, width, Math.ceil(Math.max(room, 0) / step) + 2)
  const { lines } = set
  const paragraphs = lines.filter(({ from }) => from === 0).length
  // No gap after the last line.
  const height = lines.length * step + (paragraphs - 1) * paragraphStep(style) - (style.lineGap ?? 0) * style.size
  return { ...base, lines, taken: set.taken, isBroken: set.isBroken, height }
}

/** Width in points of the text set in one line. */
export const lineWidth = (sheet: Sheet, text: string, style: Style): number => {
  const tracking = (style.tracking ?? 0) * Math.max(0, text.length - 1)
  const ems = runsOf(sheet.faceOf, text, style.font).reduce((sum, run) => sum + runWidth(sheet, run), 0)
  return ems * style.size + tracking
}

const ellipsis = '…'

/** Thrown when a drawing exceeds its limit of measured characters. */
export class TooMuchMeasured extends Error {}

/** Makes a document throw TooMuchMeasured when its measured texts have more than `most` characters. */
export const limitMeasuring = (doc: PDFKit.PDFDocument, most: number): void => {
  const measure = doc.widthOfString.bind(doc)
  let measured = 0
  doc.widthOfString = (text, options) => {
    measured += text.length
    if (measured > most) throw new TooMuchMeasured()
    return measure(text, options)
  }
}

const isLoose = (sign: string): boolean => /[\s,;:–-]/.test(sign)

const cutAt = (text: string, end: number, granularity: Granularity) => {
  let last = Math.min(end, text.length)
  while (last > 0 && isLoose(text.charAt(last - 1))) last--
  if (last === 0) return ''
  return text.slice(0, last) + (granularity === 'sentence' ? ` ${ellipsis}` : ellipsis)
}

type Granularity = 'sentence' | 'word' | 'grapheme'

const longestCut = (text: string, granularity: Granularity, locale: string, fits: (text: string) => boolean) => {
  const segments = new Intl.Segmenter(locale, { granularity }).segment(text)
  const ends = Array.from(segments, ({ index, segment }) => index + segment.length)
  const cut = (count: number) => cutAt(text, ends[count - 1] ?? 0, granularity)
  let [fitting, tooMany] = [0, ends.length]
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1
    if (fits(cut(middle))) fitting = middle
    else tooMany = middle
  }
  return cut(fitting)
}

/**
 * Returns the text cut to `room` points of height, with an ellipsis: after a sentence, or, if that would leave more than
 * half of the height unused, after a word. Empty if not even one character fits.
 */
export const cutText = (sheet: Sheet, text: string, style: Style, width: number, room: number): Fitted => {
  const measureCandidate = (candidate: string) => measureText(sheet, candidate, style, width, room)
  const fits = (candidate: string) => measureCandidate(candidate).height <= room + tolerance
  const whole = measureCandidate(text)
  if (whole.height <= room + tolerance) return whole
  // More cannot fit, so the remaining words are not read.
  const begun = text.slice(0, whole.taken).replace(/[\ud800-\udbff]$/, '')
  const longest = (granularity: Granularity) => longestCut(begun, granularity, sheet.locale, fits)
  const [sentences, words] = [longest('sentence'), longest('word')]
  const chosen = sentences.length * 2 >= words.length ? sentences : words
  return measureCandidate(chosen || longest('grapheme'))
}

/** Returns the text in the first of the descending sizes at which it fits whole; cut at the last size. */
export const fitText = (
  sheet: Sheet,
  text: string,
  style: Style,
  width: number,
  room: number,
  sizes: readonly number[],
): Fitted => {
  for (const size of sizes) {
    const fitted = measureText(sheet, text, { ...style, size }, width, room)
    if (fitted.height <= room + tolerance && !fitted.isBroken) return fitted
  }
  return cutText(sheet, text, { ...style, size: sizes.at(-1) ?? style.size }, width, room)
}

const drawPiece = ({ doc }: Sheet, { text, face, level }: Piece, style: Style, x: number, baseline: number) => {
  const isTurned = level % 2 === 1
  // Letters that join would be torn by tracking.
  const set = {
    lineBreak: false,
    baseline: 'alphabetic',
    characterSpacing: isTurned ? 0 : (style.tracking ?? 0),
  } as const
  doc.font(face).fontSize(style.size).fillColor(style.color).text(text, x, baseline, set)
}

const pieceWidth = (sheet: Sheet, { text, face, level }: Piece, { size, tracking }: Style) =>
  text.split(/(?<= )/).reduce((sum, word) => sum + runWidth(sheet, { text: word, face }), 0) * size +
  (level % 2 === 1 ? 0 : (tracking ?? 0)) * text.length

const drawLine = (
  sheet: Sheet,
  line: Lines['lines'][number],
  { style, width }: Fitted,
  x: number,
  baseline: number,
) => {
  const { pieces, order } = piecesOf(sheet.faceOf, line, style.font)
  const isRight = style.align === 'right' || (style.align === 'start' && isRightToLeft(line.paragraph))
  const starts: number[] = []
  let at = isRight ? x + width - line.width : x
  for (const place of order) {
    const piece = pieces[place]
    if (!piece) continue
    starts[place] = at
    if (pieces.length > 1) at += pieceWidth(sheet, piece, style)
  }
  for (const [place, piece] of pieces.entries()) {
    if (piece.text.trim()) drawPiece(sheet, piece, style, starts[place] ?? x, baseline)
  }
}

/** Draws fitted text with its upper left corner at x, y. */
export const drawText = (sheet: Sheet, fitted: Fitted, x: number, y: number): void => {
  const { doc } = sheet
  const { style, lines } = fitted
  if (lines.length === 0) return
  const step = stepOf(doc, style)
  const ascent = ascentOf(doc, style)
  let at = y
  for (const [n, line] of lines.entries()) {
    if (n > 0) at += step + (line.from === 0 ? paragraphStep(style) : 0)
    drawLine(sheet, line, fitted, x, at + ascent)
  }
}
