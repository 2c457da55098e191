import { page } from '../../shared/documents/expertise/design.ts'
import { drawSheet } from '../../shared/documents/expertise/sheet.ts'
import { pageCount, runsOf, textOf } from '../support/expertise-sheet-reader.ts'
import { bare, full } from '../support/expertise-sheet-samples.ts'
import { takeMeasured } from '../support/measured-texts.ts'

const reversed = (text: string): string => [...text].reverse().join('')
// A string in a PDF escapes brackets and backslashes.
const withoutEscapes = (pdf: Buffer): string =>
  pdf.toString('latin1').replace(/\\([()\\nrtbf])/g, (_, sign: string) => escapes[sign] ?? sign)
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const drawnName = async (name: string) => runsOf(await drawSheet({ ...bare, name }))

test.each([
  ['Chinese', '长城葡萄酒 五星赤霞珠', 'NotoSansSC'],
  ['traditional Chinese', '臺灣葡萄酒莊園', 'NotoSansSC'],
  ['Japanese', 'グレイス甲州 鳥居平畑', 'NotoSansJP'],
  ['Korean', '그랑꼬또 청수', 'NotoSansKR'],
  ['Georgian', 'ქინძმარაული', 'NotoSerifGeorgian'],
  ['Armenian', 'Արենի', 'NotoSerifArmenian'],
  ['Thai', 'ไวน์', 'NotoSansThai'],
  ['Greek', 'Ξινόμαυρο Νάουσα', 'EBGaramond'],
  ['Cyrillic', 'Шампанское Київ', 'EBGaramond'],
])('a name in %s is drawn', async (_, name, font) => {
  const pdf = await drawSheet({ ...bare, name })
  expect(textOf(pdf)).toContain(name)
  expect(runsOf(pdf).flatMap(({ glyphs }) => glyphs)).not.toContain('0000')
  expect(pdf.toString('latin1')).toContain(font)
})

test('a sheet embeds only the fonts that it needs', async () => {
  expect((await drawSheet(full)).toString('latin1')).not.toContain('Noto')
  expect((await drawSheet({ ...bare, name: 'יין' })).toString('latin1')).not.toContain('NotoSans')
})

test('a line in several scripts contains each of them, in the right place', async () => {
  const [latin, chinese, greek] = ['Wein ', '葡萄酒', ' Οίνος'].map(async text =>
    (await drawnName('Wein 葡萄酒 Οίνος')).find(run => run.text === text),
  )
  const places = (await Promise.all([latin, chinese, greek])).map(run => run?.x ?? 0)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(new Set(places).size).toBe(3)
})

test.each([
  ['Hebrew', 'יקבי', 'כרמל'],
  ['Arabic', 'شاتو', 'كسارا'],
])('%s runs from right to left, and is extracted in reading order', async (_, first, second) => {
  const pdf = await drawSheet({ ...bare, name: `Rot ${first} ${second}` })
  const runs = runsOf(pdf)
  const at = (text: string) => runs.find(run => run.text === text)?.x ?? Number.NaN
  expect(at('Rot ')).toBeLessThan(at(reversed(second)))
  expect(at(reversed(second))).toBeLessThan(at(reversed(first)))
  const said = Buffer.from(`\ufeff${`Rot ${first} ${second}`}`, 'utf16le').swap16()
  expect(withoutEscapes(pdf)).toContain(`/ActualText (${said.toString('latin1')})`)
})

test('Arabic letters are joined', async () => {
  const shapes = async (name: string) => {
    const words = (await drawnName(name)).filter(({ text }) => text.includes('ب'))
    return new Set(words.flatMap(({ glyphs }) => glyphs)).size
  }
  expect(await shapes('ببب')).toBeGreaterThan(await shapes('ب ب ب'))
})

test('figures and brackets in text from right to left keep their meaning', async () => {
  const runs = await drawnName('יין (2019) אדום')
  const order = runs.filter(({ text }) => /^[()\d]+$|[\u0590-\u05ff]/.test(text)).toSorted((a, b) => a.x - b.x)
  expect(order.map(({ text }) => text).slice(0, 5)).toEqual(['םודא', '(', '2019', ')', 'ןיי'])
})

test('a text without blanks is broken into lines, and a text from right to left is aligned at the right', async () => {
  const chinese = runsOf(await drawSheet({ ...bare, description: '酒体饱满，单宁细腻。'.repeat(40) }))
  const lines = chinese.filter(({ text }) => text.includes('酒体'))
  expect(lines.length).toBeGreaterThan(8)
  for (const { text } of lines) expect(text).not.toMatch(/^[，。]/)
  const hebrew = runsOf(await drawSheet({ ...bare, description: 'יין אדום' }))
  expect(hebrew.find(({ text }) => text === 'ןיי')?.x).toBeGreaterThan(page.right - 60)
})

test('letters without a glyph are transliterated, and other characters are left out', async () => {
  const text = textOf(await drawSheet({ ...full, name: 'Sommer 🍷! सुला \u0007x\u200d\ufe0f', description: '🥂🏽 ♘' }))
  expect(text).toMatch(/Sommer ! su?la x/)
  expect(text).not.toContain('□')
})

test('a name without glyphs leaves the title empty, and the document’s metadata has it whole', async () => {
  const pdf = await drawSheet({ ...bare, name: '🍷🇩🇪' })
  expect(runsOf(pdf).flatMap(({ glyphs }) => glyphs)).not.toContain('0000')
  expect(textOf(pdf)).not.toContain('□')
  const title = Buffer.from('\ufeff🍷🇩🇪', 'utf16le').swap16()
  expect(withoutEscapes(pdf)).toContain(`(${title.toString('latin1')})`)
  expect(pdf.toString('utf8')).toContain('<rdf:li xml:lang="x-default">🍷🇩🇪</rdf:li>')
})

test('the longest texts in every script together are drawn with little measuring', async () => {
  takeMeasured()
  const every = '长城葡萄酒，甲州ワイン。그랑꼬또 نبيذ أحمر (2019) יין אדום ღვინო Ξινόμαυρο Вино ไวน์ सुला 🍷 '
  const text = every.repeat(200).slice(0, 10_000)
  const line = text.slice(0, 255)
  const pdf = await drawSheet({ ...full, name: line, place: line, description: text, terroir: line })
  expect(pageCount(pdf)).toBe(1)
  expect(takeMeasured()).toBeLessThan(50_000)
})
