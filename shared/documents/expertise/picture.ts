import type { Drawing } from '../../media/pictures/drawn/picture.ts'
import type { Size } from '../../values/picture-name.ts'

/** The picture of a sheet: a drawing, or a photograph as a JPEG. */
export type SheetPicture = { drawing: Drawing } | (Size & { jpeg: Buffer })

/** The picture's place on the page: upper right corner and available size, in points. */
export type Place = Size & { right: number; top: number }

const scaleOf = (picture: SheetPicture, place: Size): number => {
  const { width, height } = 'drawing' in picture ? picture.drawing : picture
  return Math.min(place.width / width, place.height / height)
}

/** Returns the width in points of a picture at the largest size that fits. */
export const pictureWidth = (picture: SheetPicture, place: Size): number =>
  ('drawing' in picture ? picture.drawing.width : picture.width) * scaleOf(picture, place)

/** Draws a picture at the largest size that fits. */
export const drawPicture = (doc: PDFKit.PDFDocument, picture: SheetPicture, place: Place): void => {
  const scale = scaleOf(picture, place)
  if ('drawing' in picture) {
    const { shapes, left, top, width } = picture.drawing
    doc.save()
    doc.translate(place.right - (left + width) * scale, place.top - top * scale).scale(scale)
    for (const { d, fill } of shapes) doc.path(d).fill(fill)
    doc.restore()
    return
  }
  const { jpeg, width, height } = picture
  doc.image(jpeg, place.right - width * scale, place.top, { width: width * scale, height: height * scale })
}
