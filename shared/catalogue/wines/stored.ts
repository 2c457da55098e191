import { createHash, randomBytes } from 'node:crypto'
import { completePublicWine, completeWine, type PublicWine, type Wine } from '../../contract/records/wine.ts'
import { completeWinery, publicWinery } from '../../contract/records/winery.ts'
import type { ExpertiseFile, RecordItem } from '../../platform/table/items.ts'
import { drawnWord, ownerOf, pictureAt, picturePath } from '../../values/picture-name.ts'

const pdfPath = (wineId: number, name: string): string => `/PDF/${wineId}/${encodeURIComponent(name)}`

type Linked = Pick<Wine, 'id' | 'path_segment' | 'pdf' | 'expertisePdf' | 'active' | 'public' | 'shop'>

/** True if the PDF of a wine is open to everyone: the wine is public, or its shop sells it. */
export const showsPdf = (wine: Pick<Wine, 'active' | 'public' | 'shop'>): boolean =>
  wine.active === 1 && (wine.public === 1 || wine.shop === 1)

/** A wine with the name of its PDF, which exists before the file does, and with its link while it is open to everyone. */
export const withPdf = <W extends Linked>(wine: W): W => {
  const pdf = wine.pdf ?? `${wine.path_segment}.pdf`
  return { ...wine, pdf, expertisePdf: showsPdf(wine) ? pdfPath(wine.id, pdf) : null }
}

/** The fields of a wine that its drawn picture shows. */
export type Motif = Pick<Wine, 'id' | 'name' | 'type' | 'vintage' | 'countrycode' | 'region' | 'place'> & {
  winery: string | null
}

export const motifOf = ({ id, name, type, vintage, countrycode, region, place, winery }: Wine): Motif => ({
  ...{ id, name, type, vintage, countrycode, region, place },
  winery: winery?.name ?? null,
})

// Raised with every visible change of drawn pictures: the service and browsers cache them by name.
const pictureVersion = 2

/** True if an image is drawn, or asks to be drawn. */
export const isDrawn = (image: string | null): boolean =>
  image === drawnWord || (image !== null && pictureAt(image)?.drawnFor !== undefined)

const drawnPathOf = (wine: Wine, version: number): string => {
  const shown = JSON.stringify([version, motifOf(wine)])
  const digest = createHash('sha256').update(shown).digest('hex').slice(0, 16)
  const owner = ownerOf('wine', wine.customers_id, wine.id)
  return picturePath({ kind: 'wine', owner, file: `drawn-${wine.customers_id}-${digest}.webp` })
}

/** The path of a wine's drawn picture; it follows from the fields that the picture shows. */
export const drawnPath = (wine: Wine): string => drawnPathOf(wine, pictureVersion)

/** True if a path leads to a wine's drawn picture; a record keeps the path of an earlier version until it is written again. */
export const isDrawnPath = (wine: Wine, path: string): boolean =>
  Array.from({ length: pictureVersion }, (_, n) => drawnPathOf(wine, n + 1)).includes(path)

/** A wine to be stored, with the links that follow from its other fields. */
export const withLinks = <W extends Wine>(wine: W): W => {
  const linked = withPdf(wine)
  return isDrawn(linked.image) ? { ...linked, image: drawnPath(linked) } : linked
}

/**
 * A wine as it is stored: with its PDF file, the ids of its public translations, the state of its electronic label,
 * the id by which files name it if an import gave it another id, and 1 if its price was given. No response includes them.
 */
export type StoredWine = Wine & {
  priced?: 0 | 1
  expertise?: ExpertiseFile
  publicTranslations?: number[]
  label?: 'published' | 'withdrawn'
  filed_id?: number
}

/** The URL of the page of an electronic label. */
export const labelUrl = (baseUrl: string, hash: string): string => `${baseUrl}/e/${hash}`

type Document = Pick<RecordItem, 'doc'>

// Without the spreads and rests of copies: a page reads up to 100 wines.
const completeStored = (stored: StoredWine): Wine => {
  if (stored.winery) stored.winery = completeWinery(stored.winery)
  return withPdf(completeWine(stored))
}

/** The stored wine in its item. */
export const wineOf = ({ doc }: Document): StoredWine => {
  const stored: StoredWine = JSON.parse(doc)
  const wine: StoredWine = completeStored(stored)
  // Older records do not say whether a price of 0.00 was given; their documentation called it none.
  wine.priced = stored.priced ?? (wine.gross === '0.00' ? 0 : 1)
  if (stored.expertise) wine.expertise = stored.expertise
  if (stored.publicTranslations) wine.publicTranslations = stored.publicTranslations
  if (stored.label) wine.label = stored.label
  if (stored.filed_id) wine.filed_id = stored.filed_id
  return wine
}

/** The record in a public wine's item. */
export const publicWineOf = ({ doc }: Document): PublicWine => {
  const { winery, ...stored }: PublicWine = JSON.parse(doc)
  return withPdf(completePublicWine({ ...stored, winery: winery && publicWinery(winery) }))
}

/** A wine as its merchant sees it. */
export const wireWine = ({ priced, expertise, publicTranslations, label, filed_id, ...wine }: StoredWine): Wine => wine

/** The fields of a new wine that the service sets. */
export type WineIdentity = Pick<Wine, 'id' | 'customers_id' | 'cruser_id' | 'path_segment'> & { now: string }

/** A new wine with the required fields and defaults. */
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

/** The number of partitions of the public wines of all merchants. */
export const shards = 8

/** The partition of a wine. Ids are assigned so that a merchant's wines share a partition. */
export const shardOf = (wineId: number): number => wineId % shards

/** The id of a wine: the n-th of all, in its merchant's partition. */
export const wineIdOf = (merchant: number, n: number): number => n * shards + (merchant % shards)

/** True if a path_segment is well-formed; the table rejects keys that are much longer. */
export const isPathSegment = (text: string): boolean => /^[a-z0-9-]{1,255}$/.test(text)

/** True if everyone may see a wine. */
export const isPublic = ({ active, public: shown }: Pick<Wine, 'active' | 'public'>): boolean =>
  active === 1 && shown === 1

/** A wine without the fields that only its merchant may see. */
export const publicView = ({ publicTranslations = [], ...wine }: StoredWine): PublicWine =>
  completePublicWine({
    ...wine,
    winery: wine.winery && publicWinery(wine.winery),
    translations: wine.translations.filter(({ id }) => publicTranslations.includes(id)),
  })
