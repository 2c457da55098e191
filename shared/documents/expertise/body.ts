import type { Fitted } from '../typesetting/fit.ts'
import type { Sheet } from '../typesetting/lines.ts'
import { content as tagged, texts, within } from '../typesetting/tags.ts'
import {
  arrange,
  type Column,
  chapterEntry,
  drawChapter,
  drawFact,
  type Entry,
  factEntry,
  heightOf,
  holds,
  spread,
} from './column.ts'
import type { Item, SheetContent } from './content.ts'
import { colors, columns, contentWidth, page, rule, styles } from './design.ts'
import { drawPicture, pictureWidth, type SheetPicture } from './picture.ts'

/** The height of the body, from `top` to `end`. */
type Span = { top: number; end: number }

const factScales = [1.2, 1.1, 1, 0.95, 0.9, 0.85, 0.8, 0.72, 0.65]

/** Draws facts in the narrow column, one under the other, each under its label. */
const drawFacts = (sheet: Sheet, facts: readonly Item[], { top, end }: Span): void => {
  if (facts.length === 0) return
  const width = columns.side
  const column = { width, room: end - top, gap: 10, scales: factScales, beside: false }
  const entries = facts.map(fact => factEntry(sheet, fact, width, width))
  const placed = arrange(sheet, entries, column)
  const apart = spread(placed, column, 20)
  let at = top
  within(sheet, 'L', inner => {
    for (const fact of placed) {
      drawFact(inner, fact, page.left, at)
      at += heightOf(fact, apart)
    }
  })
}

const firstBaseline = ({ style }: Fitted) => style.size * (style.font === 'small' ? 1.024 : 1.007)

/** Draws facts as a table, with a rule under each row; `taken` points of the width belong to the picture. */
const drawTable = (sheet: Sheet, facts: readonly Item[], { top, end }: Span, taken: number): void => {
  const labelWidth = columns.mainLeft - page.left
  const width = columns.main - taken
  const column = { width, room: end - top, gap: 15, scales: [1.4, 1.25, 1.15, 1, 0.9, 0.8, 0.7], beside: true }
  const entries = facts.map(fact => factEntry(sheet, fact, width, labelWidth - 12))
  const placed = arrange(sheet, entries, column)
  const apart = spread(placed, column, 30)
  let at = top
  for (const fact of placed) {
    const { head, body, tail } = fact
    const label = at + firstBaseline(body) - (head ? firstBaseline(head) : 0)
    if (head) texts(sheet, 'P', { fitted: head, x: page.left, y: label })
    const below = tail ? [{ fitted: tail, x: columns.mainLeft, y: at + body.height }] : []
    texts(sheet, 'P', { fitted: body, x: columns.mainLeft, y: at }, ...below)
    at += heightOf(fact, apart)
    rule(sheet.doc, page.left, at - apart.gap / 2 + 1, contentWidth - taken, colors.line)
  }
}

const textScales = [1.4, 1.3, 1.2, 1.1, 1, 0.95, 0.9, 0.85, 0.8, 0.75]

const textColumn = ({ top, end }: Span, taken: number): Column => ({
  width: columns.main - taken,
  room: end - top,
  gap: 16,
  scales: textScales,
  beside: false,
})

const entriesOf = (sheet: Sheet, description: string | null, chapters: readonly Item[], width: number): Entry[] => [
  ...(description ? [{ head: null, text: description, style: styles.body, tail: null }] : []),
  ...chapters.map(chapter => chapterEntry(sheet, chapter, width)),
]

/** The wine's own texts, and as many others as fit with all texts in their full size. */
const fillColumn = (sheet: Sheet, { description, chapters, more }: SheetContent, column: Column): Entry[] => {
  const all = entriesOf(sheet, description, chapters, column.width)
  for (const other of entriesOf(sheet, null, more, column.width)) {
    if (holds(sheet, [...all, other], column, 1)) all.push(other)
  }
  return all
}

/** Draws description and chapters in the wide column, without the width of the picture. */
const drawTexts = (sheet: Sheet, content: SheetContent, span: Span, taken: number): void => {
  const column = textColumn(span, taken)
  let at = span.top
  for (const placed of arrange(sheet, fillColumn(sheet, content, column), column)) {
    drawChapter(sheet, placed, columns.mainLeft, at)
    at += heightOf(placed, column)
  }
}

const pictureHeights = [520, 450, 372, 300, 240] as const
const pictureRoom = 150
const pictureGap = 22

/** Returns the tallest area for a picture with which the wine's own texts keep their full size, else the smallest area. */
const placeOf = (sheet: Sheet, content: SheetContent, span: Span, picture: SheetPicture) => {
  const room = span.end - span.top
  const places = pictureHeights.filter(height => height <= room).map(height => ({ width: pictureRoom, height }))
  const isFree = (place: { width: number; height: number }) => {
    const column = textColumn(span, pictureWidth(picture, place) + pictureGap)
    return holds(sheet, entriesOf(sheet, content.description, content.chapters, column.width), column, 1)
  }
  return places.find(isFree) ?? { width: pictureRoom, height: Math.min(240, room) }
}

/**
 * Draws facts, texts and picture, each within its column. The picture is at the right,
 * the rest to the left of it.
 */
export const drawBody = (sheet: Sheet, content: SheetContent, span: Span, picture?: SheetPicture): void => {
  const { description, chapters, more, facts } = content
  const place = picture && { right: page.right, top: span.top, ...placeOf(sheet, content, span, picture) }
  const taken = picture && place ? pictureWidth(picture, place) + pictureGap : 0
  if (description === null && chapters.length === 0 && more.length === 0) drawTable(sheet, facts, span, taken)
  else {
    drawFacts(sheet, facts, span)
    drawTexts(sheet, content, span, taken)
  }
  if (picture && place) tagged(sheet, 'Figure', () => drawPicture(sheet.doc, picture, place), { alt: content.name })
}
