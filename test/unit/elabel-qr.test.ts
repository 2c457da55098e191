import sharp from 'sharp'
import { qrPng, qrSvg } from '../../shared/documents/elabels/qr-files.ts'
import { readQr } from '../support/qr-reader.ts'

const hash = '0123456789abcdef0123456789abcdef'
/** The URL of a label at a domain of so many characters. */
const urlOf = (length: number): string => `https://${'w'.repeat(length - 8)}.example/e/${hash}`

describe.each([
  ['png', qrPng],
  ['svg', (text: string) => Buffer.from(qrSvg(text))],
])('the QR code as %s', (_, make) => {
  test.each([
    12, 25, 40,
  ])('with a domain of %i characters is read at a size of 1 cm, and has version 6 at most', async length => {
    const read = await readQr(make(urlOf(length)))
    expect(read?.text).toBe(urlOf(length))
    expect(read?.version).toBeLessThanOrEqual(6)
  })

  test('is black and white, with a white margin of four modules', async () => {
    const { data, info } = await sharp(make(urlOf(40)), { density: 600 })
      .flatten({ background: '#f00' })
      .grayscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const pixel = (x: number, y: number) => data[(y * info.width + x) * info.channels] ?? 0
    const module = info.width / (37 + 8)
    const at = (x: number, y: number) => pixel(Math.floor((x + 0.5) * module), Math.floor((y + 0.5) * module))
    // Its finder pattern begins behind the margin, with seven dark modules.
    for (let n = 0; n < 45; n++) for (const m of [0, 1, 2, 3]) expect([at(n, m), at(m, n)]).toEqual([255, 255])
    expect([4, 5, 6, 7, 8, 9, 10, 11].map(n => at(n, 4))).toEqual([0, 0, 0, 0, 0, 0, 0, 255])
  })
})

test('the PNG is small, and prints sharply: ten pixels a module', async () => {
  const png = qrPng(urlOf(40))
  expect(png.length).toBeLessThan(2000)
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 450, height: 450, channels: 1 })
})

test('a code is read with a stain on 7 % of it, as error correction M allows', async () => {
  const size = 450
  const stain = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect x="225" y="203" width="113" height="90"/></svg>`,
  )
  const dirty = await sharp(qrPng(urlOf(40)))
    .toColorspace('srgb')
    .composite([{ input: stain }])
    .png()
    .toBuffer()
  expect((await readQr(dirty))?.text).toBe(urlOf(40))
})
