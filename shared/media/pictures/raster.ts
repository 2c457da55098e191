import sharp, { type Sharp } from 'sharp'
import type { PictureFormat, Size } from '../../values/picture-name.ts'
import { maxFileBytes } from '../../values/supplied-file.ts'

const maxPixels = 50_000_000
// Each size of a picture is made from all of its bytes, in a function that anyone may call.
const maxStoredBytes = 8 * 1024 * 1024
/** Pixels of the longer side of a stored picture; links ask for at most half of it. */
const longestSide = 4000

/** A stored picture. */
export type Raster = Size & { bytes: Buffer }

// The type follows from the first bytes, not the name: the decoder gets no other type, especially no SVG.
const signatures = [
  { format: 'png', is: (bytes: Buffer) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' },
  { format: 'jpeg', is: (bytes: Buffer) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff' },
  {
    format: 'webp',
    is: (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
] as const

const names: Record<PictureFormat, string> = { png: 'PNG', webp: 'WebP' }

const reader = (bytes: Buffer) =>
  // The first frame of an animation.
  sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, pages: 1 })

const encode = (image: Sharp, format: PictureFormat, quality: number) =>
  format === 'png'
    ? image.png({ compressionLevel: 9 })
    : image.webp({ quality, alphaQuality: 100, smartSubsample: true })

/**
 * Decodes and encodes a supplied picture, so that it is valid and without metadata: turned by its EXIF orientation, in
 * sRGB, at most 4000 pixels a side. `type` is the media type that it should have, if any. Returns the reason if it is
 * refused.
 */
export const acceptImage = async (bytes: Buffer, format: PictureFormat, type?: string): Promise<Raster | string> => {
  if (bytes.length > maxFileBytes) return 'is larger than 20 MB'
  const kind = signatures.find(({ is }) => is(bytes))?.format
  if (!kind) return 'is neither a PNG, a JPEG nor a WebP picture'
  if (type && type !== `image/${kind}`) return `is not ${type}, but image/${kind}`
  try {
    const { format: found, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (found !== kind) return 'is neither a PNG, a JPEG nor a WebP picture'
    if (width * height > maxPixels) return 'has more than 50 megapixels'
    const inside = { width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true } as const
    const image = encode(reader(bytes).autoOrient().resize(inside), format, 90)
    const { data, info } = await image.toBuffer({ resolveWithObject: true })
    if (data.length > maxStoredBytes)
      return `takes more than 8 MB as the ${names[format]} that is stored: send it with fewer pixels`
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return 'is damaged: it cannot be decoded to its end'
  }
}

/** A stored or drawn picture in another size. */
export const resize = (source: Buffer, { width, height }: Size, format: PictureFormat): Promise<Buffer> =>
  encode(sharp(source).resize({ width, height, fit: 'fill' }), format, 85).toBuffer()

const sheetSize = { width: 500, height: 1500, fit: 'inside', withoutEnlargement: true } as const

/** A picture for an expertise sheet: a JPEG on white. */
export const forSheet = (source: Buffer): Promise<Buffer> =>
  sharp(source).resize(sheetSize).flatten({ background: '#ffffff' }).jpeg({ quality: 88, mozjpeg: true }).toBuffer()
