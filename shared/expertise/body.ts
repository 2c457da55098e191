import type { Item, SheetContent } from './content.ts'
import { colors, columns, contentWidth, page, rule, styles } from './design.ts'
import type { Fitted, Sheet, Style } from './fit.ts'
import { cutText, drawText, fitText, measureText } from './fit.ts'
import type { Picture } from './picture.ts'

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
  for (const scale of column.scales) {
    const placed = shrunk(sheet, entries, column, scale)
    if (sum(placed.map(entry => heightOf(entry, column))) <= column.room) return placed
  }
  return cut(sheet, shrunk(sheet, entries, column, column.scales.at(-1) ?? 1), column)
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

const factScales = [1, 0.95, 0.9, 0.85, 0.8]

/** Draws facts one under the other, each under its label, in at most `room` points of height. */
const drawFacts = (sheet: Sheet, facts: readonly Item[], x: number, y: number, width: number, room: number) => {
  const column = { width, room, gap: 10, scales: factScales, beside: false }
  const entries = facts.map(fact => factEntry(sheet, fact, width, width))
  let at = y
  for (const placed of arrange(sheet, entries, column)) {
    drawEntry(sheet, placed, x, at)
    at += heightOf(placed, column)
  }
}

const firstBaseline = ({ style }: Fitted) => style.size * (style.font === 'small' ? 1.024 : 1.007)

/** Draws facts as a table with a rule under each row, in the area from x, y to the right margin and `end`. */
const drawTable = (sheet: Sheet, facts: readonly Item[], x: number, y: number, end: number, labelWidth: number) => {
  const width = page.right - x - labelWidth
  const column = { width, room: end - y, gap: 15, scales: [1.15, 1, 0.9, 0.8], beside: true }
  let at = y
  for (const placed of arrange(
    sheet,
    facts.map(fact => factEntry(sheet, fact, width, labelWidth - 12)),
    column,
  )) {
    const { head, body, tail } = placed
    if (head) drawText(sheet.doc, head, x, at + firstBaseline(body) - firstBaseline(head))
    drawText(sheet.doc, body, x + labelWidth, at)
    if (tail) drawText(sheet.doc, tail, x + labelWidth, at + body.height)
    at += heightOf(placed, column)
    rule(sheet.doc, x, at - column.gap / 2 + 1, page.right - x, colors.line)
  }
}

const chapterEntry = (sheet: Sheet, { label, value }: Item): Entry => ({
  head: fitText(sheet, label, styles.chapter, columns.main, 22, [14, 12, 10]),
  text: value,
  style: styles.body,
  tail: null,
})

/** Draws description and chapters in the wide column. */
const drawTexts = (sheet: Sheet, { description, chapters }: SheetContent, y: number, room: number) => {
  const column = {
    width: columns.main,
    room,
    gap: 16,
    scales: [1, 0.95, 0.9, 0.85, 0.8],
    beside: false,
  }
  const lead: Entry[] = description ? [{ head: null, text: description, style: styles.body, tail: null }] : []
  let at = y
  for (const placed of arrange(sheet, [...lead, ...chapters.map(chapter => chapterEntry(sheet, chapter))], column)) {
    drawEntry(sheet, placed, columns.mainLeft, at)
    at += heightOf(placed, column)
  }
}

/** Draws the picture at the top of the narrow column, no higher than `room`. */
const drawPicture = ({ doc }: Sheet, { image, aspect }: Picture, y: number, room: number) =>
  doc.image(image, page.left, y, { fit: [columns.side, Math.min(room, columns.side / aspect)], align: 'center' })

const grid = { count: 3, gap: 28, width: (contentWidth - 2 * 28) / 3 }

const naturalHeights = (sheet: Sheet, facts: readonly Item[]) => {
  const column = { width: grid.width, room: Number.POSITIVE_INFINITY, gap: 10, scales: [1], beside: false }
  const entries = facts.map(fact => factEntry(sheet, fact, grid.width, grid.width))
  return arrange(sheet, entries, column).map(entry => heightOf(entry, column))
}

// One long value must not push all other facts into the remaining columns: it will be cut anyway.
const longestFact = 100

/** Splits facts, in their order, into three columns of heights as equal as can be. */
const splitEvenly = (heights: readonly number[]): [number, number] => {
  const capped = heights.map(height => Math.min(height, longestFact))
  const tallest = (first: number, second: number) =>
    Math.max(sum(capped.slice(0, first)), sum(capped.slice(first, second)), sum(capped.slice(second)))
  const splits = heights.flatMap((_, first) =>
    heights.slice(first).map((_, rest): [number, number] => [first + 1, first + rest + 1]),
  )
  return splits.toSorted((a, b) => tallest(...a) - tallest(...b))[0] ?? [0, 0]
}

/** Draws facts in three columns that end at the foot of the body; answers where they begin. */
const drawGrid = (sheet: Sheet, facts: readonly Item[], mostRoom: number): number => {
  const heights = naturalHeights(sheet, facts)
  const [first, second] = splitEvenly(heights)
  const groups = [facts.slice(0, first), facts.slice(first, second), facts.slice(second)]
  const natural = Math.max(sum(heights.slice(0, first)), sum(heights.slice(first, second)), sum(heights.slice(second)))
  const room = Math.min(natural, mostRoom)
  const top = page.bodyEnd - room
  rule(sheet.doc, page.left, top - 14, contentWidth, colors.line)
  for (const [index, group] of groups.entries()) {
    drawFacts(sheet, group, page.left + index * (grid.width + grid.gap), top, grid.width, room)
  }
  return top - 14
}

const drawFactsAlone = (sheet: Sheet, facts: readonly Item[], picture: Picture | null, y: number) => {
  if (picture) drawPicture(sheet, picture, y, tallestPicture)
  const [x, labelWidth] = picture ? [columns.mainLeft, contentWidth / 5] : [page.left, columns.side + columns.gap]
  drawTable(sheet, facts, x, y, page.bodyEnd, labelWidth)
}

const tallestPicture = 360

/** Draws picture, facts and texts between height y and the footer; nothing of it grows beyond its column. */
export const drawBody = (sheet: Sheet, content: SheetContent, picture: Picture | null, y: number): void => {
  const { description, chapters, facts } = content
  const room = page.bodyEnd - y
  if (description === null && chapters.length === 0) {
    drawFactsAlone(sheet, facts, picture, y)
    return
  }
  if (!picture) {
    drawFacts(sheet, facts, page.left, y, columns.side, room)
    drawTexts(sheet, content, y, room)
    return
  }
  const upper = drawGrid(sheet, facts, room / 2) - 22 - y
  drawPicture(sheet, picture, y, Math.min(upper, tallestPicture))
  drawTexts(sheet, content, y, upper)
}
