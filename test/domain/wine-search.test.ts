import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { wineOf, wireWine } from '../../shared/catalogue/wines/stored.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { call, type Json, newShop, twin } from '../support/harness.ts'
import { chanceOf } from '../support/indexed-wines.ts'
import { fewerInFastLane, runsAllCases } from '../support/sampling.ts'
import { untilPublished } from '../support/until-published.ts'
import { answerByScan, anyQuestion, found } from '../support/wine-questions.ts'
import { recordOf } from '../support/wine-shop.ts'

const hardNames = [
  'Weißburgunder Große Lage',
  'WEIẞBURGUNDER',
  'Mu\u0308ller-Thurgau',
  'Müller Schloß',
  'Muller',
  'L’Étoile „Alte Reben“',
  '"Alte Reben" \\ 100%_',
  'Crème 🍷 de 🍇🍷',
  'ΜΑΣΤΙΧΑ',
  'İstanbul ıslak',
  '東京 10',
  "'; DROP TABLE wines; --",
]
const hardRows: WineRow[] = hardNames.map((name, n) => ({
  articlenumber: `hard-${n}`,
  name,
  type: n % 2 ? 'rotling' : 'secco',
  countrycode: 'de',
  region: 1005,
  place: ['Löß', null, 'Löss'][n % 3] ?? null,
  winery: { name: n % 2 ? 'Weingut Übermut' : 'Gut Ähre' },
  categories: ['Süßes & Rares'],
}))

const shop = await newShop()
// unit/search-index-oracle asks large indexes; here a fourth of the demo's wines, more than a page.
await importWines(shop.id, [...demoWinesOf('elbufer').filter((_, n) => n % 4 === 0), ...hardRows])
const wines = (await query({ pk: partition('wine', { merchant: shop.id }) })).map(item => wireWine(wineOf(item)))

const list = (question: object) => shop.call('wines/getAll', question)
const search = (question: object) => shop.call('wines/search', question)

describe('a list of wines', () => {
  test('answers random requests like a scan of all wines', async () => {
    const chance = chanceOf(20260401)
    for (let n = 0; n < (runsAllCases ? 160 : fewerInFastLane(20, 60)); n++) {
      const question = anyQuestion(wines, chance)
      const answer = await (n % 2 ? list : search)(question)
      expect({ question, status: answer.status }).toEqual({ question, status: 200 })
      expect({ question, ...found(answer) }).toEqual({ question, ...answerByScan(wines, question) })
    }
  })

  test('contains the records as they are stored', async () => {
    const stored = new Map(wines.map(wine => [wine.id, wine]))
    const { json } = await search({ query: 'alte reben', pageSize: 100 })
    expect(json.data.map(recordOf)).toEqual(json.data.map(({ id }: Wine) => stored.get(id)))
  })

  test('an empty query, filter or order is ignored', async () => {
    const usual = found(await list({}))
    for (const one of [{ query: '' }, { query: null }, { query: [] }, { query: {} }, { filter: [] }, { filter: {} }]) {
      expect({ one, ...found(await list(one)) }).toEqual({ one, ...usual })
    }
    expect(found(await list({ inshop: 0, inwinelist: '0', max: null, pageSize: null, orderBy: '' }))).toEqual(usual)
  })

  test('flags may be booleans, as shops send them', async () => {
    const inShop = wines.filter(({ shop: shown }) => shown === 1).length
    for (const shown of [true, 1, '1']) expect((await list({ filter: { shop: shown } })).json.totalCount).toBe(inShop)
    expect((await list({ filter: { shop: false } })).json.totalCount).toBe(wines.length - inShop)
    const sold = wines.filter(({ shop: shown, active }) => shown === 1 && active === 1).length
    expect(sold).toBeLessThan(inShop)
    expect((await list({ inshop: true })).json.totalCount).toBe(sold)
  })

  test('qrcodes adds the hash of each wine, and the link to its published label, else to its record', async () => {
    const { json } = await list({ pageSize: 30, qrcodes: 1 })
    const labels = new Set<boolean>()
    for (const { id, hash, qrcodes } of json.data) {
      expect(hash).toMatch(/^[0-9a-f]{32}$/)
      const { url } = (await shop.call('facts/getAll', { wine_id: id })).json.label
      labels.add(url !== null)
      expect(qrcodes).toEqual([{ hash, url: url ?? `${twin.url}/wines/getPublic?hash=${hash}` }])
    }
    expect(labels.size).toBe(2)
    const without = await list({ pageSize: 30 })
    expect(without.text).not.toContain('qrcodes')
    expect(new Set(wines.map(({ hash }) => hash)).size).toBe(wines.length)
  })

  test('the link of a QR code leads to the wine, if it has no label', async () => {
    const { json } = await list({ filter: { public: 1 }, query: { active: '1' }, qrcodes: true })
    const { id, qrcodes } = json.data.find((wine: Json) => wine.qrcodes[0].url.includes('getPublic'))
    await untilPublished(shop.id)
    const { pathname, search: asked } = new URL(qrcodes[0].url)
    expect((await call(`${pathname}${asked}`, undefined, { method: 'GET' })).json.data.id).toBe(id)
  })
})

// bad-input.txt and unit/search-parameters have values beyond them.
test('values at the limits of a list are accepted', async () => {
  const phrases = Object.fromEntries(
    ['name', 'place', 'type', 'gtin', 'cap', 'id', 'net', 'tax', 'bio', 'hash'].map(f => [f, '']),
  )
  for (const question of [{ query: '🍷'.repeat(200) }, { query: phrases }, { orderBy: 'id,id,id,id,id' }]) {
    expect((await search(question)).status).toBe(200)
  }
})
