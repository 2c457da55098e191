type WithMetadata = { info: Record<string, unknown>; _addInfo: () => void }

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    // XML allows neither, not even escaped.
    .replace(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '')

/** Makes a document escape its XML metadata, which pdfkit does not. */
export const escapeMetadata = (doc: PDFKit.PDFDocument): void => {
  // pdfkit's types hide both.
  const open = doc as unknown as WithMetadata
  const addInfo = open._addInfo.bind(doc)
  open._addInfo = () => {
    const { info } = open
    const texts = Object.entries(info).map(([key, value]) => [key, typeof value === 'string' ? escaped(value) : value])
    open.info = Object.fromEntries(texts)
    addInfo()
    open.info = info
  }
}
