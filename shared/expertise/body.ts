import type { Item, SheetContent } from './content.ts'
import { colors, columns, contentWidth, page, rule, styles } from './design.ts'
import type { Fitted, Sheet, Style } from './fit.ts'
import { beginning, cutText, drawText, fitText, measureText } from './fit.ts'
import { drawPicture, type SheetPicture } from './picture.ts'

type Entry = { head: Fitted | null; text: string; style: Style; tail: Fitted | null }
type Placed = Omit<Entry, 'text' | 'style'> & { body: Fitted }
/** How the entries of a column stand: under their heads or beside them, and how far apart. */
type Column = { width: number; room: number; gap: number; scales: readonly number[]; beside: boolean }

const scaled = (style: Style, scale: number): Style => ({ ...style, size: style.size * scale })
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const overheadOf = ({ head, tail }: Pick<Entry, 'head' | 'tail'>, { gap, beside }: Column) =>
  gap + (beside ? 0 : (head?.height ?? 0)) + (tail?.height ?? 0)

const heightOf = (placed: Placed, column: Column) => placed.body.height + overheadOf(placed, column)

const shrunk = (sheet: Sheet, entries: readonly Entry[], column: Column, scale: number): Placed[] =>
  entries.map(({ head, tail, text, style }) => ({
    head,
    tail,
    body: measureText(sheet.doc, text, scaled(style, scale), column.width),
  }))

/** Cuts the texts that do not fit: the shorter ones first take what they need, the longer ones share the rest evenly. */
const cut = (sheet: Sheet, placed: readonly Placed[], column: Column): Placed[] => {
  let left = column.room - sum(placed.map(entry => overheadOf(entry, column)))
  const fitted = new Map<Placed, Fitted>()
  for (const entry of placed.toSorted((a, b) => a.body.height - b.body.height)) {
    const { text, style } = entry.body
    const body = cutText(sheet, text, style, column.width, left / (placed.length - fitted.size))
    fitted.set(entry, body)
    left -= body.height
  }
  return placed
    .map(entry => ({ ...entry, body: fitted.get(entry) ?? entry.body }))
    .filter(({ body }) => body.text !== '')
}

/** Sets all entries at the largest scale at which the column holds them whole; at the smallest, the longest are cut. */
const arrange = (sheet: Sheet, entries: readonly Entry[], column: Column): Placed[] => {
  const smallest = column.scales.at(-1) ?? 1
  const begun = entries.map(entry => {
    const { text, style } = entry
    return { ...entry, text: beginning(sheet.doc, text, scaled(style, smallest), column.width, column.room) }
  })
  for (const scale of column.scales) {
    const placed = shrunk(sheet, begun, column, scale)
    if (sum(placed.map(entry => heightOf(entry, column))) <= column.room) return placed
  }
  return cut(sheet, shrunk(sheet, begun, column, smallest), column)
}

const factEntry = (sheet: Sheet, { label, value, strong, note }: Item, width: number, labelWidth: number): Entry => ({
  head: fitText(sheet, label.toLocaleUpperCase(sheet.locale), styles.label, labelWidth, 20, [6.8, 6, 5.2]),
  text: value,
  style: strong ? styles.price : styles.fact,
  tail: note ? measureText(sheet.doc, note, styles.note, width) : null,
})

const drawEntry = (sheet: Sheet, { head, body, tail }: Placed, x: number, y: number) => {
  let at = y
  if (head) drawText(sheet.doc, head, x, at)
  at += head?.height ?? 0
  drawText(sheet.doc, body, x, at)
  at += body.height
  if (tail) drawText(sheet.doc, tail, x, at)
}

const textScales = [1, 0.95, 0.9, 0.85, 0.8]

/** Draws facts in the narrow column, one under the other, each under its label. */
const drawFacts = (sheet: Sheet, facts: readonly Item[], y: number) => {
  const width = columns.side
  const column = { width, room: page.bodyEnd - y, gap: 10, scales: textScales, beside: false }
  const entries = facts.map(fact => factEntry(sheet, fact, width, width))
  let at = y
  for (const placed of arrange(sheet, entries, column)) {
    drawEntry(sheet, placed, page.left, at)
    at += heightOf(placed, column)
  }
}

const firstBaseline = ({ style }: Fitted) => style.size * (style.font === 'small' ? 1.024 : 1.007)

/** Draws facts as a table, with a rule under each row; so much of the page's width is taken by a picture. */
const drawTable = (sheet: Sheet, facts: readonly Item[], y: number, taken: number) => {
  const labelWidth = columns.mainLeft - page.left
  const column = {
    width: columns.main - taken,
    room: page.bodyEnd - y,
    gap: 15,
    scales: [1.15, 1, 0.9, 0.8],
    beside: true,
  }
  const entries = facts.map(fact => factEntry(sheet, fact, column.width, labelWidth - 12))
  let at = y
  for (const placed of arrange(sheet, entries, column)) {
    const { head, body, tail } = placed
    if (head) drawText(sheet.doc, head, page.left, at + firstBaseline(body) - firstBaseline(head))
    drawText(sheet.doc, body, columns.mainLeft, at)
    if (tail) drawText(sheet.doc, tail, columns.mainLeft, at + body.height)
    at += heightOf(placed, column)
    rule(sheet.doc, page.left, at - column.gap / 2 + 1, contentWidth - taken, colors.line)
  }
}

const chapterEntry = (sheet: Sheet, { label, value }: Item, width: number): Entry => ({
  head: fitText(sheet, label, styles.chapter, width, 22, [14, 12, 10]),
  text: value,
  style: styles.body,
  tail: null,
})

/** Draws description and chapters in the wide column, of which a picture takes so much. */
const drawTexts = (sheet: Sheet, { description, chapters }: SheetContent, y: number, taken: number) => {
  const column = { width: columns.main - taken, room: page.bodyEnd - y, gap: 16, scales: textScales, beside: false }
  const lead: Entry[] = description ? [{ head: null, text: description, style: styles.body, tail: null }] : []
  const entries = [...lead, ...chapters.map(chapter => chapterEntry(sheet, chapter, column.width))]
  let at = y
  for (const placed of arrange(sheet, entries, column)) {
    drawEntry(sheet, placed, columns.mainLeft, at)
    at += heightOf(placed, column)
  }
}

const pictureRoom = { width: 112, height: 372 } as const
const pictureGap = 22

/**
 * Draws facts, texts and picture between height y and the footer; nothing of it grows beyond its column. The picture
 * stands at the right, and what else there is beside it.
 */
export const drawBody = (sheet: Sheet, content: SheetContent, y: number, picture?: SheetPicture): void => {
  const { description, chapters, facts } = content
  const place = { right: page.right, top: y, ...pictureRoom }
  const taken = picture ? drawPicture(sheet.doc, picture, place) + pictureGap : 0
  if (description === null && chapters.length === 0) {
    drawTable(sheet, facts, y, taken)
    return
  }
  drawFacts(sheet, facts, y)
  drawTexts(sheet, content, y, taken)
}
