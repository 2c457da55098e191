import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { supplyFiles } from '../../lib/tool/expertise.ts'
import type { Shop } from '../support/harness.ts'
import { fetchRaw, pdfOf } from '../support/pdf-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { tool } from '../support/tool.ts'
import { newWineShop } from '../support/wine-shop.ts'

const folder = temporaryFolder('pdfs')

const shop = await newWineShop()
const numbers = ['R-2023', 'R-2024', 'Müller 1', 'twice', 'twice']
for (const articlenumber of numbers) await shop.added({ articlenumber, public: 1 })
const wineOf = async (articlenumber: string) =>
  (await shop.call('wines/getAll', { query: { articlenumber }, pageSize: 1 })).json.data[0]

const file = async (name: string, bytes: Buffer): Promise<string> => {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, bytes)
  return path
}
const supply = (path: string, articlenumber?: string, merchant: Shop = shop) =>
  supplyFiles(merchant.id, { path, articlenumber, progress: () => {} })
const reasonOf = async (path: string, articlenumber?: string) => {
  const { taken, refused } = await supply(path, articlenumber)
  return [taken, ...refused.map(({ reason }) => reason)]
}
const megabyte = 1024 * 1024

test('a file is supplied to the wine whose article number is its name', async () => {
  const own = pdfOf(3000, 'first')
  expect(await supply(await file('R-2023.PDF', own))).toEqual({ taken: 1, refused: [] })
  const { id, pdf, expertisePdf } = await wineOf('R-2023')
  expect([pdf, expertisePdf]).toEqual(['R-2023.PDF', `/PDF/${id}/R-2023.PDF`])
  expect((await fetchRaw(expertisePdf)).bytes.equals(own)).toBe(true)
})

test('a file of another name is supplied to the given article number', async () => {
  const path = await file('Prüfbericht.pdf', pdfOf(3000, 'report'))
  expect(await supply(path, 'R-2024')).toEqual({ taken: 1, refused: [] })
  expect((await wineOf('R-2024')).pdf).toBe('Prüfbericht.pdf')
})

test('a name with decomposed characters finds its wine, and is linked in its own form', async () => {
  expect(await supply(await file('Mu\u0308ller 1.pdf', pdfOf(3000, 'apart')))).toEqual({ taken: 1, refused: [] })
  const { id, expertisePdf } = await wineOf('Müller 1')
  expect(expertisePdf).toBe(`/PDF/${id}/M%C3%BCller%201.pdf`)
  expect((await fetchRaw(expertisePdf)).status).toBe(200)
})

test.each<[string, () => Buffer, RegExp]>([
  ['is no PDF', () => Buffer.from('<html>%%EOF'), /not a whole PDF/],
  ['is empty', () => Buffer.alloc(0), /not a whole PDF/],
  ['is cut', () => pdfOf(5000, 'cut').subarray(0, 4000), /not a whole PDF/],
  ['is a PDF behind something else', () => Buffer.concat([Buffer.from('x'), pdfOf(100, 'late')]), /not a whole PDF/],
  ['is larger than 20 MB', () => pdfOf(20 * megabyte + 1, 'large'), /larger than 20 MB/],
])('a file that %s is refused, and the former one stays', async (_, bytes, reason) => {
  const before = await wineOf('R-2023')
  expect(await reasonOf(await file('bad/R-2023.pdf', bytes()))).toEqual([0, expect.stringMatching(reason)])
  expect(await wineOf('R-2023')).toEqual(before)
})

test('a file of just 20 MB is accepted', async () => {
  expect(await reasonOf(await file('R-2024.pdf', pdfOf(20 * megabyte, 'just')))).toEqual([1])
})

test.each<[string, string | undefined, RegExp]>([
  ['unknown.pdf', undefined, /no article number/],
  ['R-2023.txt', 'R-2023', /cannot be part of a link/],
  ['.pdf', 'R-2023', /cannot be part of a link/],
  [`${'x'.repeat(201)}.pdf`, 'R-2023', /cannot be part of a link/],
  ['a\\b.pdf', 'R-2023', /cannot be part of a link/],
  ['Was?.pdf', 'R-2023', /cannot be part of a link/],
  ['Nr. #2.pdf', 'R-2023', /cannot be part of a link/],
  ['100%.pdf', 'R-2023', /cannot be part of a link/],
  ['a\nb.pdf', 'R-2023', /cannot be part of a link/],
  ['twice.pdf', undefined, /several wines/],
])('a file called %j is refused', async (name, articlenumber, reason) => {
  expect(await reasonOf(await file(name, pdfOf(100, 'good')), articlenumber)).toEqual([
    0,
    expect.stringMatching(reason),
  ])
})

test('a wine of another merchant gets no file', async () => {
  const other = await newWineShop()
  expect(await supply(await file('R-2023.pdf', pdfOf(100, 'foreign')), undefined, other)).toMatchObject({ taken: 0 })
})

test('a folder is supplied file by file, with progress; files other than PDF are skipped', async () => {
  const path = join(folder, 'all')
  const files = { 'R-2023.pdf': pdfOf(100, 'a'), 'R-2024.pdf': pdfOf(100, 'b'), 'R-2099.pdf': pdfOf(100, 'c') }
  for (const [name, bytes] of Object.entries(files)) await file(`all/${name}`, bytes)
  await file('all/notes.txt', Buffer.from('x'))
  await mkdir(join(path, 'Müller 1.pdf'))
  const { code, out, errors } = await tool('expertise', path, '--merchant', String(shop.id))
  expect(code).toBe(1)
  expect(out).toMatch(/PDFs: 0 of 4[\s\S]*PDFs: 4 of 4\n2 PDFs supplied, 2 refused/)
  expect(errors).toMatch(/R-2099\.pdf is named after no article number/)
  expect(errors).toMatch(/Müller 1\.pdf is no file/)
  expect((await fetchRaw((await wineOf('R-2024')).expertisePdf)).bytes.equals(files['R-2024.pdf'])).toBe(true)
  const again = await tool('expertise', join(path, 'R-2023.pdf'), '--merchant', String(shop.id))
  expect([again.code, again.errors]).toEqual([0, ''])
})

test('a folder accepts no article number, and a path must exist', async () => {
  const folderOfAll = join(folder, 'all')
  const answers = [
    await tool('expertise', folderOfAll, '--merchant', String(shop.id), '--articlenumber', 'R-2023'),
    await tool('expertise', join(folder, 'none'), '--merchant', String(shop.id)),
  ]
  expect(answers.map(({ code }) => code)).toEqual([1, 1])
  expect(answers[0]?.errors).toMatch(/^an article number can be given for a single file only\n$/)
  expect(answers[1]?.errors).toMatch(/^there is no file or folder .*\n$/)
})
