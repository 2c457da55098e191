export const pictureKinds = ['wine', 'product', 'winery', 'category', 'merchant'] as const
export type PictureKind = (typeof pictureKinds)[number]

/** The value of `image` that requests a drawn picture. */
export const drawnWord = 'drawn'

/** Width and height in pixels. */
export type Size = { width: number; height: number }

/** The stored format. A merchant's logo is also shown in mails, and not every mail program shows WebP. */
export type PictureFormat = 'webp' | 'png'

/**
 * A picture as its path describes it, with its size. `owner` is unique over all merchants; `drawnFor` is the merchant whose
 * wine a drawn picture shows.
 */
export type PictureName = Size & {
  kind: PictureKind
  owner: string
  file: string
  format: PictureFormat
  drawnFor?: number
}

export const formatOf = (kind: PictureKind): PictureFormat => (kind === 'merchant' ? 'png' : 'webp')

/** The size of drawn pictures. */
export const drawnSize: Size = { width: 720, height: 1600 }

/** The owner part of a path: ids of wines are unique over all merchants, others within a merchant. */
export const ownerOf = (kind: PictureKind, merchant: number, id: number): string => {
  if (kind === 'merchant') return String(merchant)
  return kind === 'wine' ? String(id) : `${merchant}-${id}`
}

const number = '[1-9]\\d{0,15}'
const owners = { wine: RegExp(`^${number}$`), merchant: RegExp(`^${number}$`), others: RegExp(`^${number}-${number}$`) }
const ownFile = /^[0-9a-f]{32}-([1-9]\d{0,4})x([1-9]\d{0,4})\.(webp|png)$/
const drawnFile = RegExp(`^drawn-(${number})-[0-9a-f]{16}\\.webp$`)

const isKind = (text: string): text is PictureKind => pictureKinds.some(kind => kind === text)

/** Parses the parts of a path; undefined if they are malformed. */
export const pictureOf = (kind: string, owner: string, file: string): PictureName | undefined => {
  if (!isKind(kind)) return undefined
  const form = kind === 'wine' || kind === 'merchant' ? owners[kind] : owners.others
  if (!form.test(owner)) return undefined
  const [isOwn, width, height, format] = ownFile.exec(file) ?? []
  const place = { kind, owner, file, format: formatOf(kind) }
  if (isOwn) return format === place.format ? { ...place, width: Number(width), height: Number(height) } : undefined
  const [isDrawn, drawnFor] = (kind === 'wine' && drawnFile.exec(file)) || []
  return isDrawn ? { ...place, ...drawnSize, drawnFor: Number(drawnFor) } : undefined
}

/** Parses a picture's path on this service; undefined for any other text. */
export const pictureAt = (path: string): PictureName | undefined => {
  const [, kind = '', owner = '', file = ''] = /^\/Images\/([a-z]+)\/([\d-]+)\/([^/]+)$/.exec(path) ?? []
  return pictureOf(kind, owner, file)
}

/** The path of a picture on this service. */
export const picturePath = ({ kind, owner, file }: Pick<PictureName, 'kind' | 'owner' | 'file'>): string =>
  `/Images/${kind}/${owner}/${file}`

/** The widths and heights in pixels that pictures are made in. */
export const pictureSides = [160, 320, 480, 640, 960, 1280, 2000] as const

type Bounds = { [Side in keyof Size]?: number | undefined }

const sizeWithin = ({ width, height }: Size, bounds: Bounds): Size => {
  const factor = Math.min((bounds.width ?? width) / width, (bounds.height ?? height) / height, 1)
  const scale = (length: number) => Math.max(1, Math.round(length * factor))
  return { width: scale(width), height: scale(height) }
}

const raiseSide = (length: number | undefined) => pictureSides.find(side => length !== undefined && side >= length)

/**
 * The size in which a picture is returned: each bound is raised to the next of `pictureSides`, and the picture fits into both,
 * proportional and never enlarged. So a picture has few sizes, and is at least as large as requested.
 */
export const sizeFor = (picture: Size, { width, height }: Bounds): Size =>
  sizeWithin(picture, { width: raiseSide(width), height: raiseSide(height) })

const folderOf = ({ kind, owner, file }: PictureName): string =>
  `pictures/${kind}/${owner}/${file.slice(0, file.lastIndexOf('.'))}`

/** The key of a picture's object in a size. */
export const pictureKey = (picture: PictureName, { width, height }: Size = picture): string => {
  const isWhole = width === picture.width && height === picture.height
  return isWhole
    ? `pictures/${picture.kind}/${picture.owner}/${picture.file}`
    : `${folderOf(picture)}/${width}x${height}.${picture.format}`
}

/** The key of the picture's form for expertise sheets. */
export const sheetPictureKey = (picture: PictureName): string => `${folderOf(picture)}/sheet.jpg`

/** The keys of all objects that a picture may have: itself, its sizes, and that for sheets. */
export const objectKeys = (picture: PictureName): string[] => {
  const sizes = pictureSides.flatMap(side => [sizeFor(picture, { width: side }), sizeFor(picture, { height: side })])
  return [...new Set([pictureKey(picture), sheetPictureKey(picture), ...sizes.map(size => pictureKey(picture, size))])]
}
