import type { Context } from 'aws-lambda'
import { handler } from '../../functions/jobs/quotas.ts'
import { categories } from '../../lib/tool/imports/categories.ts'
import { clients } from '../../lib/tool/imports/clients.ts'
import { priceRanges } from '../../lib/tool/imports/price-ranges.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { changeLimits, quotaLines } from '../../lib/tool/quotas.ts'
import { amountsTaken, isNear, recount } from '../../shared/catalogue/recount.ts'
import { isPublic, shardOf, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { addAddress } from '../../shared/clients/addresses.ts'
import type { ItemKind } from '../../shared/contract/item-kinds.ts'
import { quotas as job } from '../../shared/contract/jobs.ts'
import type { AmountName } from '../../shared/merchants/quotas.ts'
import { reserve } from '../../shared/merchants/reservations.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { countItems, getItem, query, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar, rows } from '../support/cellar.ts'
import { type Answer, newShop, type Shop } from '../support/harness.ts'
import { publish } from '../support/published.ts'
import { crowd } from '../support/sampling.ts'
import { hookedTable } from '../support/table-hook.ts'
import { missingRights } from '../support/used-rights.ts'

const table = hookedTable()
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }
const wine = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1003, gross: '9.50', taxrate: 19 }

const atOnce = (act: (n: number) => Promise<Answer>, count = crowd): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

const statusesOf = (answers: readonly Answer[]) => {
  const counted: Record<number, number> = {}
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

const refusal = (things: string, limit: number) => ({
  code: 422,
  error: 'quota_exceeded',
  details: `The merchant may have at most ${limit} ${things}. The operator can raise this quota.`,
  fields: [{ path: 'data', rule: 'quota', expected: `at most ${limit} ${things}` }],
})

type Owned = Extract<ItemKind, 'wine' | 'address' | 'client' | 'basket' | 'order' | 'slug'>
const stored = ({ id: merchant }: Shop, kind: Owned) => countItems(partition(kind, { merchant }))
const takenOf = async ({ id }: Shop, name: AmountName) => (await amountsTaken(id))[name].taken

/** The bytes of a merchant's public wines as the table stores them. */
const publicBytes = async ({ id: merchant }: Shop): Promise<number> => {
  await publish(merchant)
  const wines = (await query({ pk: partition('wine', { merchant }) })).map(wineOf).filter(isPublic)
  const items = await Promise.all(wines.map(({ id }) => getItem(key('publicWine', { shard: shardOf(id), id }))))
  return items.reduce((sum, item) => sum + (item && 'doc' in item ? Buffer.byteLength(item.doc) : 0), 0)
}

describe(`of ${crowd} concurrent additions, ten below a quota, exactly ten are stored`, () => {
  test('wines', async () => {
    const shop = await newCellar('Kellerei Zehn')
    await changeLimits(shop.id, { wines: rows.length + 10 })
    const answers = await atOnce(() => shop.call('wines/add', { data: { ...wine, name: `Riesling ${Math.random()}` } }))
    expect(statusesOf(answers)).toEqual({ 200: 10, 422: crowd - 10 })
    expect(answers.find(({ status }) => status === 422)?.json).toMatchObject(refusal('wines', 15))
    expect([await stored(shop, 'wine'), await stored(shop, 'slug')]).toEqual([15, 15])
    const before = await getItem(key('sequence', { name: 'wines' }))
    expect((await shop.call('wines/add', { data: wine })).status).toBe(422)
    expect(await getItem(key('sequence', { name: 'wines' }))).toEqual(before)
    expect([await takenOf(shop, 'wines'), await takenOf(shop, 'public_bytes')]).toEqual([15, await publicBytes(shop)])
  })

  test('addresses, with and without a client', async () => {
    const shop = await newShop()
    expect((await shop.call('addresses/add', { data: home })).status).toBe(200)
    await changeLimits(shop.id, { addresses: 11 })
    const answers = await atOnce(() => shop.call('addresses/add', { data: home }))
    expect(statusesOf(answers)).toEqual({ 200: 10, 422: crowd - 10 })
    expect(answers.find(({ status }) => status === 422)?.json).toMatchObject(refusal('addresses', 11))
    expect([await stored(shop, 'address'), await takenOf(shop, 'addresses')]).toEqual([11, 11])
  })

  test('baskets', async () => {
    const shop = await newShop()
    await changeLimits(shop.id, { baskets: 10 })
    const answers = await atOnce(() => shop.call('baskets/add'))
    expect(statusesOf(answers)).toEqual({ 200: 10, 422: crowd - 10 })
    expect(answers.find(({ status }) => status === 422)?.json).toMatchObject(refusal('open baskets', 10))
    expect(await stored(shop, 'basket')).toBe(10)
  })

  test.each([
    ['products', 'product', 'products/add', 'products', { gross: '9.50' }],
    ['categories', 'category', 'categories/add', 'categories', {}],
    ['price_ranges', 'priceRange', 'priceRanges/edit', 'price ranges', {}],
  ] as const)('%s, repeats and changes as ever', async (name, kind, route, things, more) => {
    const shop = await newShop()
    const count = () => countItems(partition(kind, { merchant: shop.id }))
    const add = (n: number) =>
      shop.call(route, { data: { name: `Neu ${n}`, ...more } }, { headers: { 'idempotency-key': `Neu ${n}` } })
    await changeLimits(shop.id, { [name]: 10 })
    const answers = await atOnce(add)
    expect(statusesOf(answers)).toEqual({ 200: 10, 422: crowd - 10 })
    expect(answers.find(({ status }) => status === 422)?.json).toMatchObject(refusal(things, 10))
    expect(await count()).toBe(10)
    const added = answers.findIndex(({ status }) => status === 200)
    const { id } = answers[added]?.json.data ?? {}
    await changeLimits(shop.id, { [name]: 5 })
    expect((await add(added)).json.data.id).toBe(id)
    const edit = route === 'priceRanges/edit' ? route : route.replace('add', 'edit')
    expect((await shop.call(edit, { id, data: { name: 'Anders' } })).status).toBe(200)
    await changeLimits(shop.id, { [name]: 11 })
    expect((await add(crowd)).status).toBe(200)
    expect((await add(crowd + 1)).json.error).toBe('quota_exceeded')
    expect(await count()).toBe(11)
  })

  test('clients of orders', async () => {
    const shop = await newCellar('Kellerei Gast')
    await changeLimits(shop.id, { clients: 10 })
    const billing = { ...home, last_name: 'Gast', mail: 'gast@example.org' }
    const data = { billing, payment_type: 'invoice', items: itemsOf(shop, { riesling: 1 }) }
    const ofGuest = (n: number) => ({ ...data, billing: { ...billing, mail: `gast${n}@example.org` } })
    const answers = await atOnce(n => shop.call('orders/add', { data: ofGuest(n) }))
    expect(statusesOf(answers)).toEqual({ 200: 10, 422: crowd - 10 })
    expect(answers.find(({ status }) => status === 422)?.json).toMatchObject(refusal('clients', 10))
    expect([await stored(shop, 'client'), await stored(shop, 'order')]).toEqual([10, 10])
    // An order without a new client needs no quota.
    const [client] = await query({ pk: partition('client', { merchant: shop.id }) })
    expect(
      (await shop.call('orders/add', { data: { ...data, billing: undefined, billing_id: client?.id } })).status,
    ).toBe(200)
  })
})

test('an instance that stores many records reserves quota a few times, not each time', async () => {
  const shop = await newShop()
  let asked = 0
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      args => {
        if (commandName === 'UpdateItemCommand') asked++
        return next(args)
      },
    { step: 'initialize', name: 'count' },
  )
  for (let n = 0; n < 100; n++) await addAddress(shop.id, 1, { ...home, type: 'shipping' })
  tableClient.middlewareStack.remove('count')
  expect(asked).toBeLessThanOrEqual(8)
  const taken = (await takenOf(shop, 'addresses')) ?? 0
  expect(taken).toBeGreaterThanOrEqual(100)
  expect(taken).toBeLessThanOrEqual(120)
})

test('all records that fit are stored near the limit, without reserving more than is left', async () => {
  const shop = await newShop()
  await changeLimits(shop.id, { clients: 1000 })
  await reserve(shop.id, { clients: 995 })
  expect(await takenOf(shop, 'clients')).toBe(995)
  await expect(reserve(shop.id, { clients: 6 })).rejects.toMatchObject({ word: 'quota_exceeded' })
  await reserve(shop.id, { clients: 5 })
  expect(await takenOf(shop, 'clients')).toBe(1000)
})

test('an order that is refused, repeated or only priced uses no quota', async () => {
  const shop = await newCellar('Kellerei Versuch')
  await changeLimits(shop.id, { clients: 1, addresses: 1 })
  const billing = { ...home, last_name: 'Gast' }
  const data = { billing, delivery: home, payment_type: 'invoice', items: itemsOf(shop, { riesling: 1 }) }
  const headers = { 'idempotency-key': 'einmal' }
  expect((await shop.call('orders/add', { data: { ...data, gross: '0.01' } })).json.error).toBe('price_mismatch')
  expect((await shop.call('orders/add', { data, dry_run: true })).status).toBe(200)
  expect((await shop.call('orders/add', { data }, { headers })).status).toBe(200)
  expect((await shop.call('orders/add', { data }, { headers })).headers.get('idempotency-replayed')).toBe('true')
  expect([await takenOf(shop, 'clients'), await takenOf(shop, 'addresses')]).toEqual([1, 1])
  expect((await shop.call('orders/add', { data })).json.error).toBe('quota_exceeded')
})

test('an address with an unknown client uses no quota', async () => {
  const shop = await newShop()
  await changeLimits(shop.id, { addresses: 1 })
  const { json } = await shop.call('addresses/add', { data: { ...home, client_id: 4711 } })
  expect(json.error).toBe('reference_not_found')
  expect((await shop.call('addresses/add', { data: home })).status).toBe(200)
  expect((await shop.call('addresses/add', { data: home })).json.error).toBe('quota_exceeded')
})

test('the public wines are limited in bytes; at the limit a wine may still shrink or be hidden', async () => {
  const shop = await newShop()
  const add = (description: string) => shop.call('wines/add', { data: { ...wine, active: 1, public: 1, description } })
  const edit = (data: object) => shop.call('wines/edit', { id, data })
  const { id } = (await add('x'.repeat(500))).json.data
  const bytes = await publicBytes(shop)
  expect(await takenOf(shop, 'public_bytes')).toBe(bytes)
  await changeLimits(shop.id, { public_bytes: bytes + 100 })
  expect((await add('')).json).toMatchObject(refusal('bytes of public wines', bytes + 100))
  const longer = await edit({ description: 'ü'.repeat(301) })
  expect(longer.json).toMatchObject(refusal('bytes of public wines', bytes + 100))
  expect((await edit({ description: 'ü'.repeat(300) })).status).toBe(200)
  await changeLimits(shop.id, { public_bytes: 10 })
  expect((await edit({ description: 'kurz' })).status).toBe(200)
  expect(await takenOf(shop, 'public_bytes')).toBe(await publicBytes(shop))
  expect((await edit({ public: 0 })).status).toBe(200)
  expect(await takenOf(shop, 'public_bytes')).toBe(0)
  expect((await edit({ public: 1 })).json.error).toBe('quota_exceeded')
})

test('a file with more wines or clients than the quota allows is refused as a whole', async () => {
  const shop = await newShop()
  await changeLimits(shop.id, { wines: 40, clients: 60 })
  const wines = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => ({ ...rows[0], articlenumber: `A-${n}`, name: `Wein ${n}` }) as (typeof rows)[0],
    )
  const people = (count: number) => Array.from({ length: count }, (_, n) => ({ number: `K-${n}`, last_name: 'Gast' }))
  await expect(importWines(shop.id, wines(41))).rejects.toMatchObject({
    message: expect.stringContaining('at most 40 wines'),
  })
  await expect(importRecords(shop.id, clients, people(61))).rejects.toThrow('at most 60 clients')
  expect([await stored(shop, 'wine'), await stored(shop, 'client')]).toEqual([0, 0])
  await importWines(shop.id, wines(40))
  await importRecords(shop.id, clients, people(60))
  expect([await takenOf(shop, 'wines'), await takenOf(shop, 'clients')]).toEqual([40, 60])
  await importRecords(
    shop.id,
    clients,
    people(60).map(row => ({ ...row, city: 'Pirna' })),
  )
  expect([await stored(shop, 'wine'), await stored(shop, 'client')]).toEqual([40, 60])
})

test('a file with more products, categories or price ranges than the quota allows is refused as a whole', async () => {
  const shop = await newShop()
  await changeLimits(shop.id, { products: 2, categories: 3, price_ranges: 1 })
  const count = (kind: 'product' | 'category' | 'priceRange') => countItems(partition(kind, { merchant: shop.id }))
  const named = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `Gruppe ${i}` }))
  const goods = (n: number, more: object = {}) =>
    named(n).map((row, i) => ({ ...row, articlenumber: `P-${i}`, gross: '1.00', ...more }))
  await expect(importRecords(shop.id, categories, named(4))).rejects.toThrow('at most 3 categories')
  await expect(importRecords(shop.id, priceRanges, named(2))).rejects.toThrow('at most 1 price ranges')
  await expect(importRecords(shop.id, products, goods(3, { categories: ['Neu'] }))).rejects.toThrow(
    'at most 2 products',
  )
  expect([await count('product'), await count('category'), await count('priceRange')]).toEqual([0, 0, 0])
  await importRecords(shop.id, categories, named(3))
  // A row of goods adds the categories that it names.
  const fourth = goods(1, { categories: ['Gruppe 0', 'Neu'] })
  await expect(importRecords(shop.id, products, fourth)).rejects.toThrow('at most 3 categories')
  await importRecords(shop.id, products, goods(2, { categories: ['Gruppe 0'] }))
  await changeLimits(shop.id, { products: 1 })
  await importRecords(shop.id, products, goods(2, { gross: '2.00' }))
  expect([await count('product'), await count('category')]).toEqual([2, 3])
})

test('an import with concurrent additions stays within the quota, and the count is exact', async () => {
  const shop = await newShop()
  await changeLimits(shop.id, { wines: 60 })
  const row = (n: number) => ({ ...rows[0], articlenumber: `A-${n}`, name: `Wein ${n}` }) as (typeof rows)[0]
  const importing = importWines(
    shop.id,
    Array.from({ length: 50 }, (_, n) => row(n)),
  ).then(
    () => 'imported',
    error => String(error.message),
  )
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => shop.call('wines/add', { data: { ...wine, name: `Neu ${n}` } })),
  )
  expect(await importing).toMatch(/^imported$|at most 60 wines/)
  expect(Object.keys(statusesOf(answers)).filter(status => status !== '200' && status !== '422')).toEqual([])
  const count = await stored(shop, 'wine')
  expect(count).toBeLessThanOrEqual(60)
  expect([await takenOf(shop, 'wines'), await takenOf(shop, 'public_bytes')]).toEqual([count, await publicBytes(shop)])
})

test('a catalogue of a release without counts accepts all wines until it is counted', async () => {
  const shop = await newCellar('Kellerei Alt')
  const catalogue = key('catalogue', { merchant: shop.id })
  await updateItem(catalogue, { remove: ['wines', 'public_bytes'] })
  await changeLimits(shop.id, { wines: 1 })
  const add = () => shop.call('wines/add', { data: { ...wine, active: 1, public: 1 } })
  expect((await add()).status).toBe(200)
  expect(await getItem(catalogue)).toEqual({ version: rows.length + 1 })
  await recount(shop.id, isNear)
  expect([await takenOf(shop, 'wines'), await takenOf(shop, 'public_bytes')]).toEqual([6, await publicBytes(shop)])
  expect((await add()).json).toMatchObject(refusal('wines', 1))
})

test('the tool shows the usage as it is counted if wines are written all the time', async () => {
  const shop = await newShop()
  table.hook = async (name, text) => {
    if (name === 'UpdateItemCommand' && text.includes('public_bytes')) await shop.call('wines/add', { data: wine })
  }
  const lines = await quotaLines(shop.id)
  expect(lines[0]).toMatch(/wines are being written/)
  expect(lines[1]).toMatch(/^ {2}wines +5 of /)
  table.hook = undefined
  expect((await quotaLines(shop.id))[0]).toMatch(/^ {2}wines +5 of /)
})

test('the job recounts what half of a limit or more is used of, or what was never counted, without deleted records', async () => {
  const shop = await newShop()
  const [first] = (await atOnce(() => shop.call('addresses/add', { data: home }), 4)).map(({ json }) => json.data)
  const baskets = (await atOnce(() => shop.call('baskets/add'), 4)).map(({ json }) => json.data.uuid)
  const place = (uuid: string) => key('basket', { merchant: shop.id, uuid })
  await updateItem(place(baskets[0]), { set: { ordered: { uuid: 'order', hash: '' } } })
  await updateItem(place(baskets[1]), { set: { expires: 1 } })
  await shop.call('addresses/delete', { id: first.id })
  const count = () => handler({}, { getRemainingTimeInMillis: () => 300_000 } as Context)
  const before = await takenOf(shop, 'addresses')
  expect(await missingRights(job.permissions, count)).toEqual([])
  expect(await takenOf(shop, 'addresses')).toBe(before)
  await changeLimits(shop.id, { addresses: 4, baskets: 4 })
  await count()
  expect([await takenOf(shop, 'addresses'), await takenOf(shop, 'baskets')]).toEqual([3, 2])
})
