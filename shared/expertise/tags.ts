import type { Sheet } from './fit.ts'

/** What a part of the page is, in the words of PDF. */
export type Tag = 'Document' | 'H1' | 'H2' | 'P' | 'L' | 'LI' | 'Lbl' | 'LBody' | 'Figure'

/** Puts what is drawn below an element of the document's structure, into which parts of it go. */
export const within = <T>(sheet: Sheet, tag: Tag, draw: (inner: Sheet) => T): T => {
  const element = sheet.doc.struct(tag)
  if (sheet.parent) sheet.parent.add(element)
  else sheet.doc.addStructure(element)
  const result = draw({ ...sheet, parent: element })
  element.end()
  return result
}

/** Marks what is drawn as an element of the document's structure; `alt` is said in place of what is only seen. */
export const content = (sheet: Sheet, tag: Tag, draw: () => void, alt?: string): void => {
  const element = sheet.doc.struct(tag, alt === undefined ? {} : { alt }, [draw])
  sheet.parent?.add(element)
}

/** Marks what is drawn as decoration, which nobody reads out. */
export const decoration = (doc: PDFKit.PDFDocument, draw: () => void): void => {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
}
