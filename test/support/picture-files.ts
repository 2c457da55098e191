import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Options = { width?: number; height?: number; color?: string }

const canvas = ({ width = 300, height = 400, color = '#a05a2c' }: Options) =>
  sharp({ create: { width, height, channels: 4, background: color } })

/** A picture in one colour; another colour is another picture. */
export const pngOf = (options: Options = {}): Promise<Buffer> => canvas(options).png().toBuffer()
export const jpegOf = (options: Options = {}): Promise<Buffer> => canvas(options).jpeg().toBuffer()
export const webpOf = (options: Options = {}): Promise<Buffer> => canvas(options).webp().toBuffer()

/** A picture with an EXIF note that says what it is not, and to be turned by a quarter. */
export const notedJpeg = (): Promise<Buffer> =>
  canvas({ width: 300, height: 200 })
    .withExif({ IFD0: { Copyright: 'KANARIENVOGEL', Software: 'KANARIENVOGEL' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

/** Two pictures in one file, the first of them red. */
export const animatedWebp = async (): Promise<Buffer> => {
  const frames = await Promise.all(['#ff0000', '#0000ff'].map(color => pngOf({ width: 40, height: 40, color })))
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
}

/** Noise, which no codec makes small. */
export const noise = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 90 } },
  })
    .jpeg({ quality: 95 })
    .toBuffer()

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})
const crc = (bytes: Buffer): number => {
  let c = 0xffffffff
  for (const byte of bytes) c = (crcTable[(c ^ byte) & 255] ?? 0) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

/** A small PNG file that says of itself to be as large as that, and holds zeros for so many of its rows. */
export const bombPng = (width: number, height: number, rows: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc((width + 1) * rows), { level: 9 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.of())])
}
