import { colors, contentWidth, page as sheetPage } from '../../expertise/design.ts'
import type { Style } from '../../typesetting/lines.ts'

/** Positions on the A4 page, in points from its upper left corner; the address fits the window of an envelope (DIN 5008 B). */
export const page = {
  ...sheetPage,
  top: 52,
  address: 134,
  facts: 134,
  title: 258,
  next: 96,
  bodyEnd: 738,
  footer: 762,
} as const

export { colors, contentWidth }

const cell: Style = { font: 'small', size: 9.4, color: colors.ink }

/** The type styles of invoices and delivery notes. */
export const styles = {
  sender: { font: 'text', size: 19, color: colors.wine },
  back: { font: 'small', size: 6.8, color: colors.grey },
  address: { font: 'text', size: 12, color: colors.ink },
  label: { font: 'small', size: 8, color: colors.grey },
  fact: cell,
  title: { font: 'text', size: 25, color: colors.ink },
  subtitle: { font: 'italic', size: 13, color: colors.grey },
  head: { font: 'small', size: 7.4, color: colors.grey, tracking: 0.4 },
  headRight: { font: 'small', size: 7.4, color: colors.grey, tracking: 0.4, align: 'right' },
  item: { font: 'text', size: 11.6, color: colors.ink },
  detail: { font: 'small', size: 8, color: colors.grey },
  cell,
  amount: { ...cell, align: 'right' },
  carried: { ...cell, color: colors.grey },
  carriedAmount: { ...cell, color: colors.grey, align: 'right' },
  total: { font: 'text', size: 14.5, color: colors.wine },
  totalAmount: { font: 'text', size: 14.5, color: colors.wine, align: 'right' },
  note: { font: 'small', size: 9, color: colors.ink, lineGap: 0.1, align: 'start' },
  hint: { font: 'small', size: 8, color: colors.grey },
  footer: { font: 'small', size: 7.2, color: colors.grey },
  footerRight: { font: 'small', size: 7.2, color: colors.grey, align: 'right' },
} as const satisfies Record<string, Style>
