import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { readProducts } from '../../shared/catalogue/products/edit.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct } from '../support/checkout.ts'
import { type Answer, type Json, recordOf, refusal } from '../support/harness.ts'
import { hookedTable } from '../support/table-hook.ts'

const shop = await newCellar('Kellerei Preisliste')
const unknown = 2 ** 52 + 1
const table = hookedTable()

const add = (name: string, idempotencyKey?: string): Promise<Answer> =>
  shop.call(
    'priceRanges/edit',
    { data: { name } },
    { headers: { ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) } },
  )
const rename = (id: number, name: string): Promise<Answer> => shop.call('priceRanges/edit', { id, data: { name } })
const all = async (): Promise<Json[]> => (await shop.call('priceRanges/getAll')).json.data

test('priceRanges/edit adds a range without an id, and renames one with it', async () => {
  expect(await all()).toEqual([{ id: shop.gastronomy, name: 'Gastronomie' }])
  const added = recordOf(await add('Handel'))
  expect(added).toEqual({ id: expect.any(Number), name: 'Handel' })
  const renamed = recordOf(await rename(added.id, 'Großhandel'))
  expect(renamed).toEqual({ id: added.id, name: 'Großhandel' })
  expect(await all()).toEqual([{ id: shop.gastronomy, name: 'Gastronomie' }, renamed])
  // Wines can name it at once.
  const prices = [{ price_range_id: added.id, gross: '8.00' }]
  const { json } = await shop.call('wines/edit', { id: shop.wine.juice, data: { prices } })
  expect(json.data.prices[0]).toMatchObject({ price_range_id: added.id, priceRangeName: 'Großhandel' })
})

test('a range keeps its name while a wine or product has a price for it, and may be saved with the same', async () => {
  const before = await all()
  expect(refusal(await rename(shop.gastronomy, 'Gasthäuser'))).toEqual([409, 'price_range_in_use'])
  expect(recordOf(await rename(shop.gastronomy, 'Gastronomie'))).toEqual(before[0])
  const { id } = recordOf(await add('Freunde'))
  const amounts = { gross: '1.19', net: '1.00', tax: '0.19', taxrate: 19 }
  const price = { price_range_id: id, priceRangeName: 'Freunde', product_id: 901, ...amounts }
  await newProduct(shop, { id: 901, prices: [price], path_segment: 'kiste' })
  expect(refusal(await rename(id, 'Verwandte'))).toEqual([409, 'price_range_in_use'])
  await shop.call('products/edit', { id: 901, data: { prices: [] } })
  expect(recordOf(await rename(id, 'Verwandte'))).toEqual({ id, name: 'Verwandte' })
})

test('ranges come whole, or by pages', async () => {
  await add('Zweite')
  const ranges = await all()
  const { json } = await shop.call('priceRanges/getAll', { pageSize: 1, page: 2 })
  expect([json.totalCount, json.data]).toEqual([ranges.length, [ranges[1]]])
})

test('names are those of one range, and unknown ranges are refused', async () => {
  const { id } = recordOf(await add('Einmalig'))
  expect(refusal(await add('Einmalig'))).toEqual([409, 'name_taken'])
  expect(refusal(await rename(id, 'Gastronomie'))).toEqual([409, 'name_taken'])
  expect(refusal(await rename(unknown, 'Neu'))).toEqual([404, 'price_range_not_found'])
})

test('a range is added once by its Idempotency-Key', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => add('Verein', 'k')))
  expect(new Set(answers.map(answer => recordOf(answer).id)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed'))).toHaveLength(7)
  expect(refusal(await add('Vereine', 'k'))).toEqual([422, 'idempotency_key_reused'])
})

test.each([
  ['products/edit', () => 901],
  ['wines/edit', () => shop.wine.secco],
])('a range that gets a price by %s while it is renamed has one name everywhere', async (route, idOf) => {
  for (const n of [1, 2]) {
    const { id } = recordOf(await add(`${route} ${n}`))
    const data = { prices: [{ price_range_id: id, gross: '8.00' }] }
    const [renamed, edited] = await Promise.all([
      rename(id, `Neu, ${route} ${n}`),
      shop.call(route, { id: idOf(), data }),
    ])
    expect([200, 409]).toContain(renamed.status)
    const name = (await all()).find(one => one.id === id)?.name
    expect(name).toBe(renamed.status === 200 ? `Neu, ${route} ${n}` : `${route} ${n}`)
    expect(recordOf(edited).prices[0].priceRangeName).toBe(name)
  }
})

/** How a file gives prices to a wine or product, by the names of ranges. */
const imports = {
  wine: (articlenumber: string, prices: { priceRange: string; gross: string }[]) =>
    importWines(shop.id, [{ articlenumber, name: 'Silvaner', type: 'white', countrycode: 'de', region: 1005, prices }]),
  product: (articlenumber: string, prices: { priceRange: string; gross: string }[]) =>
    importRecords(shop.id, products, [{ articlenumber, name: 'Krug', gross: '9.00', prices }]),
}
const pricedBy = async (articlenumber: string) => {
  const wines = (await query({ pk: partition('wine', { merchant: shop.id }) })).map(wineOf)
  const found = [...wines, ...(await readProducts(shop.id))].find(one => one.articlenumber === articlenumber)
  return found?.prices.map(one => [one.price_range_id, one.priceRangeName])
}

test.each([
  ['wine', 'wine'],
  ['wine', 'priceRange'],
  ['product', 'product'],
  ['product', 'priceRange'],
] as const)('a range that gets a price in a file of a %s is renamed before the write of the %s: it has one name everywhere', async (kind, written) => {
  const name = `Datei ${kind} ${written}`
  const { id } = recordOf(await add(name))
  let renaming: Promise<Answer> | undefined
  table.hook = async (command, text) => {
    const isWrite =
      command.startsWith('TransactWrite') && text.includes(`"${partition(written, { merchant: shop.id })}"`)
    if (!isWrite || renaming) return
    renaming = rename(id, `Neu, ${name}`)
    await renaming
  }
  // The import adds the second range itself.
  const names = [name, `Weitere, ${name}`]
  await imports[kind](
    name,
    names.map(priceRange => ({ priceRange, gross: '8.00' })),
  )
  expect(recordOf((await renaming) as Answer)).toEqual({ id, name: `Neu, ${name}` })
  const idOf = new Map((await all()).map(one => [one.name, one.id]))
  expect(await pricedBy(name)).toEqual(names.map(one => [idOf.get(one), one]))
})

test('a rename looks at all wines three times at most, then the service is busy', async () => {
  const range = recordOf(await add('Umkämpft'))
  const wines = partition('wine', { merchant: shop.id })
  let looks = 0
  table.hook = async (name, text) => {
    if (name !== 'QueryCommand' || !text.includes(`"${wines}"`)) return
    looks += 1
    recordOf(await shop.call('wines/edit', { id: shop.wine.secco, data: { place: `Ort ${looks}` } }))
  }
  expect(refusal(await rename(range.id, 'Neu'))).toEqual([503, 'temporarily_unavailable'])
  expect(looks).toBe(3)
  table.hook = undefined
  expect(recordOf(await rename(range.id, 'Neu')).name).toBe('Neu')
})
