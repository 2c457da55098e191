import PDFDocument from 'pdfkit'
import type { Language } from '../../contract/labels/labels.ts'
import { escapeXml } from '../../values/markup.ts'

type WithMetadata = { info: Record<string, unknown>; _addInfo: () => void }

/** Makes a document escape its XML metadata, which pdfkit does not. */
const escapeMetadata = (doc: PDFKit.PDFDocument): void => {
  // pdfkit's types hide both.
  const open = doc as unknown as WithMetadata
  const addInfo = open._addInfo.bind(doc)
  open._addInfo = () => {
    const { info } = open
    const texts = Object.entries(info).map(([key, value]) => [
      key,
      typeof value === 'string' ? escapeXml(value) : value,
    ])
    open.info = Object.fromEntries(texts)
    addInfo()
    open.info = info
  }
}

type Described = { title: string; author: string | undefined; language: Language; moment: Date }

/** Opens an A4 document with metadata that are the same at every drawing. */
export const openDocument = (
  { title, author, language, moment }: Described,
  more: PDFKit.PDFDocumentOptions = {},
): PDFKit.PDFDocument => {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    // No default font: pdfkit would look for Helvetica's metrics, which a bundle does not carry.
    font: '',
    lang: language,
    displayTitle: true,
    tagged: true,
    pdfVersion: '1.7',
    // pdfkit derives the file's ID from these entries, so fixed dates make the whole file repeatable.
    info: {
      Title: title,
      ...(author === undefined ? {} : { Author: author }),
      Producer: 'Weinkontor',
      Creator: 'Weinkontor',
      CreationDate: moment,
      ModDate: moment,
    },
    ...more,
  })
  escapeMetadata(doc)
  return doc
}
