import sharp from 'sharp'
import { drawnPath, isDrawn, isDrawnPath, type Motif, withLinks } from '../../shared/catalogue/wines/stored.ts'
import { block, facesFor, line, type Type, widthOf } from '../../shared/media/pictures/drawn/lettering.ts'
import { drawnPicture } from '../../shared/media/pictures/drawn/picture.ts'
import { drawnSize, pictureAt } from '../../shared/values/picture-name.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { bare } from '../support/expertise-sheet-samples.ts'

const motif: Motif = {
  ...{ id: 12, name: 'Riesling Kabinett', type: 'white', vintage: 2022, countrycode: 'de', region: 1, place: 'Mosel' },
  winery: 'Gut Sonne',
}

test('a drawn picture is the same every time, and contains no text that depends on installed fonts', () => {
  const svg = drawnPicture(motif).toString()
  expect(drawnPicture({ ...motif }).toString()).toBe(svg)
  expect(svg).not.toMatch(/<text|font-family|href|NaN|undefined/)
})

test('every type of wine and each shape of bottle is drawn within its bounds', () => {
  const wines = demoWinesOf('elbufer')
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

const letters: Type = { faceOf: facesFor('グレイス'), font: 'text', size: 40, fill: '#000' }
const drawn = (text: string, type = letters): string =>
  line(text, type, 0, 0)
    .map(({ d }) => d)
    .join('')

test.each([
  ['Japanese', 'グレイス甲州'],
  ['Chinese', '长城葡萄酒'],
  ['Korean', '그랑꼬또'],
  ['Arabic', 'شاتو'],
  ['Hebrew', 'יקבי'],
  ['Georgian', 'ქინძმარაული'],
  ['Armenian', 'Արենի'],
  ['Thai', 'ไวน์'],
  ['Greek', 'Ξινόμαυρο'],
  ['Cyrillic', 'Київ'],
])('a label has each letter of a name in %s, in all of its texts', (_, name) => {
  const outlines = Array.from(name, letter => drawn(letter))
  expect(outlines).not.toContain('')
  const missing = drawn('\ud83c\udf77')
  expect(missing).not.toBe('')
  expect(outlines).not.toContain(missing)
  const bare = { ...motif, name: '', winery: null, place: null, vintage: null }
  for (const field of ['name', 'winery', 'place']) {
    expect([field, drawnPicture({ ...bare, [field]: name }).length > drawnPicture(bare).length]).toEqual([field, true])
  }
})

test('characters without a glyph are left off the label, without a box', () => {
  const without = drawnPicture({ ...motif, name: 'Sommer', winery: 'Gut', place: '' })
  expect(drawnPicture({ ...motif, name: 'Sommer 🍷', winery: '🥂🏽 Gut', place: '🏞️' }).equals(without)).toBe(true)
  const empty = drawnPicture({ ...motif, name: '', winery: null })
  expect(drawnPicture({ ...motif, name: '🍷🇩🇪', winery: '👩‍🌾' }).equals(empty)).toBe(true)
})

test('on a label, Arabic runs from right to left, and its letters are joined', () => {
  expect(widthOf('بب', letters)).toBeLessThan(2 * widthOf('ب', letters))
  expect(drawn('شاتو 2019 A')).toBe(drawn('A 2019 شاتو'))
})

test('a Japanese name may break between any two characters, a name in another script at blanks only', () => {
  const [width, most] = [260, 4]
  const set = (text: string) => block(text, letters, { width, height: 400, most }, [40]).lines
  expect(set('グレイス甲州鳥居平畑').length).toBeGreaterThan(1)
  expect(set('グレイス甲州鳥居平畑').join('')).toBe('グレイス甲州鳥居平畑')
  expect(set('Blanc-de-Blancs Brut Nature')).toEqual(['Blanc-de-Blancs', 'Brut Nature'])
})

test('Chinese characters have Japanese glyphs if the label contains kana', () => {
  expect(drawn('直')).not.toBe(drawn('直', { ...letters, faceOf: facesFor('直') }))
})

test('a Georgian name keeps its small letters, since Georgian words do not mix capitals with them', () => {
  const named = (name: string) => drawnPicture({ ...motif, name, winery: null }).toString()
  expect(named('ქინძმარაული')).not.toBe(named(`${'ქ'.toUpperCase()}ინძმარაული`))
})

test('the path of an earlier drawing of a wine still leads to its picture, the path of another motif does not', () => {
  const wine = { ...bare, id: 12, customers_id: 7 }
  const first = '/Images/wine/12/drawn-7-4547da892452e404.webp'
  expect([first, drawnPath(wine)].map(path => isDrawnPath(wine, path))).toEqual([true, true])
  expect(isDrawnPath({ ...wine, name: 'Anders' }, first)).toBe(false)
})

test('a wine with a drawn picture has its path, which follows the motif', () => {
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
