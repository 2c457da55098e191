import sharp from 'sharp'
import { demoWines } from '../../lib/tool/demo/cellar.ts'
import { drawnSize, pictureAt } from '../../shared/picture-name.ts'
import { drawnPicture } from '../../shared/pictures/drawn/picture.ts'
import { drawnPath, isDrawn, type Motif, withLinks } from '../../shared/wines/links.ts'
import { bare } from '../support/expertise-sheet-samples.ts'

const motif: Motif = {
  ...{ id: 12, name: 'Riesling Kabinett', type: 'white', vintage: 2022, countrycode: 'de', region: 1, place: 'Mosel' },
  winery: 'Gut Sonne',
}

test('a drawn picture is the same every time, and has no text that a font of the machine could change', () => {
  const svg = drawnPicture(motif).toString()
  expect(drawnPicture({ ...motif }).toString()).toBe(svg)
  expect(svg).not.toMatch(/<text|font-family|href|NaN|undefined/)
})

test('every type of wine and each shape of bottle is drawn within its bounds', () => {
  const wines = demoWines()
  const types = new Set(wines.map(({ type }) => type))
  for (const type of types) {
    const row = wines.find(wine => wine.type === type)
    const svg = drawnPicture({ ...motif, ...row, type, id: 16, winery: row?.winery?.name ?? null }).toString()
    expect([type, /NaN|undefined/.test(svg)]).toEqual([type, false])
  }
})

test.each(['name', 'vintage', 'type', 'winery', 'id'] as const)('another %s is another picture', field => {
  const changed = { name: 'Silvaner', vintage: 2023, type: 'red', winery: 'Gut Mond', id: 20 }[field]
  expect(drawnPicture({ ...motif, [field]: changed }).equals(drawnPicture(motif))).toBe(false)
})

test.each([
  'x'.repeat(255),
  'Ein sehr langer Name eines Weines '.repeat(7),
  '酒 🍷',
  '',
  '\u0301\u0301',
  '<script>alert("x")</script> & \'"',
])('a wine called %j is drawn', async name => {
  const svg = drawnPicture({ ...motif, name, winery: name, place: name, vintage: null })
  expect(svg.toString()).not.toMatch(/NaN|undefined|script/)
  expect(svg.length).toBeLessThan(400_000)
  const { width, height } = await sharp(svg).metadata()
  expect({ width, height }).toEqual(drawnSize)
})

test('a wine that asks for a drawn picture has its path, which follows what it shows', () => {
  const wine = withLinks({ ...bare, id: 12, customers_id: 7, image: 'drawn' })
  expect(wine.image).toMatch(/^\/Images\/wine\/12\/drawn-7-[0-9a-f]{16}\.webp$/)
  expect(pictureAt(wine.image ?? '')).toMatchObject({ owner: '12', drawnFor: 7 })
  expect([isDrawn(wine.image), withLinks(wine).image]).toEqual([true, wine.image])
  const renamed = withLinks({ ...wine, name: 'Anders' })
  expect(renamed.image).toBe(drawnPath({ ...wine, name: 'Anders' }))
  expect(renamed.image).not.toBe(wine.image)
  expect(withLinks({ ...wine, description: 'anders' }).image).toBe(wine.image)
  for (const image of [null, '/Images/Wine/12.png', 'https://example.org/a.png']) {
    expect(withLinks({ ...wine, image }).image).toBe(image)
  }
})
