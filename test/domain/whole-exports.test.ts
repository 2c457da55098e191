import { writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { clients } from '../../lib/tool/imports/clients.ts'
import { grapes } from '../../lib/tool/imports/grapes.ts'
import { fileKinds } from '../../lib/tool/imports/kinds.ts'
import { packages } from '../../lib/tool/imports/packages.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { importWines, wines } from '../../lib/tool/imports/wines.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { newShop, recordOf } from '../support/harness.ts'
import { arbitraryWines, catalogueOf, categories } from '../support/imported-wines.ts'
import { newFolder } from '../support/tool.ts'
import { facts } from '../support/wine-facts.ts'

// A merchant's files, imported for a merchant without records, are that merchant's files.

const folder = await newFolder()
// Price ranges, categories and grapes before the records that name them.
const kinds = ['price-ranges', 'categories', 'grapes', 'packages', 'products', 'clients', 'wines'].map(name => {
  const kind = fileKinds.find(one => one.name === name)
  if (!kind) throw new Error(`there is no kind ${name}`)
  return kind
})

const shop = await newShop('Kellerei Vorher')

const hostile = ['=1+1', '"', ';,|\\', "a'b", '-', '🍷 Ω', 'x=y|z\\=', '0012', '1,5', 'null', '#'] as const

await importRecords(shop.id, grapes, [{ id: 200_001, name: 'Souvignier | gris' }])
await importRecords(shop.id, packages, [
  { type: 'bottles', min_bottles: 1, max_bottles: 6, gross: '5.90', taxrate: 19 },
])
for (const [n, text] of hostile.entries()) {
  recordOf(await shop.call('priceRanges/edit', { data: { name: text } }))
  const { id } = recordOf(await shop.call('categories/add', { data: { name: text, description: `${text}\n${text}` } }))
  recordOf(await shop.call('products/add', { data: { name: text, gross: '9.90', categoryIds: [id] } }))
  const client = { last_name: text, invoice_remark: `${text}\n\n${text}`, price_range: text }
  await importRecords(shop.id, clients, [n % 2 ? { ...client, id: 5000 - n } : { ...client, number: `K ${text}` }])
  await importRecords(shop.id, products, [
    { articlenumber: `P ${text}`, name: text, gross: '1.00', stock: n, pdf: text },
  ])
}
const wine = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1005 }
const add = async (data: object) => recordOf(await shop.call('wines/add', { data }))
const analysed = { alcohol: '12', sweetness: '3', acid: '6' }
// A translation that is older than its original, one with facts and a number of its own, and one that was published.
const french = await add({ ...wine, language: 'fr', name: 'Le Riesling', shop: 1 })
const { id: unnumbered } = await add({ ...wine, ...analysed, facts: { ...facts, published: 1 } })
recordOf(await shop.call('wines/edit', { id: french.id, data: { origin_id: unnumbered } }))
recordOf(await shop.call('wines/edit', { id: unnumbered, data: { facts: { published: 0 } } }))
const { id: numbered } = await add({ ...wine, articlenumber: 'A-1', path_segment: 'der-riesling', image: 'drawn' })
await add({ ...wine, ...analysed, facts: { ...facts, published: 1 }, language: 'en', origin_id: numbered })
await add({ ...wine, language: 'nl', origin_id: numbered, articlenumber: 'A-1-nl', public: 1 })
recordOf(await shop.call('wines/edit', { id: numbered, data: { facts: { exempt: 0 } } }))
for (const [n, cellar] of fc.sample(arbitraryWines, { seed: 36, numRuns: 12 }).entries()) {
  const { rows } = wines.exportRows(catalogueOf(cellar, { categories }))
  const names = <Name extends string | null | undefined>(name: Name) => (name ? `${n} ${name}` : name)
  const own = rows.map((row, m) => ({
    ...row,
    ...(row.id && { id: 10 * n + row.id }),
    ...(row.origin_id && { origin_id: 10 * n + row.origin_id }),
    articlenumber: names(row.articlenumber),
    original: names(row.original),
    path_segment: `${row.path_segment}-${n}`,
    // The wineries of the samples contradict each other.
    winery: row.winery && { ...row.winery, name: `${row.winery.name} ${n} ${m}` },
  }))
  await importWines(shop.id, own)
}

const filesOf = (merchant: MerchantId, ending: string) =>
  Promise.all(kinds.map(async kind => ({ kind: kind.name, ...(await kind.write(merchant, `rows.${ending}`)) })))

/** Imports the files of a merchant for another; returns the number of records that were added. */
const importAll = async (merchant: MerchantId, files: readonly { text: string }[], ending: string): Promise<number> => {
  let added = 0
  for (const [n, { text }] of files.entries()) {
    const path = folder.path(ending)
    await writeFile(path, text)
    const prepared = await kinds[n]?.prepare(merchant, path)
    expect([kinds[n]?.name, prepared?.view.refusals, prepared?.view.changes]).toEqual([kinds[n]?.name, [], []])
    await prepared?.apply(() => {})
    added += prepared?.view.additions.length ?? 0
  }
  return added
}

test.each([
  'csv',
  'json',
])('all files of a merchant as %s, imported for another merchant, are byte for byte its files', async ending => {
  const { id } = await newShop('Kellerei Nachher')
  const files = await filesOf(shop.id, ending)
  expect(await importAll(id, files, ending)).toBe(files.reduce((sum, { count }) => sum + count, 0))
  expect(await filesOf(id, ending)).toEqual(files)
  expect(await importAll(id, files, ending)).toBe(0)
  expect(files.map(({ leftOut }) => leftOut)).toEqual(kinds.map(() => 0))
})

test('translations are listed by their originals, and are public and published as before', async () => {
  const { id } = await newShop('Kellerei Dritte')
  await importAll(id, await filesOf(shop.id, 'json'), 'json')
  const [before, after] = await Promise.all(
    [shop.id, id].map(async merchant => {
      const { wines: all } = await wines.read(merchant)
      return all.map(({ name, label, translations, publicTranslations = [], ...wine }) => ({
        ...{ name, label: label === 'withdrawn' ? undefined : label, shown: publicTranslations.length },
        original: all.find(one => one.id === wine.origin_id)?.path_segment,
        translations: translations.map(({ language, path_segment }) => [language, path_segment]).toSorted(),
      }))
    }),
  )
  expect(after).toEqual(before)
})
