import { type Face, type FaceOf, faceFinder, fontData, fontNames, type HasGlyph } from '../../media/letters/faces.ts'

type OpenFont = { _font: { font: { hasGlyphForCodePoint: HasGlyph } } }

/** Registers faces with a document when they are first needed. `texts` contains all texts of the sheet. */
export const openFaces = (doc: PDFKit.PDFDocument, texts: string): FaceOf => {
  const open = new Map<Face, HasGlyph>()
  const glyphsOf = (face: Face): HasGlyph => {
    const known = open.get(face)
    if (known) return known
    doc.registerFont(face, fontData(face))
    // pdfkit's types hide the parsed font, which has the glyphs.
    const { font } = (doc.font(face) as unknown as OpenFont)._font
    const hasGlyph: HasGlyph = codePoint => font.hasGlyphForCodePoint(codePoint)
    open.set(face, hasGlyph)
    return hasGlyph
  }
  // Sheets are measured in these before they are used.
  for (const name of fontNames) glyphsOf(name)
  return faceFinder(texts, glyphsOf)
}
