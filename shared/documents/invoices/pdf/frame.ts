import { buffer } from 'node:stream/consumers'
import type { Language } from '../../../contract/labels/labels.ts'
import type { Seller } from '../../../contract/records/order.ts'
import { cleanAll } from '../../../media/letters/clean.ts'
import type { Day } from '../../../values/day.ts'
import { rule } from '../../expertise/design.ts'
import { localeOf } from '../../expertise/labels.ts'
import { countryName } from '../../expertise/terms.ts'
import { openFaces } from '../../typesetting/faces.ts'
import type { Fitted } from '../../typesetting/fit.ts'
import type { Sheet, Style } from '../../typesetting/lines.ts'
import { openDocument } from '../../typesetting/metadata.ts'
import { decoration, texts, within } from '../../typesetting/tags.ts'
import type { Party } from '../party.ts'
import { colors, contentWidth, page, styles } from './design.ts'
import { type Block, pagesOf, type Table } from './flow.ts'
import { factsBlock, linesBlock, oneLine, wholeText } from './parts.ts'
import { type Words, wordsIn } from './words.ts'

/** The contents of a page besides its table: the same for invoices, credit advices and delivery notes. */
export type Frame = {
  language: Language
  seller: Seller
  recipient: Party
  title: string
  subtitle: string | null
  facts: readonly (readonly [string, string])[]
  /** Small lines below the title. */
  lines: readonly string[]
  day: Day
}

const present = (...parts: readonly (string | null | undefined)[]): string[] =>
  parts.flatMap(part => (part?.trim() ? [part.trim()] : []))

/** The lines of an address; the country is named in foreign addresses. */
export const addressLines = (party: Party, { seller, language }: Pick<Frame, 'seller' | 'language'>): string[] => {
  const isForeign = party.countrycode !== (seller.countrycode ?? 'de').toLowerCase()
  const town = present(party.zip, party.city).join(' ')
  const country = isForeign ? countryName(party.countrycode, language) : null
  return present(party.name, party.department, party.person, party.supplement, party.address, town, country)
}

const sellerName = ({ company, name }: Seller): string => company ?? name

const sellerTown = ({ zip, city }: Seller): string => present(zip, city).join(' ')

const logoSize = { width: 150, height: 38 }

/** The logo, in the upper right corner. The name beside it says the same, so it is decoration. */
const drawLogo = (doc: PDFKit.PDFDocument, logo: Buffer): void => {
  const { width, height } = logoSize
  const options: PDFKit.Mixins.ImageOption = { fit: [width, height], align: 'right', valign: 'bottom' }
  decoration(doc, () => doc.image(logo, page.right - width, page.top + 26 - height, options))
}

/** The name of the seller, whole; of so many lines that they end above the window of the envelope. */
const senderOf = (paper: Sheet, { seller }: Frame, width: number): Fitted => {
  const large = wholeText(paper, sellerName(seller), styles.sender, width)
  if (large.height <= 60) return large
  return wholeText(paper, sellerName(seller), { ...styles.sender, size: 13 }, width)
}

/** The head of the first page, and where its table begins; long names and addresses move its title down. */
const firstHead = (paper: Sheet, frame: Frame, logo: Buffer | undefined) => {
  const { seller, recipient, title, subtitle, facts, lines } = frame
  const address = linesBlock(paper, addressLines(recipient, frame), styles.address, {
    ...{ x: page.left, width: 235, step: 14.6 },
  })
  const side = factsBlock(paper, facts, page.left + 285)
  const sender = senderOf(paper, frame, contentWidth - (logo ? logoSize.width + 20 : 0))
  const below = linesBlock(paper, lines, styles.hint, { x: page.left, width: contentWidth, step: 13 })
  const at = Math.max(page.title, page.address + address.height + 7, page.facts + side.height - 7)
  const draw = (sheet: Sheet): void => {
    const line = (text: string, style: Style, y: number, width: number = contentWidth) => ({
      ...{ fitted: oneLine(sheet, text, style, width), x: page.left, y },
    })
    texts(sheet, 'P', { fitted: sender, x: page.left, y: page.top })
    if (logo) drawLogo(sheet.doc, logo)
    rule(sheet.doc, page.left, page.top + Math.max(32, sender.height + 4), contentWidth, colors.line)
    const back = present(sellerName(seller), seller.address, sellerTown(seller)).join(' · ')
    texts(sheet, 'P', line(back, styles.back, page.address - 14, 235))
    address.draw(sheet, page.address)
    side.draw(sheet, page.facts)
    texts(sheet, 'H1', line(title, styles.title, at))
    if (subtitle) texts(sheet, 'P', line(subtitle, styles.subtitle, at + 31))
    below.draw(sheet, at + (subtitle ? 52 : 36))
  }
  return { draw, end: at + (subtitle ? 56 : 40) + below.height + (lines.length > 0 ? 6 : 0) }
}

const drawNextHead = (sheet: Sheet, { seller, title }: Frame): void => {
  const text = `${sellerName(seller)} · ${title}`
  texts(sheet, 'P', { fitted: oneLine(sheet, text, styles.hint, contentWidth), x: page.left, y: page.top })
  rule(sheet.doc, page.left, page.top + 18, contentWidth, colors.line)
}

/** An IBAN in groups of four. */
export const groupIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** The columns of the footer: the seller, how to reach it, its tax numbers, its account. */
const footerOf = ({ seller, language }: Frame, words: Words): string[][] => {
  const { bank } = seller
  const labelLine = (label: string, value: string | null) => (value ? `${label} ${value}` : null)
  const country = seller.countrycode && countryName(seller.countrycode, language)
  return [
    present(sellerName(seller), seller.address, sellerTown(seller), country),
    present(
      seller.phone,
      seller.mail,
      seller.www?.replace(/^https?:\/\//, ''),
      labelLine(words.contact, seller.contact_person),
    ),
    present(
      labelLine(words.taxid, seller.taxid),
      labelLine(words.vatid, seller.vatid),
      labelLine(words.organic, seller.organic_code ?? null),
      seller.register_number,
      seller.legal_note,
    ),
    present(bank.name, bank.iban && groupIban(bank.iban), labelLine(words.bic, bank.bic)),
  ]
}

const lowest = 814

/** The footer of each page, and its height above that of a usual footer. */
const footer = (paper: Sheet, frame: Frame, words: Words) => {
  const columns = footerOf(frame, words).filter(({ length }) => length > 0)
  const width = contentWidth / columns.length
  const blocks = columns.map((lines, n) =>
    linesBlock(paper, lines, styles.footer, { x: page.left + n * width, width: width - 10, step: 9.6 }),
  )
  const top = Math.min(page.footer, lowest - Math.max(...blocks.map(({ height }) => height)))
  const draw = (sheet: Sheet, n: number, m: number): void => {
    const place = words.page.replace('{n}', String(n)).replace('{m}', String(m))
    texts(sheet, 'P', { fitted: oneLine(sheet, place, styles.footerRight, contentWidth), x: page.left, y: top - 14 })
    rule(sheet.doc, page.left, top, contentWidth, colors.line)
    for (const block of blocks) block.draw(sheet, top + 6)
  }
  return { draw, more: page.footer - top }
}

/** A file inside a PDF, with the metadata that describes it. */
export type Attached = { name: string; text: string; description: string; metadata: string }

const newDocument = ({ title, language, seller, day }: Frame, attached: Attached | null) => {
  const moment = new Date(`${day}T00:00:00Z`)
  const described = { title, author: sellerName(seller), language, moment }
  // PDF/A-3 is the part that allows files of other formats inside.
  const options = { autoFirstPage: false, ...(attached && { subset: 'PDF/A-3b' }) }
  const doc = openDocument(described, options as PDFKit.PDFDocumentOptions)
  if (attached) attach(doc, attached, moment)
  return doc
}

type WithXml = { appendXML: (xml: string) => void }

// pdfkit writes the other dates itself.
const modified = (moment: Date): string => `
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
            <xmp:ModifyDate>${moment.toISOString().split('.')[0]}Z</xmp:ModifyDate>
        </rdf:Description>`

const attach = (doc: PDFKit.PDFDocument, { name, text, description, metadata }: Attached, moment: Date): void => {
  const options = { name, type: 'text/xml', relationship: 'Alternative', description }
  const dates = { creationDate: moment, modifiedDate: moment }
  // pdfkit's types lack both.
  doc.file(Buffer.from(text, 'utf8'), { ...options, ...dates } as PDFKit.Mixins.PDFAttachmentOptions)
  ;(doc as unknown as WithXml).appendXML(metadata + modified(moment))
}

/** A frame with its table and what follows it. */
export type Layout = { frame: Frame; table: (sheet: Sheet) => Table; after: (sheet: Sheet) => Block[] }

/**
 * Draws a document on as many A4 pages as it takes, byte for byte the same for the same contents; with a file inside as
 * PDF/A-3b, with a logo as PNG. Letters without a glyph are transliterated, as on wines' sheets.
 */
export const drawPages = async <Content>(
  content: Content,
  layoutOf: (content: Content) => Layout,
  { attached, logo }: { attached: Attached | null; logo: Buffer | undefined },
): Promise<Buffer> => {
  const { frame: given } = layoutOf(content)
  const doc = newDocument(given, attached)
  const faceOf = openFaces(doc, JSON.stringify(content))
  const { frame, table, after } = layoutOf(cleanAll(content, faceOf))
  const { language } = frame
  const paper: Sheet = { doc, locale: localeOf(language), faceOf, hyphenate: word => [word], widths: new Map() }
  const [head, foot] = [firstHead(paper, frame, logo), footer(paper, frame, wordsIn(language))]
  const room = { first: head.end, next: page.next, end: page.bodyEnd - foot.more }
  const pages = pagesOf(table(paper), after(paper), room)
  within(paper, 'Document', sheet => {
    const parent = doc.struct('Table')
    // Added before its rows: pdfkit draws what belongs to no structure yet at the end, on the last page.
    sheet.parent?.add(parent)
    const rows = { ...sheet, parent }
    for (const [n, placed] of pages.entries()) {
      doc.addPage()
      if (n === 0) head.draw(sheet)
      else drawNextHead(sheet, frame)
      for (const { block, y } of placed) block.draw(block.isRow ? rows : sheet, y)
      foot.draw(sheet, n + 1, pages.length)
    }
    parent.end()
  })
  doc.end()
  return buffer(doc)
}
