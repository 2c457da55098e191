import { hasRightToLeft } from '../../media/letters/visual.ts'
import { drawText, type Fitted } from './fit.ts'
import type { Sheet } from './lines.ts'

/** The PDF structure type of a part of the page. */
export type Tag =
  | ('Document' | 'H1' | 'H2' | 'P' | 'Span' | 'Figure')
  | ('L' | 'LI' | 'Lbl' | 'LBody')
  | ('TR' | 'TH' | 'TD')

/** Adds the parts drawn by a function to a new structure element. */
export const within = <T>(sheet: Sheet, tag: Tag, draw: (inner: Sheet) => T): T => {
  const element = sheet.doc.struct(tag)
  if (sheet.parent) sheet.parent.add(element)
  else sheet.doc.addStructure(element)
  const result = draw({ ...sheet, parent: element })
  element.end()
  return result
}

/** Text for screen readers: for graphics, and for text in another order than in the file. */
type Said = { alt?: string; actual?: string }

/** Marks a drawing as an element of the document's structure. */
export const content = (sheet: Sheet, tag: Tag, draw: () => void, said: Said = {}): void => {
  const element = sheet.doc.struct(tag, said, [draw])
  sheet.parent?.add(element)
}

/** Texts of a paragraph with their positions. */
export type Standing = { fitted: Fitted; x: number; y: number }

/** Draws texts as one element of the document's structure. */
export const texts = (sheet: Sheet, tag: Tag, ...standing: readonly Standing[]): void => {
  const all = standing.map(({ fitted }) => fitted.text).join('\n')
  const draw = () => {
    for (const { fitted, x, y } of standing) drawText(sheet, fitted, x, y)
  }
  content(sheet, tag, draw, hasRightToLeft(all) ? { actual: all } : {})
}

/** Marks a drawing as decoration, which screen readers skip. */
export const decoration = (doc: PDFKit.PDFDocument, draw: () => void): void => {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
}
