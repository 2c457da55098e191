import type { FontName } from '../fonts.ts'

/** How a piece of text is set: size and tracking in points, the extra gaps after lines and paragraphs in ems. */
export type Style = {
  font: FontName
  size: number
  color: string
  lineGap?: number
  paragraphGap?: number
  tracking?: number
  align?: 'left' | 'right'
}

/** Text ready to be drawn: it takes `height` points when set in `style` over `width` points. */
export type Fitted = { text: string; style: Style; width: number; height: number }

/** The document being drawn and the locale whose rules divide its text into sentences and words. */
export type Sheet = { doc: PDFKit.PDFDocument; locale: string }

const tolerance = 0.01

const options = ({ size, lineGap, paragraphGap, tracking, align }: Style, width: number) => ({
  width,
  lineGap: (lineGap ?? 0) * size,
  paragraphGap: (paragraphGap ?? 0) * size,
  characterSpacing: tracking ?? 0,
  align: align ?? 'left',
})

/** Measures text without cutting it. */
export const measureText = (doc: PDFKit.PDFDocument, text: string, style: Style, width: number): Fitted => {
  if (!text) return { text, style, width, height: 0 }
  doc.font(style.font).fontSize(style.size)
  const set = options(style, width)
  // No gap after the last line.
  const height = doc.heightOfString(text, set) - set.paragraphGap - set.lineGap
  return { text, style, width, height }
}

/** Width in points of the text set in one line. */
export const lineWidth = (doc: PDFKit.PDFDocument, text: string, style: Style): number =>
  doc
    .font(style.font)
    .fontSize(style.size)
    .widthOfString(text, { characterSpacing: style.tracking ?? 0 })

const holdsEveryWord = (doc: PDFKit.PDFDocument, { text, style, width }: Fitted) =>
  text.split(/\s+/).every(word => lineWidth(doc, word, style) <= width)

const ellipsis = '…'

/** The measuring of a drawing has come to more than it may. */
export class TooMuchMeasured extends Error {}

/** From now on a document throws TooMuchMeasured when the texts that it measured have more than so many characters. */
export const limitMeasuring = (doc: PDFKit.PDFDocument, most: number): void => {
  const measure = doc.widthOfString.bind(doc)
  let measured = 0
  doc.widthOfString = (text, options) => {
    measured += text.length
    if (measured > most) throw new TooMuchMeasured()
    return measure(text, options)
  }
}

// In ems: no letter in use is narrower, no line lower.
const narrowest = 0.16
const lowest = 1.1

/**
 * The beginning of a text that is more than a box can hold of the narrowest letters, or of its own ones, so that no time
 * is spent on breaking the rest into lines. A text that fits is whole.
 */
export const beginning = (doc: PDFKit.PDFDocument, text: string, style: Style, width: number, room: number): string => {
  const lines = Math.ceil(Math.max(room, 0) / (lowest * style.size))
  const most = lines * Math.ceil(width / (narrowest * style.size))
  let left = lines * width
  for (const { 0: word, index } of text.slice(0, most).matchAll(/[^ \n]+/g)) {
    left -= lineWidth(doc, word, style)
    if (left < 0) return text.slice(0, index + word.length) + ellipsis
  }
  return text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') + ellipsis : text
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
 * The text, shortened until it takes no more than `room` points of height: after a sentence, or, where that would waste
 * more than half of the room, after a word; an ellipsis marks the cut. Empty when not even one character fits.
 */
export const cutText = ({ doc, locale }: Sheet, text: string, style: Style, width: number, room: number): Fitted => {
  const fits = (candidate: string) => measureText(doc, candidate, style, width).height <= room + tolerance
  if (fits(text)) return measureText(doc, text, style, width)
  const longest = (granularity: Granularity) => longestCut(text, granularity, locale, fits)
  const [sentences, words] = [longest('sentence'), longest('word')]
  const chosen = sentences.length * 2 >= words.length ? sentences : words
  return measureText(doc, chosen || longest('grapheme'), style, width)
}

/** The text in the first of the falling sizes at which it stays whole and within the room; cut at the last one. */
export const fitText = (
  sheet: Sheet,
  text: string,
  style: Style,
  width: number,
  room: number,
  sizes: readonly number[],
): Fitted => {
  const smallest = { ...style, size: sizes.at(-1) ?? style.size }
  const most = beginning(sheet.doc, text, smallest, width, room)
  for (const size of sizes) {
    const fitted = measureText(sheet.doc, most, { ...style, size }, width)
    if (fitted.height <= room + tolerance && holdsEveryWord(sheet.doc, fitted)) return fitted
  }
  return cutText(sheet, most, smallest, width, room)
}

/** Draws fitted text with its upper left corner at x, y. */
export const drawText = (doc: PDFKit.PDFDocument, { text, style, width }: Fitted, x: number, y: number): void => {
  if (!text) return
  doc.font(style.font).fontSize(style.size).fillColor(style.color).text(text, x, y, options(style, width))
}
