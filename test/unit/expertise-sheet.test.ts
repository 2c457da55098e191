import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { sheetContent } from '../../shared/expertise/content.ts'
import { page } from '../../shared/expertise/design.ts'
import { drawSheet, templateVersion } from '../../shared/expertise/sheet.ts'
import type { Wine } from '../../shared/wines/record.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const bare: Wine = {
  ...{ id: 7, name: 'Riesling', articlenumber: null, taste_id: null, vintage: null, alcohol: null, sweetness: null },
  ...{ acid: null, bottlesize: '0.750', drinktemperature: null, gross: '0.00', net: '0.00', tax: '0.00', taxrate: 19 },
  ...{ place: null, description: null, image: null, pdf: null, active: 1, type: 'white', region: 1008 },
  ...{ countrycode: 'de', cuvee: 0, nostock: 0, nostocktext: null, quality: null, quality_note: null },
  ...{ bottling_type: null, path_segment: 'riesling', customers_id: 1, origin_id: null, language: 'de', cruser_id: 1 },
  ...{ crstamp: '2024-03-01 10:00:00', chstamp: '2024-03-12 10:00:00', winery_id: null, weight: 0, gtin: null },
  ...{
    terroir: null,
    maturation: null,
    cap: null,
    bio: 0,
    vegan: 0,
    sorting: 0,
    topseller: 0,
    network: 0,
    internal: 0,
  },
  ...{ public: 1, shop: 1, winesearch: 0, expertisePdf: null, hash: 'a'.repeat(32), version: 1, translations: [] },
  ...{ prices: [], winery: null, categoryIds: [], allergenIds: [], grapetypeIds: [] },
}

const winery: NonNullable<Wine['winery']> = {
  ...{ id: 1, name: 'Weingut Sonnenberg', company: null, taxid: null, address: 'Rheinstraße 12', zip: '65385' },
  ...{ city: 'Rüdesheim', region: 1008, countrycode: 'de', mail: null, phone: null, image: null, freetext: null },
  ...{ fax: null, www: null, vineyard: null, harvest: null, bestplaces: null, memberof: null, charindex: null },
  ...{ sorting: 0, customers_id: 1, crstamp: '', cruser_id: 1, chstamp: '', active: 1, network: 0, internal: 0 },
  ...{ public: 1 },
}

const full: Wine = {
  ...bare,
  ...{ name: 'Berg Schlossberg', vintage: 2021, articlenumber: 'RBS-21', taste_id: 1, alcohol: '12.5', acid: '7.8' },
  ...{ sweetness: '4.2', drinktemperature: '8-10', gross: '24.90', place: 'Assmannshausen', quality: 'spaetlese' },
  ...{ bottling_type: 'producer', cap: 'screw', bio: 1, vegan: 1, gtin: '4012345678901', winery, allergenIds: [12, 7] },
  ...{ description: 'Pfirsich und Feuerstein.', terroir: 'Quarzit.', maturation: 'Im Stückfass.' },
}

const pangram = 'Żółć gęślą jaźń, příliš žluťoučký kůň, árvíztűrő tükörfúrógép – „süß“ 🍷. Er ist groß! '
const extreme: Wine = {
  ...full,
  ...{ name: 'Großes Gewächs „Ölberg“ '.repeat(11).slice(0, 255), description: pangram.repeat(200).slice(0, 10_000) },
  ...{
    terroir: 'Löss '.repeat(800),
    maturation: 'W'.repeat(4000),
    place: 'Ort '.repeat(63),
    quality: 'Güte '.repeat(51),
  },
  ...{ articlenumber: 'A'.repeat(255), quality_note: 'ű'.repeat(255), drinktemperature: 'kühl '.repeat(51) },
  ...{ allergenIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], gross: '9999999.99', alcohol: '100.0' },
  ...{ winery: { ...winery, name: 'Weingut '.repeat(31), address: 'Straße'.repeat(42), city: 'Ő'.repeat(255) } },
}
const manyDetails = { grapeNames: Array(40).fill('Blaufränkisch'), merchant: { name: 'Kontor '.repeat(36) } }

const chunk = (type: string, body: Buffer) => {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  check.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), body])))
  return Buffer.concat([length, Buffer.from(type), body, check])
}
/** A PNG of width × 20 pixels; color 2 is RGB, 6 has an alpha channel. */
const png = (rows: Buffer, { width = 10, color = 6, interlaced = 0 } = {}) => {
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, 20, 8, color, 0, 0, interlaced])
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}
const alphaPng = png(deflateSync(Buffer.alloc(20 * 41)))
const interlacedPng = png(deflateSync(Buffer.alloc(27 + 15 + 26 + 45 + 105 + 210 + 410)), { interlaced: 1 })
const jpeg = Buffer.from('ffd8ffc0000b080010001001011100ffda0008010100003f0055ffd9', 'hex')

const streams = (pdf: Buffer) =>
  Array.from(pdf.toString('latin1').matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs), ([, id = '', source = '']) => {
    const [dictionary = '', packed] = source.split('\nstream\n')
    const packedBytes = Buffer.from(packed?.replace(/\n\nendstream$/, '') ?? '', 'latin1')
    const isText = packed !== undefined && dictionary.includes('FlateDecode') && !dictionary.includes('/Image')
    return { id, dictionary, content: isText ? inflateSync(packedBytes).toString('latin1') : '' }
  })

type Run = { text: string; x: number; y: number; glyphs: string[] }

/** The sheet's lines of text with where they start (points from the upper left), read from the file itself. */
const runsOf = (pdf: Buffer): Run[] => {
  const objects = streams(pdf)
  const byId = new Map(objects.map(object => [object.id, object]))
  const fonts = objects.map(({ dictionary }) => /\/Font <<(.*?)>>/s.exec(dictionary)?.[1]).find(list => list) ?? ''
  const maps = new Map<string, string[]>()
  for (const [, name = '', id = ''] of fonts.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const cmap = byId.get(/\/ToUnicode (\d+)/.exec(byId.get(id)?.dictionary ?? '')?.[1] ?? '')?.content ?? ''
    const lists = Array.from(cmap.matchAll(/\[(.*?)\]/g), ([, list = '']) => [...list.matchAll(/<(.*?)>/g)]).flat()
    const letters = lists.map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    )
    maps.set(name, letters)
  }
  const drawn = objects.map(({ content }) => content).find(content => content.includes('\nBT\n')) ?? ''
  return Array.from(drawn.matchAll(/BT\n(.*?)ET/gs), ([, block = '']) => {
    const [, x = '', y = ''] = /1 0 0 1 (\S+) (\S+) Tm/.exec(block) ?? []
    const letters = maps.get(/\/(F\d+)/.exec(block)?.[1] ?? '') ?? []
    const glyphs = Array.from(block.matchAll(/<([0-9a-f]+)>/g), ([, hex = '']) => hex.match(/.{4}/g) ?? []).flat()
    const text = glyphs.map(glyph => letters[Number.parseInt(glyph, 16)]).join('')
    return { text, x: Number(x), y: 841.89 - Number(y), glyphs }
  })
}

const wordsIn = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ')
const textOf = (pdf: Buffer) =>
  wordsIn(
    runsOf(pdf)
      .map(({ text }) => text)
      .join(' '),
  )
const pageCount = (pdf: Buffer) => [...pdf.toString('latin1').matchAll(/\/Type \/Page\b(?!s)/g)].length

const reader = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return (pdf: Buffer) => wordsIn(execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' }))
  } catch {
    console.log("pdftotext (poppler-utils) is not installed: the sheet is read with the test's own reader only")
    return textOf
  }
})()

test('the sheet of a full record is one A4 page that says everything a buyer asks', async () => {
  const pdf = await drawSheet(full, {
    merchant: { name: 'Weinkontor Müller', city: 'Mainz' },
    grapeNames: ['Riesling'],
  })
  expect(pageCount(pdf)).toBe(1)
  expect(pdf.toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]')
  const said = ['WEISSWEIN · RHEINGAU', 'BIO', 'VEGAN', 'Berg Schlossberg', '2021', 'Weingut Sonnenberg, Rüdesheim']
  said.push(
    '12,5 % vol',
    '4,2 g/l',
    '7,8 g/l',
    '0,75 l',
    '8–10 °C',
    'trocken',
    'Spätlese',
    'Riesling',
    'Assmannshausen',
  )
  said.push('Rheingau, Deutschland', 'Rheinstraße 12', '65385 Rüdesheim', 'Erzeugerabfüllung', 'Schraubverschluss')
  said.push('Milch, Sulfite', 'RBS-21', '4012345678901', '24,90 €', '33,20 € je Liter · inkl. 19 % MwSt.', 'Terroir')
  said.push(
    'Pfirsich und Feuerstein.',
    'Quarzit.',
    'Im Stückfass.',
    'Weinkontor Müller',
    'Mainz',
    'Stand 12. März 2024',
  )
  const texts = [textOf(pdf), reader(pdf)]
  for (const text of texts) for (const words of said) expect(text).toContain(words)
})

test('a record without data leaves no empty headings', async () => {
  const text = textOf(await drawSheet(bare))
  expect(text).toBe('WEISSWEIN · RHEINGAU Riesling INHALT 0,75 l HERKUNFT Rheingau, Deutschland Stand 12. März 2024')
})

test('an English record is told in English', () => {
  const content = sheetContent({ ...full, language: 'en' })
  expect(content.eyebrow).toBe('White wine · Rheingau')
  expect(content.asOf).toBe('As of 12 March 2024')
  expect(content.analysis[0]).toEqual({ label: 'Alcohol', value: '12.5\u00a0% vol' })
  expect(content.facts.find(({ label }) => label === 'Price')).toMatchObject({ value: '€24.90' })
})

test('a quality key is worded as its country uses it and free text stays', () => {
  const worded = (countrycode: string, quality: string) =>
    sheetContent({ ...bare, countrycode, quality }).facts.find(({ label }) => label === 'Qualität')?.value
  expect(worded('de', 'specialquality')).toBe('Prädikatswein')
  expect(worded('it', 'docg')).toBe('Denominazione di Origine Controllata e Garantita (DOCG)')
  expect(worded('ch', 'Grand Cru')).toBe('Grand Cru')
  expect(worded('de', 'notspecified')).toBeUndefined()
})

test('the caller replaces single words and gives the region a name', () => {
  const content = sheetContent({ ...full, region: 6001 }, { regionName: 'Piemonte', labels: { bio: 'DE-ÖKO-006' } })
  expect(content).toMatchObject({ eyebrow: 'Weißwein · Piemonte', marks: ['DE-ÖKO-006', 'Vegan'] })
})

test('the same wine gives the same bytes and a change of it gives others', async () => {
  const [first, again] = [await drawSheet(full, { picture: alphaPng }), await drawSheet(full, { picture: alphaPng })]
  expect(again.equals(first)).toBe(true)
  expect((await drawSheet({ ...full, vintage: 2022 }, { picture: alphaPng })).equals(first)).toBe(false)
})

test.each([
  ['without a picture', undefined],
  ['beside a picture', alphaPng],
])('the longest texts stay on one page and inside their areas %s', async (_, picture) => {
  const pdf = await drawSheet(extreme, { ...manyDetails, ...(picture ? { picture } : {}) })
  expect(pageCount(pdf)).toBe(1)
  const runs = runsOf(pdf).filter(({ text }) => text.trim() !== '')
  for (const { x, y } of runs) {
    expect(x).toBeGreaterThanOrEqual(page.left - 1)
    expect(x).toBeLessThan(page.right)
    expect(y).toBeGreaterThan(page.top)
    expect(y < page.bodyEnd || (y > page.footer && y < 815)).toBe(true)
  }
  const text = textOf(pdf)
  for (const { label } of sheetContent(extreme, manyDetails).facts) expect(text).toContain(label.toUpperCase())
  for (const words of ['Żółć gęślą jaźń', 'tükörfúrógép', '„süß“. Er ist groß!', '…']) expect(text).toContain(words)
  expect(reader(pdf)).toContain('Żółć gęślą jaźń')
})

test('a long description ends at a sentence with an ellipsis', async () => {
  const text = textOf(await drawSheet({ ...bare, description: 'Ein Satz vom Wein. '.repeat(520) }))
  expect(text).toContain('Ein Satz vom Wein. … Stand')
})

test('characters without a glyph are dropped, never printed as boxes', async () => {
  const pdf = await drawSheet({ ...full, name: 'Sommer 🍷! 葡萄 \u0007x\u200d\ufe0f', description: '👍🏽' })
  const runs = runsOf(pdf)
  expect(runs.flatMap(({ glyphs }) => glyphs)).not.toContain('0000')
  expect(runs.map(({ text }) => text)).toContain('Sommer! x')
})

test.each([
  ['PNG with transparency', alphaPng],
  ['interlaced PNG', interlacedPng],
  ['JPEG', jpeg],
])('a %s stands on the sheet', async (_, picture) => {
  const pdf = await drawSheet(full, { picture })
  expect(pdf.toString('latin1')).toContain('/Subtype /Image')
  expect(pageCount(pdf)).toBe(1)
})

test.each([
  ['text', Buffer.from('not a picture at all')],
  ['an empty file', Buffer.alloc(0)],
  ['a PNG cut short', alphaPng.subarray(0, -20)],
  ['a PNG with unpackable data', png(Buffer.from('garbage'))],
  ['a PNG with too few rows', png(deflateSync(Buffer.alloc(41)))],
  ['a PNG with an unknown row filter', png(deflateSync(Buffer.alloc(20 * 41, 9)))],
  ['a PNG without width', png(deflateSync(Buffer.alloc(20)), { width: 0 })],
  ['a JPEG cut short', jpeg.subarray(0, -4)],
])('%s in place of a picture leaves the sheet as it is without one', async (_, picture) => {
  expect((await drawSheet(full, { picture })).equals(await drawSheet(full))).toBe(true)
})

test('whatever the texts and picture are, the sheet is one page', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  const noise = fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.concat([alphaPng.subarray(0, 60), bytes]))
  const property = fc.asyncProperty(text, text, fc.option(text), noise, async (name, words, place, picture) => {
    const wine = { ...full, name, place, description: words.repeat(20), terroir: words, articlenumber: words }
    expect(pageCount(await drawSheet(wine, { picture }))).toBe(1)
  })
  await fc.assert(property, { numRuns: 12 })
})

test('the template names an existing file and the time of a change that has happened', () => {
  expect(existsSync(join(root, templateVersion.file))).toBe(true)
  expect(templateVersion.date * 1000).toBeLessThan(Date.now())
})

test('a bundle with the fonts beside it draws the same sheet as the source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
  try {
    const [entry, bundle] = [join(folder, 'entry.ts'), join(folder, 'index.mjs')]
    const module = JSON.stringify(join(root, 'shared/expertise/sheet.ts'))
    writeFileSync(
      entry,
      `import { drawSheet } from ${module}\nprocess.stdout.write(await drawSheet(${JSON.stringify(full)}))`,
    )
    const esbuild = join(root, 'node_modules/.bin/esbuild')
    execFileSync(esbuild, [entry, '--bundle', '--platform=node', '--format=esm', `--outfile=${bundle}`], {
      stdio: 'pipe',
    })
    cpSync(join(root, 'shared/expertise/fonts'), join(folder, 'fonts'), { recursive: true })
    expect(execFileSync(process.execPath, [bundle]).equals(await drawSheet(full))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
