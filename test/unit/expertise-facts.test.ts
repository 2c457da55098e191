import { execFileSync } from 'node:child_process'
import { ingredientKeys } from '../../shared/contract/labels/label-tables.ts'
import type { Ingredient, ShownNutrition } from '../../shared/contract/records/facts.ts'
import type { ShownFacts } from '../../shared/documents/elabels/rows.ts'
import { page } from '../../shared/documents/expertise/design.ts'
import { drawSheet } from '../../shared/documents/expertise/sheet.ts'
import { pageCount, textOf } from '../support/expertise-sheet-reader.ts'
import { bare, extreme, full, manyDetails } from '../support/expertise-sheet-samples.ts'
import { readQr } from '../support/qr-reader.ts'

const nutrition: ShownNutrition = {
  ...{ kj: 294, kcal: 71, computed: 1, fat: null, saturates: null, carbohydrate: '1.0', sugars: '0.3' },
  ...{ protein: null, salt: null, negligible: ['fat', 'saturates', 'protein', 'salt'] },
}
const ingredients: Ingredient[] = [
  { key: 'sulphites' },
  { key: 'grapes' },
  { key: 'tartaric_acid', and_or: 1 },
  { key: 'malic_acid', and_or: 1 },
  { key: 'bottled_in_protective_atmosphere' },
  { name: 'Eichenholz', class: 'other', names: { en: 'Oak wood' } },
]
const facts: ShownFacts = { ingredients, nutrition, packaging: [] }

const labelUrl = `https://service.example/e/${full.hash}`

const all: Ingredient[] = [
  ...ingredientKeys.map(key => ({ key })),
  ...Array.from({ length: 30 }, (_, n) => ({ name: `Zutat ${n} mit einem langen Namen`, class: 'other' as const })),
]

test('a sheet lists ingredients by class with allergens in capitals, the nutrition declaration and the energy', async () => {
  const text = textOf(await drawSheet(full, { facts }))
  expect(text).toContain(
    'Trauben; Säureregulatoren: enthält Weinsäure und/oder Äpfelsäure; Konservierungsstoff: SULFITE; unter Schutzatmosphäre abgefüllt; Eichenholz',
  )
  expect(text).toContain('E (100 ml): 294 kJ / 71 kcal')
  expect(text).toContain('Kohlenhydrate 1,0 g, davon Zucker 0,3 g.')
  expect(text).toContain('Enthält geringfügige Mengen von Fett, gesättigten Fettsäuren, Eiweiß und Salz.')
})

test('an English sheet lists them in English', async () => {
  const text = textOf(await drawSheet({ ...full, language: 'en' }, { facts }))
  expect(text).toContain('acidity regulators: contains tartaric acid and/or malic acid; preservative: SULPHITES')
  expect(text).toContain('Oak wood')
})

test('a sheet of a wine without facts has nothing of them', async () => {
  const none: ShownFacts = { ingredients: [], nutrition: null, packaging: [] }
  const plain = await drawSheet(bare, {})
  expect(textOf(await drawSheet(bare, { facts: none }))).toBe(textOf(plain))
  expect(textOf(plain)).not.toMatch(/ZUTATEN|E \(100 ml\)/)
})

test('a sheet shows no energy of which a unit is unknown', async () => {
  const text = textOf(await drawSheet(bare, { facts: { ...facts, nutrition: { ...nutrition, kcal: null } } }))
  expect(text).toContain('ZUTATEN')
  expect(text).not.toContain('E (100 ml)')
})

test.each([
  ['full', full],
  ['extreme', extreme],
])('the longest list of ingredients of a %s record is whole, on one page', async (_, wine) => {
  const pdf = await drawSheet(wine, { ...manyDetails, labelUrl, facts: { ...facts, ingredients: all } })
  expect(pageCount(pdf)).toBe(1)
  expect(textOf(pdf)).toContain('Zutat 29 mit einem langen Namen')
  expect(textOf(pdf)).toContain('E (100 ml): 294 kJ / 71 kcal')
})

/** The lower right corner of a sheet's body at 300 dpi, where its QR code is; undefined without poppler-utils. */
const cornerOf = (pdf: Buffer): Buffer | undefined => {
  const dots = (points: number) => String(Math.round((points * 300) / 72))
  const [x, y, side] = [dots(page.right - 66), dots(page.footer - 90), dots(76)]
  const area = ['-x', x, '-y', y, '-W', side, '-H', side]
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' })
  } catch {
    console.log('pdftoppm (poppler-utils) is not installed: the QR code of a sheet is not read')
    return undefined
  }
  return execFileSync('pdftoppm', ['-png', '-r', '300', ...area, '-'], { input: pdf })
}

test('a sheet has the QR code of a published label, and none without one', async () => {
  const pdf = await drawSheet(full, { facts, labelUrl })
  expect(pdf.toString('latin1')).toContain(`/Alt (${labelUrl})`)
  const corner = cornerOf(pdf)
  if (corner) expect((await readQr(corner))?.text).toBe(labelUrl)
  expect((await drawSheet(full, { facts })).toString('latin1')).not.toContain('/Alt')
})
