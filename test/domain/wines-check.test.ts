import { newCellar } from '../support/cellar.ts'
import { setMerchant } from '../support/checkout.ts'
import { type Json, newShop, type Shop } from '../support/harness.ts'
import { analysis, facts } from '../support/wine-facts.ts'

const shop = await newCellar('Kellerei Prüfstein')
const base = { type: 'white', countrycode: 'de', region: 1008, vintage: 2024, allergenIds: [12], gross: '9.50' }
const add = async (name: string, data: Json): Promise<number> =>
  (await shop.call('wines/add', { data: { name, articlenumber: name, ...base, ...data } })).json.data.id
const complete = await add('complete', { ...analysis, shop: 1, facts: { ...facts, published: 1 } })
const bare = await add('bare', { public: 1, alcohol: '12.0' })
await add('unseen', { shop: 0, public: 0 })
await add('inactive', { active: 0, shop: 1, public: 1 })

const check = async (body: Json = {}): Promise<Json> => (await shop.call('wines/check', body)).json
const wordsOf = ({ missing }: Json) => missing.map(({ word }: Json) => word)

describe('wines/check', () => {
  test('lists each wine that is for sale, those of the shop first, with what is missing', async () => {
    const { data, totalCount, incomplete } = await check()
    expect(data.map((one: Json) => [one.id, one.articlenumber, one.name, one.vintage, wordsOf(one)])).toEqual([
      [complete, 'complete', 'complete', 2024, []],
      [bare, 'bare', 'bare', 2024, ['bottler', 'ingredients', 'nutrition']],
    ])
    expect([totalCount, incomplete]).toEqual([2, 1])
  })

  test('has pages of its own', async () => {
    const first = await check({ pageSize: 1 })
    expect([first.data.length, first.totalCount, first.pages.total, first.incomplete]).toEqual([1, 2, 2, 0])
    const second = await check({ pageSize: 1, page: 2 })
    expect([second.data[0].id, second.incomplete]).toEqual([bare, 1])
    expect((await check({ pageSize: 10, start: 2 })).data).toEqual([])
    expect((await check({ pageSize: 10, start: 1 })).data.map(({ id }: Json) => id)).toEqual([bare])
  })

  test('sees an edit of facts at once', async () => {
    await shop.call('wines/edit', { id: bare, data: { facts: { operator: facts.operator } } })
    expect(wordsOf((await check()).data[1])).toEqual(['ingredients', 'nutrition'])
  })

  test('writes in the language of the request, else of the merchant', async () => {
    const french = await newShop()
    await setMerchant(french, { countrycode: 'fr' })
    await french.call('wines/add', { data: { name: 'x', ...base, shop: 1 } })
    const textOf = async (one: Shop, body: Json = {}) =>
      (await one.call('wines/check', body)).json.data.at(-1).missing.find(({ word }: Json) => word === 'ingredients')
        .text
    expect(await textOf(shop)).toBe('Die Zutaten fehlen.')
    expect(await textOf(french)).toBe('The ingredients are missing.')
    expect(await textOf(shop, { language: 'en' })).toBe('The ingredients are missing.')
    expect(await textOf(french, { language: 'de' })).toBe('Die Zutaten fehlen.')
  })
})
