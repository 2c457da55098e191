import type { Style } from '../typesetting/lines.ts'
import { decoration } from '../typesetting/tags.ts'

/** Positions on the A4 page, in points from its upper left corner. */
export const page = { left: 56, right: 539.28, top: 60, bodyEnd: 764, footer: 786 } as const

/** Width of the printed area in points. */
export const contentWidth = page.right - page.left

/** The narrow column at the left (facts) and the wide column at the right (texts). */
export const columns = { side: 150, gap: 34, main: contentWidth - 150 - 34, mainLeft: page.left + 150 + 34 } as const

export const colors = { ink: '#262120', wine: '#7b1e36', grey: '#7d746d', line: '#d8d0c8' } as const

const label: Style = { font: 'small', size: 6.8, color: colors.grey, tracking: 0.65 }

/** The type styles of the sheet at their full size. */
export const styles = {
  eyebrow: { font: 'small', size: 8, color: colors.wine, tracking: 1.7 },
  mark: { font: 'small', size: 6.8, color: colors.wine, tracking: 1.3 },
  name: { font: 'text', size: 36, color: colors.ink, lineGap: -0.14 },
  vintage: { font: 'text', size: 36, color: colors.wine, align: 'right' },
  producer: { font: 'italic', size: 16, color: colors.grey },
  label,
  figure: { font: 'text', size: 16.5, color: colors.ink },
  fact: { font: 'text', size: 11, color: colors.ink, hyphens: 1 },
  price: { font: 'text', size: 19, color: colors.wine },
  energy: { font: 'text', size: 10.5, color: colors.ink },
  small: { font: 'small', size: 8, color: colors.ink, lineGap: 0.1, hyphens: 0.18 },
  note: { font: 'small', size: 7.4, color: colors.grey },
  chapter: { font: 'italic', size: 14, color: colors.wine },
  body: {
    font: 'text',
    size: 11.8,
    color: colors.ink,
    lineGap: 0.13,
    paragraphGap: 0.42,
    align: 'start',
    hyphens: 0.18,
  },
  merchant: { font: 'small', size: 8, color: colors.ink },
  footer: { font: 'small', size: 7.4, color: colors.grey },
} as const satisfies Record<string, Style>

/** Draws a horizontal rule at height y. */
export const rule = (doc: PDFKit.PDFDocument, x: number, y: number, width: number, color: string, weight = 0.5): void =>
  decoration(doc, () => {
    doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(weight)
      .strokeColor(color)
      .stroke()
  })
