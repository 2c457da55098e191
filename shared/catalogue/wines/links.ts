import { createHash } from 'node:crypto'
import type { Wine } from '../../contract/records/wine.ts'
import { drawnWord, ownerOf, pictureAt, picturePath } from '../../values/picture-name.ts'

const pdfPath = (wineId: number, name: string): string => `/PDF/${wineId}/${encodeURIComponent(name)}`

type Linked = Pick<Wine, 'id' | 'path_segment' | 'pdf' | 'expertisePdf' | 'active' | 'public' | 'shop'>

/** Whether anybody may have the sheet of a wine: of one that everybody may see, or that its shop sells. */
export const showsSheet = (wine: Pick<Wine, 'active' | 'public' | 'shop'>): boolean =>
  wine.active === 1 && (wine.public === 1 || wine.shop === 1)

/** A wine with the name of its PDF, which it has before the file is there, and with its link while that leads to it. */
export const withPdf = <W extends Linked>(wine: W): W => {
  const pdf = wine.pdf ?? `${wine.path_segment}.pdf`
  return { ...wine, pdf, expertisePdf: showsSheet(wine) ? pdfPath(wine.id, pdf) : null }
}

/** What a drawn picture shows of its wine. */
export type Motif = Pick<Wine, 'id' | 'name' | 'type' | 'vintage' | 'countrycode' | 'region' | 'place'> & {
  winery: string | null
}

export const motifOf = ({ id, name, type, vintage, countrycode, region, place, winery }: Wine): Motif => ({
  ...{ id, name, type, vintage, countrycode, region, place },
  winery: winery?.name ?? null,
})

// Raised with every visible change of the drawing: pictures are kept, here and in browsers, for as long as their name.
const drawing = 2

/** Whether an image is a drawn one, or asks for one. */
export const isDrawn = (image: string | null): boolean =>
  image === drawnWord || (image !== null && pictureAt(image)?.drawnFor !== undefined)

const pathOfDrawing = (wine: Wine, version: number): string => {
  const shown = JSON.stringify([version, motifOf(wine)])
  const digest = createHash('sha256').update(shown).digest('hex').slice(0, 16)
  const owner = ownerOf('wine', wine.customers_id, wine.id)
  return picturePath({ kind: 'wine', owner, file: `drawn-${wine.customers_id}-${digest}.webp` })
}

/** The path of a wine's drawn picture; it follows from what the picture shows. */
export const drawnPath = (wine: Wine): string => pathOfDrawing(wine, drawing)

/** Whether a path leads to a wine's drawn picture; a record has the path of an earlier drawing until it is written again. */
export const isDrawnPath = (wine: Wine, path: string): boolean =>
  Array.from({ length: drawing }, (_, n) => pathOfDrawing(wine, n + 1)).includes(path)

/** A wine with the links that follow from the rest of it, as it is to be stored. */
export const withLinks = <W extends Wine>(wine: W): W => {
  const linked = withPdf(wine)
  return isDrawn(linked.image) ? { ...linked, image: drawnPath(linked) } : linked
}
