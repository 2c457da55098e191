import type { Size } from '../picture-name.ts'
import type { Drawing } from '../pictures/drawn/picture.ts'

/** What a sheet shows of its wine: a drawing, or a photograph as a JPEG. */
export type SheetPicture = { drawing: Drawing } | (Size & { jpeg: Buffer })

/** Where a picture stands on the page: its upper right corner, and the room there is; points. */
export type Place = Size & { right: number; top: number }

const drawDrawing = (doc: PDFKit.PDFDocument, { shapes, left, top, width, height }: Drawing, place: Place): number => {
  const scale = Math.min(place.width / width, place.height / height)
  doc.save()
  doc.translate(place.right - (left + width) * scale, place.top - top * scale).scale(scale)
  for (const { d, fill } of shapes) doc.path(d).fill(fill)
  doc.restore()
  return width * scale
}

const drawJpeg = (doc: PDFKit.PDFDocument, { jpeg, width, height }: Size & { jpeg: Buffer }, place: Place): number => {
  const scale = Math.min(place.width / width, place.height / height)
  doc.image(jpeg, place.right - width * scale, place.top, { width: width * scale, height: height * scale })
  return width * scale
}

/** Draws a picture as large as its place lets it be; returns how wide that is. */
export const drawPicture = (doc: PDFKit.PDFDocument, picture: SheetPicture, place: Place): number =>
  'drawing' in picture ? drawDrawing(doc, picture.drawing, place) : drawJpeg(doc, picture, place)
