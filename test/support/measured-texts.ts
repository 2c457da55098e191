import PDFDocument from 'pdfkit'

let measured = 0
const measure = PDFDocument.prototype.widthOfString
PDFDocument.prototype.widthOfString = function (text: string, options?: PDFKit.Mixins.TextOptions) {
  measured += text.length
  return measure.call(this, text, options)
}

/** How many characters drawing has measured since this was asked last. */
export const takeMeasured = (): number => {
  const count = measured
  measured = 0
  return count
}
