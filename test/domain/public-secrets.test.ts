import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import type { StoredWine } from '../../shared/catalogue/wines/stored.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import { filterFields, scalarFields } from '../../shared/contract/records/wine-fields.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { eventually } from '../support/eventually.ts'
import { call, type Json } from '../support/harness.ts'
import { sampleUnlessAll } from '../support/sampling.ts'
import { untilPublished } from '../support/until-published.ts'
import { idsOf } from '../support/wine-questions.ts'
import { askPublic as ask, newWineShop } from '../support/wine-shop.ts'

// Is in everything that only the merchant may see, and nowhere else.
const canary = 'KANARIENVOGEL'
const amount = '77654.32'
const stock = 424_243
const place = 'Offener Keller'

const shop = await newWineShop()
const row = (name: string, more: Partial<WineRow>): WineRow => ({
  articlenumber: name,
  name,
  type: 'white',
  countrycode: 'de',
  region: 1005,
  ...more,
})
const secret = (name: string, flags: Partial<WineRow>): WineRow => ({
  ...row(`${canary} ${name}`, flags),
  place: canary,
  description: `${canary}.`,
  quality_note: canary,
  terroir: canary,
  vintage: 1234,
  winery: { name: `${canary} ${name}`, freetext: canary },
})
await importWines(shop.id, [
  secret('hidden', { public: 0, active: 1 }),
  secret('inactive', { public: 1, active: 0 }),
  row('Offener Wein', {
    ...{ public: 1, active: 1, network: 1, internal: 1, stock, place, gross: '9.90' },
    prices: [{ priceRange: `${canary} Preis`, gross: amount }],
    winery: { name: 'Offenes Gut' },
  }),
])
const stored = async (): Promise<StoredWine[]> =>
  (await query({ pk: partition('wine', { merchant: shop.id }) })).map(wineOf)
const named = async (name: string) => (await stored()).find(wine => wine.name.endsWith(name)) as StoredWine
const open = await named('Offener Wein')
const hidden = [await named('hidden'), await named('inactive')]
hidden.push(await shop.added({ name: `${canary} translated`, language: 'en', origin_id: open.id }))
const english = await shop.added({ name: 'Open Wine', language: 'fr', origin_id: open.id, public: 1 })
for (const { id } of [open, ...hidden]) await shop.call('wines/getExpertise', { id })
const { hash, expertise } = await named('Offener Wein')

beforeAll(async () => {
  await untilPublished(shop.id)
  // Public lists may be five seconds old.
  await eventually(async () => {
    const lists = [1, 2].map(() => call('/wines/getAll', { filter: { place } }))
    return (await Promise.all(lists)).every(answer => idsOf(answer).includes(open.id))
  })
})

/** Criteria that only a hidden wine or a hidden field could meet. */
const vain = [
  ...[canary, canary.toLowerCase(), amount, hash, String(stock)].map(text => ({ query: text })),
  ...['name', 'place', 'description', 'winery', 'path_segment', 'hash'].map(field => ({ query: { [field]: canary } })),
  { query: { hash: hash.slice(0, 8) } },
  ...['cruser_id', 'network', 'internal', 'version'].map(field => ({
    query: { [field]: field === 'cruser_id' ? 0 : 1 },
  })),
  ...[{ place: canary }, { public: 0 }, { path_segment: hidden.map(wine => wine.path_segment) }, { vintage: 1234 }].map(
    filter => ({ filter }),
  ),
  { winery_id: hidden[0]?.winery_id ?? 0, query: canary },
]
// An order is a matter of one field as of another.
const orders = sampleUnlessAll(scalarFields, 3).map(field => ({ filter: { place }, orderBy: `${field} DESC` }))
const names = [open, english, ...hidden].flatMap(wine => [
  { id: wine.id },
  { hash: wine.hash },
  { path_segment: wine.path_segment },
  { id: open.id, hash: wine.hash },
])
const files = [open, ...hidden].map(wine => ({ wineId: wine.id, expertiseFileName: `${wine.path_segment}.pdf` }))

const words = ['prices', 'network', 'internal', 'cruser_id', 'hash', 'version', 'stock', 'quantity', 'qrcodes', 'names']
const keys = new RegExp(`"(${words.join('|')}|expertise|publicTranslations|priceRangeName)":`)

const expectNoSecret = (text: string) => {
  for (const one of [canary.toLowerCase(), amount, String(stock), hash, expertise?.key ?? canary, 'expertise/']) {
    expect(text.toLowerCase().includes(one)).toBe(false)
  }
  expect(keys.exec(text)?.[0]).toBeUndefined()
}

test('no public answer contains a word of a hidden wine or of a hidden field', async () => {
  const requests: [path: string, parameters: object][] = [
    ...['/wines/getAll', '/wines/search'].flatMap(path =>
      [{}, { filter: { place } }, ...vain, ...orders].map((one): [string, object] => [path, { pageSize: 100, ...one }]),
    ),
    ...filterFields.map((field): [string, object] => ['/wines/getFilters', { filter: [field] }]),
    ...names.map((one): [string, object] => ['/wines/getPublic', one]),
  ]
  const answers = (await Promise.all(requests.map(([path, parameters]) => ask(path, parameters)))).flat()
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(150)
  for (const { text } of answers) expectNoSecret(text)
})

test('hidden values cannot be found by a search or filter', async () => {
  for (const parameters of vain) {
    for (const { json } of await ask('/wines/search', parameters)) {
      expect({ parameters, total: json.totalCount }).toEqual({ parameters, total: 0 })
    }
  }
})

test('the public wine itself is found, with its public translation only', async () => {
  const { json } = await call('/wines/getPublic', { id: open.id })
  expect(json.data).toMatchObject({ name: 'Offener Wein', gross: '9.90', winery: { name: 'Offenes Gut' } })
  expect(json.data.translations.map(({ id }: Json) => id)).toEqual([english.id])
  await shop.edit(english.id, { public: 0 })
  await untilPublished(shop.id)
  expect((await call('/wines/getPublic', { id: open.id })).json.data.translations).toEqual([])
  expect((await shop.get(open.id)).translations).toHaveLength(2)
})

test('the PDF of a hidden wine is not found', async () => {
  const [ofOpen, ...ofHidden] = files
  expect((await call('/wines/downloadExpertise', ofOpen)).status).toBe(302)
  for (const file of ofHidden) {
    const answers = await ask('/wines/downloadExpertise', file)
    const path = `/PDF/${file.wineId}/${encodeURIComponent(file.expertiseFileName)}`
    answers.push(await call(path, undefined, { method: 'GET' }))
    for (const { status, text } of answers) {
      expect(status).toBe(404)
      expectNoSecret(text)
    }
  }
})
