import { fitText, lineWidth } from '../typesetting/fit.ts'
import type { Sheet } from '../typesetting/lines.ts'
import { decoration, texts, within } from '../typesetting/tags.ts'
import type { Item, SheetContent } from './content.ts'
import { colors, contentWidth, page, rule, styles } from './design.ts'

const capitals = (text: string, { locale }: Sheet) => text.toLocaleUpperCase(locale)

const drawMark = (sheet: Sheet, text: string, right: number, y: number) => {
  const { doc } = sheet
  const padding = 6
  const fitted = fitText(sheet, capitals(text, sheet), styles.mark, 120, 10, [styles.mark.size])
  const width = Math.min(lineWidth(sheet, fitted.text, styles.mark), 120) + 2 * padding
  decoration(doc, () => {
    doc
      .roundedRect(right - width, y - 3.2, width, 15, 7.5)
      .lineWidth(0.6)
      .strokeColor(colors.wine)
      .stroke()
  })
  texts(sheet, 'P', { fitted, x: right - width + padding, y })
  return right - width - 6
}

const drawEyebrow = (sheet: Sheet, { eyebrow, marks }: SheetContent, y: number) => {
  let right: number = page.right
  for (const mark of marks.toReversed()) right = drawMark(sheet, mark, right, y)
  const width = Math.max(right - page.left - 12, 60)
  const line = fitText(sheet, capitals(eyebrow, sheet), styles.eyebrow, width, 12, [8, 7, 6])
  texts(sheet, 'P', { fitted: line, x: page.left, y })
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')

const nameSizes = [36, 32, 28, 24, 21, 18, 16]

// The distance of the serif's capitals from its upper edge, in ems.
const capitalTop = 0.357

const drawName = (sheet: Sheet, { name, vintage }: SheetContent, y: number) => {
  const widest = vintage ? lineWidth(sheet, vintage, styles.vintage) : 0
  const taken = Math.min(widest, 110) + (vintage ? 26 : 0)
  const title = fitText(sheet, oneLine(name), styles.name, contentWidth - taken, 104, nameSizes)
  texts(sheet, 'H1', { fitted: title, x: page.left, y })
  if (!vintage) return y + title.height
  const sizes = nameSizes.filter(size => size <= Math.max(title.style.size, 24))
  const year = fitText(sheet, vintage, styles.vintage, 110, 50, sizes)
  const below = (title.style.size - year.style.size) * capitalTop
  texts(sheet, 'P', { fitted: year, x: page.right - year.width, y: y + below })
  return y + Math.max(title.height, year.height)
}

const drawCell = (sheet: Sheet, { label, value }: Item, x: number, y: number, width: number) => {
  const figure = fitText(sheet, value, styles.figure, width, 22, [16.5, 15, 13.5, 12, 10.5, 9])
  const heading = fitText(sheet, capitals(label, sheet), styles.label, width, 10, [6.8, 6.2, 5.6, 5])
  within(sheet, 'LI', inner => {
    texts(inner, 'LBody', { fitted: figure, x, y: y + 21.5 - figure.height })
    texts(inner, 'Lbl', { fitted: heading, x, y: y + 24 })
  })
}

const bandHeight = 58

/** Draws the analysis as a band of figures under a rule at height y (the rule only if empty). Returns the y of its end. */
export const drawAnalysis = (sheet: Sheet, analysis: readonly Item[], y: number): number => {
  rule(sheet.doc, page.left, y, contentWidth, colors.wine, 0.9)
  if (analysis.length === 0) return y
  const width = contentWidth / Math.max(analysis.length, 3)
  const gap = 14
  within(sheet, 'L', inner => {
    for (const [index, item] of analysis.entries()) {
      drawCell(inner, item, page.left + index * width, y + 10, width - gap)
    }
  })
  rule(sheet.doc, page.left, y + bandHeight, contentWidth, colors.line)
  return y + bandHeight
}

/** Draws name, origin and producer of the wine. Returns the y of its end. */
export const drawHeader = (sheet: Sheet, content: SheetContent): number => {
  drawEyebrow(sheet, content, page.top)
  const nameEnd = drawName(sheet, content, page.top + 17)
  if (!content.producer) return nameEnd + 16
  const producer = fitText(sheet, oneLine(content.producer), styles.producer, contentWidth, 40, [16, 14.5, 13, 11.5])
  texts(sheet, 'P', { fitted: producer, x: page.left, y: nameEnd + 3 })
  return nameEnd + 3 + producer.height + 18
}
