import type { SheetContent } from './content.ts'
import { colors, columns, contentWidth, page, rule, styles } from './design.ts'
import { type Fitted, fitText } from './fit.ts'
import type { Sheet } from './lines.ts'
import { texts, within } from './tags.ts'

// Above the footer, below the body of the sheet: the facts that the law demands of a wine.

const padding = 9
const highest = 150
const sizes = [8, 7.4, 6.8, 6.2, 5.6, 5]

type Cell = { x: number; parts: Fitted[] }

const heightOf = (cell: Cell) => cell.parts.reduce((sum, { height }) => sum + height + 2, 0)

/** The facts as measured cells, and the height of the strip; 0 for a wine without facts. */
export type Strip = { cells: Cell[]; height: number }

/** Measures the facts of a wine. */
export const stripOf = (sheet: Sheet, { factTexts }: SheetContent): Strip => {
  const { ingredients = null, nutrition = null } = factTexts ?? {}
  const label = (text: string, width: number) =>
    fitText(sheet, text.toLocaleUpperCase(sheet.locale), styles.label, width, 10, [6.8, 6, 5.2])
  const body = (text: string, width: number) => fitText(sheet, text, styles.small, width, highest, sizes)
  const left = nutrition && [
    label(nutrition.label, columns.side),
    fitText(sheet, nutrition.energy, styles.energy, columns.side, 14, [10.5, 9.5, 8.5]),
    ...(nutrition.value ? [body(nutrition.value, columns.side)] : []),
  ]
  const right = ingredients && [label(ingredients.label, columns.main), body(ingredients.value, columns.main)]
  const cells = [
    ...(left ? [{ x: page.left, parts: left }] : []),
    ...(right ? [{ x: left ? columns.mainLeft : page.left, parts: right }] : []),
  ]
  return { cells, height: cells.length > 0 ? Math.max(...cells.map(heightOf)) + 2 * padding : 0 }
}

/** Draws the strip above the footer. */
export const drawStrip = (sheet: Sheet, { cells, height }: Strip): void => {
  if (height === 0) return
  const top = page.footer - height
  rule(sheet.doc, page.left, top, contentWidth, colors.line)
  within(sheet, 'L', inner => {
    for (const { x, parts } of cells) {
      let at = top + padding
      const standing = parts.map(fitted => {
        const y = at
        at += fitted.height + 2
        return { fitted, x, y }
      })
      within(inner, 'LI', item => texts(item, 'LBody', ...standing))
    }
  })
}
