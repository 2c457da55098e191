import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { sheetContent } from '../../shared/documents/expertise/content.ts'
import { page } from '../../shared/documents/expertise/design.ts'
import { drawSheet, templateVersion } from '../../shared/documents/expertise/sheet.ts'
import { pageCount, runsOf, textOf, wordsIn } from '../support/expertise-sheet-reader.ts'
import { bare, extreme, full, manyDetails } from '../support/expertise-sheet-samples.ts'
import { fewerInFastLane } from '../support/sampling.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const reader = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return (pdf: Buffer) => wordsIn(execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' }))
  } catch {
    console.log("pdftotext (poppler-utils) is not installed: the sheet is read with the test's own reader only")
    return textOf
  }
})()

test('the sheet of a full record is one A4 page with everything that a buyer needs', async () => {
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
  const text = textOf(await drawSheet({ ...bare, type: 'destilate', region: 9999, countrycode: 'br' }))
  expect(text).toBe('SPIRITUOSEN · BRASILIEN Riesling INHALT 0,75 l HERKUNFT Brasilien Stand 12. März 2024')
})

test('the day on a sheet is that of the merchant’s time zone', () => {
  const dayIn = (timezone: string) =>
    sheetContent({ ...full, chstamp: '2026-12-31 23:05:00' }, { merchant: { name: 'Müller', timezone } }).asOf
  expect([dayIn('Europe/Berlin'), dayIn('UTC')]).toEqual(['Stand 1. Januar 2027', 'Stand 31. Dezember 2026'])
})

test('an English record has an English sheet', () => {
  const content = sheetContent({ ...full, language: 'en' })
  expect(content.eyebrow).toBe('White wine · Rheingau')
  expect(content.asOf).toBe('As of 12 March 2024')
  expect(content.analysis[0]).toEqual({ label: 'Alcohol', value: '12.5\u00a0% vol' })
  expect(content.facts.find(({ label }) => label === 'Price')).toMatchObject({ value: '€24.90' })
})

test('a quality key is shown in its country’s wording, and free text stays', () => {
  const worded = (countrycode: string, quality: string) =>
    sheetContent({ ...bare, countrycode, quality }).facts.find(({ label }) => label === 'Qualität')?.value
  expect(worded('de', 'specialquality')).toBe('QW besonderer Reife und Leseart, Prädikatswein')
  expect(worded('it', 'docg')).toBe('Denominazione di origine controllata e garantita (DOCG)')
  expect(worded('ch', 'Grand Cru')).toBe('Grand Cru')
  expect(worded('de', 'notspecified')).toBeUndefined()
})

test('a region of any country has its name in the language of the record', () => {
  const eyebrow = (countrycode: string, region: number, language: string) =>
    sheetContent({ ...bare, countrycode, region, language }).eyebrow
  expect(eyebrow('it', 6016, 'de')).toBe('Weißwein · Toskana')
  expect(eyebrow('it', 6016, 'en')).toBe('White wine · Tuscany')
  expect(eyebrow('br', 100_003, 'de')).toBe('Weißwein · Serra Gaúcha')
  expect(eyebrow('ch', 7, 'de')).toBe('Weißwein · Schweiz')
})

test('a type and a bottling without meaning for a buyer are left out', () => {
  const { eyebrow, facts } = sheetContent({ ...bare, type: 'general', bottling_type: 'purchase' })
  expect(eyebrow).toBe('Rheingau')
  expect(facts.map(({ label }) => label)).not.toContain('Abfüllung')
})

test('the caller replaces single words and names the region', () => {
  const content = sheetContent({ ...full, region: 6001 }, { regionName: 'Piemonte', labels: { bio: 'DE-ÖKO-006' } })
  expect(content).toMatchObject({ eyebrow: 'Weißwein · Piemonte', marks: ['DE-ÖKO-006', 'Vegan'] })
})

test('the same wine has the same bytes, and a changed one has others', async () => {
  const [first, again] = [await drawSheet(full), await drawSheet(full)]
  expect(again.equals(first)).toBe(true)
  expect((await drawSheet({ ...full, vintage: 2022 })).equals(first)).toBe(false)
})

test('the longest texts stay on one page and inside their areas', async () => {
  const pdf = await drawSheet(extreme, manyDetails)
  expect(pageCount(pdf)).toBe(1)
  const runs = runsOf(pdf).filter(({ text }) => text.trim() !== '')
  for (const { x, y } of runs) {
    expect(x).toBeGreaterThanOrEqual(page.left - 1)
    expect(x).toBeLessThan(page.right)
    expect(y).toBeGreaterThan(page.top)
    expect(y < page.bodyEnd || (y > page.footer && y < 826)).toBe(true)
  }
  const text = textOf(pdf)
  for (const { label } of sheetContent(extreme, manyDetails).facts) expect(text).toContain(label.toUpperCase())
  for (const words of ['Żółć gęślą jaźń', 'tükörfúrógép', '„süß“ . Er ist groß!', '…']) expect(text).toContain(words)
  expect(reader(pdf)).toContain('Żółć gęślą jaźń')
})

test('a long description ends at a sentence with an ellipsis', async () => {
  const text = textOf(await drawSheet({ ...bare, description: 'Ein Satz vom Wein. '.repeat(520) }))
  expect(text).toContain('Ein Satz vom Wein. … Stand')
})

test('one page is enough for any texts', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  const property = fc.asyncProperty(text, text, fc.option(text), async (name, words, place) => {
    const wine = { ...full, name, place, description: words.repeat(20), terroir: words, articlenumber: words }
    expect(pageCount(await drawSheet(wine))).toBe(1)
  })
  await fc.assert(property, { numRuns: fewerInFastLane(4, 12) })
})

test('the template names an existing file and the time of a past change', () => {
  expect(existsSync(join(root, templateVersion.file))).toBe(true)
  expect(templateVersion.date * 1000).toBeLessThan(Date.now())
})

test('a bundle with the fonts next to it draws the same sheet as the source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
  try {
    const [entry, bundle] = [join(folder, 'entry.ts'), join(folder, 'index.mjs')]
    const module = JSON.stringify(join(root, 'shared/documents/expertise/sheet.ts'))
    writeFileSync(
      entry,
      `import { drawSheet } from ${module}\nprocess.stdout.write(await drawSheet(${JSON.stringify(full)}))`,
    )
    const esbuild = join(root, 'node_modules/.bin/esbuild')
    execFileSync(esbuild, [entry, '--bundle', '--platform=node', '--format=esm', `--outfile=${bundle}`], {
      stdio: 'pipe',
    })
    cpSync(join(root, 'shared/media/letters/fonts'), join(folder, 'fonts'), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    expect(execFileSync(process.execPath, [bundle]).equals(await drawSheet(full))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
