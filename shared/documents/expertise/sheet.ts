import { buffer } from 'node:stream/consumers'
import type { Wine } from '../../contract/records/wine.ts'
import { cleanAll } from '../../media/letters/clean.ts'
import { openFaces } from '../typesetting/faces.ts'
import { fitText, limitMeasuring, TooMuchMeasured } from '../typesetting/fit.ts'
import { hyphenatorOf } from '../typesetting/hyphens.ts'
import type { Sheet } from '../typesetting/lines.ts'
import { openDocument } from '../typesetting/metadata.ts'
import { texts, within } from '../typesetting/tags.ts'
import { drawBody } from './body.ts'
import type { Details, SheetContent } from './content.ts'
import { sheetContent, withoutTexts } from './content.ts'
import { colors, contentWidth, page, rule, styles } from './design.ts'
import { drawAnalysis, drawHeader } from './header.ts'
import { languageOf, localeOf } from './labels.ts'
import { momentOf } from './numbers.ts'
import type { SheetPicture } from './picture.ts'
import { drawStrip, stripOf } from './strip.ts'

export type { Details, Merchant } from './content.ts'
export { templateVersion } from './template.ts'

/** The data besides the wine's record. */
type Drawn = Details & { picture?: SheetPicture | undefined }

const drawFooter = (sheet: Sheet, { merchant, asOf }: SheetContent) => {
  rule(sheet.doc, page.left, page.footer, contentWidth, colors.line)
  const date = fitText(sheet, asOf, { ...styles.footer, align: 'right' }, 140, 10, [7.4, 6.5])
  texts(sheet, 'P', { fitted: date, x: page.right - date.width, y: page.footer + 9 })
  if (!merchant) return
  const width = contentWidth - date.width - 16
  const name = fitText(sheet, merchant.name, styles.merchant, width, 11, [8, 7, 6])
  texts(sheet, 'P', { fitted: name, x: page.left, y: page.footer + 8.4 })
  const contact = fitText(sheet, merchant.contact, styles.footer, width, 20, [7.4, 6.8, 6.2])
  if (merchant.contact) texts(sheet, 'P', { fitted: contact, x: page.left, y: page.footer + 19.4 })
}

const draw = (
  wine: Wine,
  { picture, ...details }: Drawn,
  contentOf: (content: SheetContent) => SheetContent,
  most: number,
) => {
  const doc = openDocument({
    title: wine.vintage ? `${wine.name} ${wine.vintage}` : wine.name,
    author: details.merchant?.name,
    language: languageOf(wine),
    moment: momentOf(wine.chstamp),
  })
  const faceOf = openFaces(doc, JSON.stringify([wine, details]))
  const [cleanWine, cleanDetails] = cleanAll([wine, details] as const, faceOf)
  const content = contentOf(sheetContent(cleanWine, cleanDetails))
  const { language } = content
  const hyphenate = hyphenatorOf(language)
  const paper: Sheet = { doc, locale: localeOf(language), faceOf, hyphenate, widths: new Map() }
  limitMeasuring(doc, most)
  within(paper, 'Document', sheet => {
    const bandTop = drawHeader(sheet, content)
    const bodyTop = drawAnalysis(sheet, content.analysis, bandTop) + 24
    const strip = stripOf(sheet, content)
    drawBody(sheet, content, { top: bodyTop, end: page.bodyEnd - strip.height }, picture)
    drawStrip(sheet, strip)
    drawFooter(sheet, content)
  })
  doc.end()
  return buffer(doc)
}

// A limit of work, not of time, so that a wine's sheet is the same on a busy machine.
const maxMeasured = 250_000

/**
 * Draws the expertise sheet of a wine: one A4 page as a PDF, byte for byte the same for the same wine and details.
 * Letters without a glyph are transliterated, other characters are left out, and texts too long for the page end in an
 * ellipsis. If more than `most` characters would be measured, the sheet has no texts.
 */
export const drawSheet = async (wine: Wine, details: Drawn = {}, most = maxMeasured): Promise<Buffer> => {
  try {
    return await draw(wine, details, whole => whole, most)
  } catch (error) {
    if (!(error instanceof TooMuchMeasured)) throw error
    return draw(wine, details, withoutTexts, Number.POSITIVE_INFINITY)
  }
}
