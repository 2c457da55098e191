import { type Fitted, fitText } from '../typesetting/fit.ts'
import type { Sheet } from '../typesetting/lines.ts'
import { type QrCode, qrCodeOf } from '../typesetting/qr-code.ts'
import { content as tagged, texts, within } from '../typesetting/tags.ts'
import type { SheetContent } from './content.ts'
import { colors, columns, contentWidth, page, rule, styles } from './design.ts'

// Above the footer, below the body of the sheet: the facts that the law demands of a wine.

const padding = 9
const highest = 200
const sizes = [8, 7.4, 6.8, 6.2, 5.6, 5]

type Cell = { x: number; parts: Fitted[] }

const heightOf = (cell: Cell) => cell.parts.reduce((sum, { height }) => sum + height + 2, 0)

// Two centimetres, with the room to the left that a code needs.
const codeSide = 56.7
const codeGap = 14

/** The QR code of the label, with the text of its link for screen readers. */
type Code = QrCode & { url: string }

/** The facts as measured cells, and the height of the strip; 0 for a wine without facts. */
export type Strip = { cells: Cell[]; code: Code | null; height: number }

/** Measures the facts of a wine. */
export const stripOf = (sheet: Sheet, { factTexts, labelUrl }: SheetContent): Strip => {
  const { ingredients = null, nutrition = null } = factTexts ?? {}
  const label = (text: string, width: number) =>
    fitText(sheet, text.toLocaleUpperCase(sheet.locale), styles.label, width, 10, [6.8, 6, 5.2])
  const body = (text: string, width: number) => fitText(sheet, text, styles.small, width, highest, sizes)
  const left = nutrition && [
    label(nutrition.label, columns.side),
    fitText(sheet, nutrition.energy, styles.energy, columns.side, 14, [10.5, 9.5, 8.5]),
    ...(nutrition.value ? [body(nutrition.value, columns.side)] : []),
  ]
  // The law wants the word "ingredients" as the heading of the code.
  const code = ingredients && labelUrl ? { ...qrCodeOf(labelUrl), url: labelUrl } : null
  const width = columns.main - (code ? codeSide + codeGap : 0)
  const right = ingredients && [label(ingredients.label, width), body(ingredients.value, width)]
  const cells = [
    ...(left ? [{ x: page.left, parts: left }] : []),
    ...(right ? [{ x: left ? columns.mainLeft : page.left, parts: right }] : []),
  ]
  const highestPart = Math.max(0, ...cells.map(heightOf), ...(code ? [codeSide] : []))
  return { cells, code, height: cells.length > 0 ? highestPart + 2 * padding : 0 }
}

/** Draws a QR code; `alt` is its text for screen readers. */
export const drawCode = (
  sheet: Sheet,
  { side, runs }: QrCode,
  { x, y, width }: { x: number; y: number; width: number },
  alt: string,
): void => {
  const module = width / side
  const draw = () => {
    for (const { row, from, length } of runs)
      sheet.doc.rect(x + from * module, y + row * module, length * module, module)
    sheet.doc.fill(colors.ink)
  }
  tagged(sheet, 'Figure', draw, { alt })
}

/** Draws the strip above the footer. */
export const drawStrip = (sheet: Sheet, { cells, code, height }: Strip): void => {
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
  if (code) drawCode(sheet, code, { x: page.right - codeSide, y: top + padding, width: codeSide }, code.url)
}
