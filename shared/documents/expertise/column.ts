import { cutText, type Fitted, fitText, measureText } from '../typesetting/fit.ts'
import type { Sheet, Style } from '../typesetting/lines.ts'
import { texts, within } from '../typesetting/tags.ts'
import type { Item } from './content.ts'
import { styles } from './design.ts'

/** A text with its heading and a small note below. */
export type Entry = { head: Fitted | null; text: string; style: Style; tail: Fitted | null }

/** An entry with its measured body. */
export type Placed = Omit<Entry, 'text' | 'style'> & { body: Fitted }

/** The layout of a column: `beside` sets bodies next to their heads instead of below; `gap` separates entries. */
export type Column = { width: number; room: number; gap: number; scales: readonly number[]; beside: boolean }

const scaleStyle = (style: Style, scale: number): Style => ({ ...style, size: style.size * scale })
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const overheadOf = ({ head, tail }: Pick<Entry, 'head' | 'tail'>, { gap, beside }: Column) =>
  gap + (beside ? 0 : (head?.height ?? 0)) + (tail?.height ?? 0)

/** The height of an entry with the space below it. */
export const heightOf = (placed: Placed, column: Column): number => placed.body.height + overheadOf(placed, column)

const shrinkEntries = (sheet: Sheet, entries: readonly Entry[], column: Column, scale: number): Placed[] =>
  entries.map(({ text, style, ...rest }) => ({
    ...rest,
    body: measureText(sheet, text, scaleStyle(style, scale), column.width, column.room),
  }))

/** Cuts texts that do not fit: the shorter texts stay whole, the longer texts share the remaining height evenly. */
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

const isHeld = (placed: readonly Placed[], column: Column): boolean =>
  // Nothing follows the last entry.
  sum(placed.map(entry => heightOf(entry, column))) - column.gap <= column.room

export const holds = (sheet: Sheet, entries: readonly Entry[], column: Column, scale: number): boolean =>
  isHeld(shrinkEntries(sheet, entries, column, scale), column)

/** Sets all entries at the largest scale at which they fit whole; at the smallest, the longest are cut. */
export const arrange = (sheet: Sheet, entries: readonly Entry[], column: Column): Placed[] => {
  for (const scale of column.scales) {
    const placed = shrinkEntries(sheet, entries, column, scale)
    const isTorn = scale > 1 && placed.some(({ body }) => body.isBroken)
    if (!isTorn && isHeld(placed, column)) return placed
  }
  return cut(sheet, shrinkEntries(sheet, entries, column, column.scales.at(-1) ?? 1), column)
}

/** Spreads the entries of a column over its height, with gaps of at most `most`. */
export const spread = (placed: readonly Placed[], column: Column, most: number): Column => {
  const taken = sum(placed.map(entry => heightOf(entry, column))) - column.gap
  const each = (column.room - taken) / Math.max(placed.length - 1, 1)
  return { ...column, gap: Math.min(most, column.gap + Math.max(0, each)) }
}

/** A fact below or next to its label. */
export const factEntry = (
  sheet: Sheet,
  { label, value, strong, note }: Item,
  width: number,
  labelWidth: number,
): Entry => ({
  head: fitText(sheet, label.toLocaleUpperCase(sheet.locale), styles.label, labelWidth, 20, [6.8, 6, 5.2]),
  text: value,
  style: strong ? styles.price : styles.fact,
  tail: note ? measureText(sheet, note, styles.note, width) : null,
})

/** A text under its heading. */
export const chapterEntry = (sheet: Sheet, { label, value }: Item, width: number): Entry => ({
  head: fitText(sheet, label, styles.chapter, width, 22, [14, 12, 10]),
  text: value,
  style: styles.body,
  tail: null,
})

/** Draws a fact under its label. */
export const drawFact = (sheet: Sheet, { head, body, tail }: Placed, x: number, y: number): void =>
  within(sheet, 'LI', inner => {
    if (head) texts(inner, 'Lbl', { fitted: head, x, y })
    const top = y + (head?.height ?? 0)
    const below = tail ? [{ fitted: tail, x, y: top + body.height }] : []
    texts(inner, 'LBody', { fitted: body, x, y: top }, ...below)
  })

/** Draws a text under its heading. */
export const drawChapter = (sheet: Sheet, { head, body }: Placed, x: number, y: number): void => {
  if (head) texts(sheet, 'H2', { fitted: head, x, y })
  texts(sheet, 'P', { fitted: body, x, y: y + (head?.height ?? 0) })
}
