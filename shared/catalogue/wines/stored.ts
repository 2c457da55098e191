import { createHash, randomBytes } from 'node:crypto'
import { completePublicWine, completeWine, type PublicWine, type Wine } from '../../contract/records/wine.ts'
import { completeWinery, publicWinery } from '../../contract/records/winery.ts'
import type { DocumentItem, ExpertiseFile } from '../../platform/table/items.ts'
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

/** A wine as it is kept; its PDF and the ids of those translations that everybody may see are shown to nobody. */
export type StoredWine = Wine & { expertise?: ExpertiseFile; publicTranslations?: number[] }

type Document = Pick<DocumentItem, 'doc'>

/** The record in a wine's item. */
export const wineOf = ({ doc }: Document): StoredWine => {
  const { expertise, publicTranslations, winery, ...stored }: StoredWine = JSON.parse(doc)
  return {
    ...withPdf(completeWine({ ...stored, winery: winery && completeWinery(winery) })),
    ...(expertise && { expertise }),
    ...(publicTranslations && { publicTranslations }),
  }
}

/** The record in a public wine's item. */
export const publicWineOf = ({ doc }: Document): PublicWine => {
  const { winery, ...stored }: PublicWine = JSON.parse(doc)
  return withPdf(completePublicWine({ ...stored, winery: winery && publicWinery(winery) }))
}

/** A wine as its merchant is shown it. */
export const wireWine = ({ expertise, publicTranslations, ...wine }: StoredWine): Wine => wine

/** What a new wine is given beside what its merchant says of it. */
export type WineIdentity = Pick<Wine, 'id' | 'customers_id' | 'cruser_id' | 'path_segment'> & { now: string }

/** A new wine of which no more is known than every wine must say. */
export const newWine = (
  { now, ...identity }: WineIdentity,
  { name, type, countrycode, region }: Pick<Wine, 'name' | 'type' | 'countrycode' | 'region'>,
): StoredWine =>
  completeWine({
    ...identity,
    ...{ name, type, countrycode, region },
    hash: randomBytes(16).toString('hex'),
    crstamp: now,
    chstamp: now,
  })

/** How many partitions the public wines of all merchants are spread over. */
export const shards = 8

/** The partition of a wine. Ids are given so that a merchant's wines share one. */
export const shardOf = (wineId: number): number => wineId % shards

/** The id of a wine: the n-th of all, in its merchant's partition. */
export const wineIdOf = (merchant: number, n: number): number => n * shards + (merchant % shards)

/** Whether everybody may see a wine. */
export const isPublic = ({ active, public: shown }: Pick<Wine, 'active' | 'public'>): boolean =>
  active === 1 && shown === 1

/** A wine without what only its merchant may see. */
export const publicView = ({ publicTranslations = [], ...wine }: StoredWine): PublicWine =>
  completePublicWine({
    ...wine,
    winery: wine.winery && publicWinery(wine.winery),
    translations: wine.translations.filter(({ id }) => publicTranslations.includes(id)),
  })
