import { motifOf } from '../../shared/catalogue/wines/stored.ts'
import { drawSheet } from '../../shared/documents/expertise/sheet.ts'
import { drawWine } from '../../shared/media/pictures/drawn/picture.ts'
import { forSheet } from '../../shared/media/pictures/raster.ts'
import { pageCount, textOf } from '../support/expertise-sheet-reader.ts'
import { bare, extreme, full, manyDetails } from '../support/expertise-sheet-samples.ts'
import { hostileTexts, hostileWine } from '../support/hostile-sheets.ts'
import { takeMeasured } from '../support/measured-texts.ts'
import { jpegOf, pngOf } from '../support/picture-files.ts'

const drawing = (wine = full) => ({ picture: { drawing: drawWine(motifOf(wine)) } })
const photograph = { jpeg: await forSheet(await jpegOf({ width: 600, height: 900 })), width: 600, height: 900 }

test.each([
  ['full', full],
  ['bare', bare],
  ['extreme', extreme],
])('a %s sheet with a drawn picture is one page, and the same every time', async (_, wine) => {
  const sheet = await drawSheet(wine, { ...manyDetails, ...drawing(wine) })
  expect(pageCount(sheet)).toBe(1)
  expect(sheet.length).toBeLessThan(150_000)
  expect(sheet.equals(await drawSheet(wine, { ...manyDetails, ...drawing(wine) }))).toBe(true)
})

test('a picture removes nothing from the texts of a sheet', async () => {
  const plain = textOf(await drawSheet(full))
  expect(textOf(await drawSheet(full, drawing()))).toBe(plain)
  const photographed = await drawSheet(full, { picture: photograph })
  expect(textOf(photographed)).toBe(plain)
  expect(photographed.includes('/Subtype /Image')).toBe(true)
  expect((await drawSheet(full)).includes('/Subtype /Image')).toBe(false)
})

test('transparent areas of a picture are white on the sheet', async () => {
  const jpeg = await forSheet(await pngOf({ color: '#00000000' }))
  expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  const sheet = await drawSheet(full, { picture: { jpeg, width: 300, height: 400 } })
  expect(sheet.includes('/Subtype /Image')).toBe(true)
})

test('the longest texts are measured as little next to a picture', async () => {
  takeMeasured()
  const { wine, details } = hostileWine(hostileTexts['every kind at once'] ?? '')
  expect(pageCount(await drawSheet(wine, { ...details, ...drawing(wine) }))).toBe(1)
  expect(takeMeasured()).toBeLessThan(350_000)
})
