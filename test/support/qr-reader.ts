import jsqr from 'jsqr'
import sharp from 'sharp'

// The package is CommonJS with a default export.
const { default: read } = jsqr as unknown as typeof import('jsqr')

// 1 cm at 300 dpi, a usual office printer, and a little nearer: a phone looks at many frames, and at one size this reader
// misses a code in 1,500.
const frames = [118, 121, 124]

const readAt = async (picture: Buffer, side: number): Promise<ReturnType<typeof read>> => {
  const { data, info } = await sharp(picture, { density: 600 })
    .resize(side, side)
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return read(new Uint8ClampedArray(data), info.width, info.height)
}

/** Reads a QR code from a picture (PNG or SVG) as a phone sees it at a size of 1 cm: its text and version. */
export const readQr = async (picture: Buffer): Promise<{ text: string; version: number } | undefined> => {
  for (const side of frames) {
    const found = await readAt(picture, side)
    if (found) return { text: found.data, version: found.version }
  }
  return undefined
}
