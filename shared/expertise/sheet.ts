import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Wine } from '../contract/records/wine.ts'
import { registerFonts } from '../fonts.ts'
import { drawBody } from './body.ts'
import { cleanAll } from './clean.ts'
import type { Details, SheetContent } from './content.ts'
import { sheetContent, withoutTexts } from './content.ts'
import { colors, contentWidth, page, rule, styles } from './design.ts'
import type { Sheet } from './fit.ts'
import { drawText, fitText, limitMeasuring, TooMuchMeasured } from './fit.ts'
import { drawAnalysis, drawHeader } from './header.ts'
import { languageOf, localeOf } from './labels.ts'
import { momentOf } from './numbers.ts'
import type { SheetPicture } from './picture.ts'

export type { Details, Merchant } from './content.ts'
export { templateVersion } from './template.ts'

/** What is drawn besides the wine's record. */
type Drawn = Details & { picture?: SheetPicture | undefined }

const newDocument = (wine: Wine, { merchant }: Details) => {
  const changed = momentOf(wine.chstamp)
  return new PDFDocument({
    size: 'A4',
    margin: 0,
    // No default font: pdfkit would look for Helvetica's metrics, which a bundle does not carry.
    font: '',
    lang: languageOf(wine),
    displayTitle: true,
    // From 1.4 on pdfkit writes XMP metadata too, in which it does not escape an ampersand.
    pdfVersion: '1.3',
    // pdfkit derives the file's ID from these entries, so fixed dates make the whole file repeatable.
    info: {
      Title: wine.vintage ? `${wine.name} ${wine.vintage}` : wine.name,
      ...(merchant ? { Author: merchant.name } : {}),
      Producer: 'Weinkontor',
      Creator: 'Weinkontor',
      CreationDate: changed,
      ModDate: changed,
    },
  })
}

const drawFooter = (sheet: Sheet, { merchant, asOf }: SheetContent) => {
  const { doc } = sheet
  rule(doc, page.left, page.footer, contentWidth, colors.line)
  const date = fitText(sheet, asOf, { ...styles.footer, align: 'right' }, 140, 10, [7.4, 6.5])
  drawText(doc, date, page.right - date.width, page.footer + 9)
  if (!merchant) return
  const width = contentWidth - date.width - 16
  drawText(doc, fitText(sheet, merchant.name, styles.merchant, width, 11, [8, 7, 6]), page.left, page.footer + 8.4)
  const contact = fitText(sheet, merchant.contact, styles.footer, width, 10, [7.4, 6.8, 6.2])
  drawText(doc, contact, page.left, page.footer + 19.4)
}

const draw = (wine: Wine, details: Drawn, contentOf: (content: SheetContent) => SheetContent, most: number) => {
  const doc = newDocument(wine, details)
  const glyphs = registerFonts(doc)
  const printable = (codePoint: number) => glyphs.text(codePoint) && glyphs.italic(codePoint) && glyphs.small(codePoint)
  const { picture, ...texts } = details
  const content = contentOf(sheetContent(cleanAll(wine, printable), cleanAll(texts, printable)))
  const sheet = { doc, locale: localeOf(content.language) }
  limitMeasuring(doc, most)
  const bandTop = drawHeader(sheet, content)
  const bodyTop = drawAnalysis(sheet, content.analysis, bandTop) + 24
  drawBody(sheet, content, bodyTop, picture)
  drawFooter(sheet, content)
  doc.end()
  return buffer(doc)
}

// Counted in work, not in time, so that a wine's sheet is the same on a busy machine.
const mostMeasured = 250_000

/**
 * Draws the expertise sheet of a wine: one A4 page as a PDF, byte for byte the same for the same wine and details.
 * Characters the fonts lack are dropped, texts too long for the page end in an ellipsis. Where measuring comes to more
 * than `most` characters, the sheet is one without texts.
 */
export const drawSheet = async (wine: Wine, details: Drawn = {}, most = mostMeasured): Promise<Buffer> => {
  try {
    return await draw(wine, details, whole => whole, most)
  } catch (error) {
    if (!(error instanceof TooMuchMeasured)) throw error
    return draw(wine, details, withoutTexts, Number.POSITIVE_INFINITY)
  }
}
