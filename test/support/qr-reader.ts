import jsqr from 'jsqr'
import sharp from 'sharp'

// The package is CommonJS with a default export.
const { default: read } = jsqr as unknown as typeof import('jsqr')

// 1 cm at 300 dpi, a usual office printer.
const printed = 118

/** Reads a QR code from a picture (PNG or SVG) as a phone sees it at a size of 1 cm: its text and version. */
export const readQr = async (picture: Buffer): Promise<{ text: string; version: number } | undefined> => {
  const { data, info } = await sharp(picture, { density: 600 })
    .resize(printed, printed)
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const found = read(new Uint8ClampedArray(data), info.width, info.height)
  return found ? { text: found.data, version: found.version } : undefined
}
