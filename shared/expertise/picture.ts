import { inflateSync } from 'node:zlib'

const largestFile = 8 * 1024 * 1024
const mostPixels = 24_000_000

type Size = { width: number; height: number }

const isReasonable = ({ width, height }: Size) => width > 0 && height > 0 && width * height <= mostPixels

const startsScan = 0xda
// Baseline, extended and progressive: the kinds of frame a PDF reader must know.
const frames = new Set([0xc0, 0xc1, 0xc2])

const isSoundFrame = (data: Buffer, at: number) =>
  data[at + 4] === 8 &&
  [1, 3, 4].includes(data[at + 9] ?? 0) &&
  isReasonable({ height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) })

const isJpeg = (data: Buffer): boolean => {
  let at = 2
  let framed = false
  while (data[at] === 0xff) {
    const marker = data.readUInt8(at + 1)
    if (marker === startsScan) return framed && data.indexOf(Buffer.from([0xff, 0xd9]), at) > 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (frames.has(marker)) framed = isSoundFrame(data, at)
    at += 2 + data.readUInt16BE(at + 2)
  }
  return false
}

const chunks = function* (data: Buffer) {
  let at = 8
  while (at + 12 <= data.length) {
    const length = data.readUInt32BE(at)
    const type = data.toString('latin1', at + 4, at + 8)
    yield { type, body: data.subarray(at + 8, at + 8 + length) }
    if (type === 'IEND') return
    at += 12 + length
  }
}

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

type Pass = readonly [left: number, top: number, stepX: number, stepY: number]
const whole: readonly Pass[] = [[0, 0, 1, 1]]
const adam7: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

// Every row of every pass starts with a byte that names its filter, 0 to 4.
const isSoundImageData = (packed: Buffer, { width, height }: Size, pixelBits: number, passes: readonly Pass[]) => {
  const grids = passes
    .map(([left, top, stepX, stepY]) => ({
      rows: Math.max(Math.ceil((height - top) / stepY), 0),
      stride: Math.ceil((Math.ceil((width - left) / stepX) * pixelBits) / 8) + 1,
    }))
    .filter(({ rows, stride }) => rows > 0 && stride > 1)
  const size = grids.reduce((sum, { rows, stride }) => sum + rows * stride, 0)
  const data = inflateSync(packed, { maxOutputLength: size })
  let at = 0
  for (const { rows, stride } of grids) {
    for (let row = 0; row < rows; row++, at += stride) if ((data[at] ?? 5) > 4) return false
  }
  return data.length === size
}

// pdfkit unpacks some PNGs in a callback, where an error would end the process: so the data must be sound beforehand.
const isPng = (data: Buffer): boolean => {
  const parts = [...chunks(data)]
  const has = (type: string) => parts.some(part => part.type === type)
  const head = parts[0]
  if (head?.type !== 'IHDR' || head.body.length !== 13 || !has('IEND')) return false
  const size = { width: head.body.readUInt32BE(0), height: head.body.readUInt32BE(4) }
  const [depth = 0, color = 0, , , interlaced = 0] = head.body.subarray(8)
  if (!isReasonable(size) || !depths[color]?.includes(depth) || (color === 3 && !has('PLTE'))) return false
  // What pdfkit would print wrongly: single transparent colours, and sub-byte pixels that need unpacking.
  if (has('tRNS') && (color !== 3 || depth < 8)) return false
  if (interlaced !== 0 && depth < 8) return false
  const packed = Buffer.concat(parts.filter(part => part.type === 'IDAT').map(part => part.body))
  return isSoundImageData(packed, size, depth * (channels[color] ?? 0), interlaced === 0 ? whole : adam7)
}

const isPrintable = (data: Buffer) => {
  if (data.length < 12 || data.length > largestFile) return false
  if (data.readUInt16BE(0) === 0xffd8) return isJpeg(data)
  return data.readUInt32BE(0) === 0x89504e47 && isPng(data)
}

type OpenImage = Size & { orientation?: number }
type ImageOpener = { openImage: (data: Buffer) => OpenImage }

/** An opened picture; `aspect` is width divided by height as it will stand on the page. */
export type Picture = { image: PDFKit.Mixins.ImageSrc; aspect: number }

/**
 * Opens a picture for a document: a whole JPEG or PNG of at most 8 MB and 24 million pixels. Null for anything else;
 * never throws, whatever the bytes are.
 */
export const openPicture = (doc: PDFKit.PDFDocument, data: Buffer): Picture | null => {
  try {
    if (!isPrintable(data)) return null
    // pdfkit's types leave openImage out.
    const image = (doc as unknown as ImageOpener).openImage(data)
    const upright = (image.orientation ?? 1) <= 4
    const aspect = upright ? image.width / image.height : image.height / image.width
    return { image: image as unknown as PDFKit.Mixins.ImageSrc, aspect }
  } catch {
    return null
  }
}
