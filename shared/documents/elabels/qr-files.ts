import { crc32, deflateSync } from 'node:zlib'
import { type QrCode, qrCodeOf } from '../typesetting/qr-code.ts'

// The white margin on each side, in modules, that ISO/IEC 18004 requires.
const quietZone = 4

/** Returns the QR code of a text as SVG, 2 cm wide unless the document that includes it says otherwise. */
export const qrSvg = (text: string): string => {
  const { side, runs } = qrCodeOf(text)
  const whole = side + 2 * quietZone
  const dark = runs.map(({ row, from, length }) => `M${from + quietZone} ${row + quietZone}h${length}v1h-${length}z`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}" width="2cm" height="2cm" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${whole}v${whole}H0z"/><path d="${dark.join('')}"/></svg>`
}

// The pixels of a module: a code of version 6 has 490 pixels, more than 1,200 dpi at a size of 1 cm.
const scale = 10

/** A row of modules as PNG stores it: a filter byte, and a bit a pixel, 0 for dark. */
const rowOf = (runs: QrCode['runs'], whole: number): Buffer => {
  const row = Buffer.alloc(1 + Math.ceil((whole * scale) / 8), 0xff)
  row[0] = 0
  for (const { from, length } of runs) {
    const start = (from + quietZone) * scale
    for (let x = start; x < start + length * scale; x++) {
      const at = 1 + (x >> 3)
      row[at] = (row[at] ?? 0) & ~(0x80 >> (x & 7))
    }
  }
  return row
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Returns the QR code of a text as PNG in black and white, ten pixels a module. */
export const qrPng = (text: string): Buffer => {
  const { side, runs } = qrCodeOf(text)
  const whole = side + 2 * quietZone
  const rows = Array.from({ length: whole }, (_, y) =>
    rowOf(
      runs.filter(({ row }) => row + quietZone === y),
      whole,
    ),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(whole * scale, 0)
  header.writeUInt32BE(whole * scale, 4)
  // One bit a pixel, grey.
  header[8] = 1
  const pixels = Buffer.concat(rows.flatMap(row => Array<Buffer>(scale).fill(row)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
