import { join } from 'node:path'
import { addCategory } from '../../shared/catalogue/category-edit.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { addPackage } from '../../shared/orders/shipping/packages.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket, newProduct, setMerchant } from '../support/checkout.ts'
import { newAccount } from '../support/client-account.ts'
import { clientHeader } from '../support/client-header.ts'
import { goldenFile, isUpdating } from '../support/golden-file.ts'
import { type Answer, call, newClient, type Shop } from '../support/harness.ts'
import { tableLines } from '../support/table-lines.ts'

// The golden file bad-input.txt contains refused requests by route, each with its answer: status and error word, then path
// and rule of each bad field. The schemas' unit tests try more values; here are two of each outcome of a route.
// `UPDATE=1 npm test -- test/domain/bad-input` rewrites the answers.

const file = join(import.meta.dirname, 'bad-input.txt')
const written = goldenFile(file)

const [shop, other] = [await newCellar('Kellerei Streng'), await newCellar('Kellerei Fremd')]
await setMerchant(shop, { ships_to: ['de', 'at'] })
const [client, foreign] = [await newClient(shop), await newClient(other)]
const account = await newAccount(shop)
const home = { address: 'Weg 2', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Krug' }
const data = { billing_id: client.id, payment_type: 'invoice', items: itemsOf(shop, { juice: 1 }) }
const basket = await newBasket(shop, shop.wine.juice ?? 0, 3)
const ofOther = { billing_id: foreign.id, payment_type: 'invoice', items: itemsOf(other, { juice: 1 }) }

const category = async ({ id }: Shop, name: string): Promise<number> =>
  (await addCategory(id, { change: { name }, idempotencyKey: null })).record.id

const packageOf = async ({ id }: Shop, min_bottles: number, max_bottles: number): Promise<number> => {
  const change = { min_bottles, max_bottles, gross: '5.95', taxrate: 19 }
  return (await addPackage(id, { change, idempotencyKey: null })).record.id
}

const vintage = async (name: string): Promise<number> => {
  const wine = { name, type: 'red', countrycode: 'de', region: 1003, vintage: 2020 }
  return (await shop.call('wines/add', { data: wine })).json.data.id
}
const rolledOver = await vintage('Jahrgang')
await shop.call('wines/rollOver', { id: rolledOver, vintage: 2021, data: { path_segment: 'jahrgang-2021' } })

/** The names of records in the file, with the values that requests send for them: ids, uuids and the like. */
const records: Readonly<Record<string, unknown>> = {
  wine: shop.wine.juice,
  gone: shop.wine.gone,
  vintage: await vintage('Letzter'),
  'rolled over': rolledOver,
  client: client.id,
  address: (await shop.call('addresses/add', { data: home })).json.data.id,
  basket,
  item: (await shop.call('baskets/get', { uuid: basket })).json.data.basketItems[0].id,
  order: (await shop.call('orders/add', { data })).json.data.uuid,
  range: shop.gastronomy,
  category: await category(shop, 'Weine'),
  juices: await category(shop, 'Säfte'),
  package: await packageOf(shop, 1, 6),
  parcel: await packageOf(shop, 7, 12),
  product: (await newProduct(shop, { id: 1, path_segment: 'karaffe' })).id,
  corkscrew: (await newProduct(shop, { id: 2, path_segment: 'korkenzieher' })).id,
  authid: shop.authid,
  account: account.mail,
  'foreign category': [await category(other, 'A'), await category(other, 'B'), await category(other, 'C')].at(-1),
  'foreign package': [await packageOf(other, 1, 2), await packageOf(other, 3, 4), await packageOf(other, 5, 6)].at(-1),
  'foreign product': (await newProduct(other, { id: 3 })).id,
  'foreign wine': other.wine.juice,
  'foreign client': foreign.id,
  'foreign address': (await other.call('addresses/add', { data: home })).json.data.id,
  'foreign basket': await newBasket(other, other.wine.juice ?? 0, 1),
  'foreign order': (await other.call('orders/add', { data: ofOther })).json.data.uuid,
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]))

/** Shorthands of the file for long values, and for values that a text file cannot contain. */
const shorthands: readonly [RegExp, (count: number) => string][] = [
  [/<x(\d+)>/g, count => 'x'.repeat(count)],
  [/<marks(\d+)>/g, count => '\u0316'.repeat(count)],
  [/"<list(\d+)>"/g, count => JSON.stringify(Array(count).fill({ item_type: 'wine', item_id: 1, quantity: 1 }))],
  [/"<keys(\d+)>"/g, count => JSON.stringify(keys(count))],
  [/"<zeros>"/g, () => `[${'0,'.repeat(119_999)}0]`],
  [/<nested(\d+)>/g, count => '['.repeat(count) + ']'.repeat(count)],
  [/<lone>/g, () => '\\ud800'],
  [/<fffd>/g, () => '\ufffd'],
]

const bodyOf = (line: string): string => {
  const named = line.replace(/"<([a-z ]+)>"/g, (all, name) => (name in records ? JSON.stringify(records[name]) : all))
  return shorthands.reduce((text, [pattern, write]) => text.replace(pattern, (_, count) => write(Number(count))), named)
}

const opening = ' -> '
const needs = new Set<string>(routes.filter(({ level }) => level === 'service').map(({ path }) => path))

const send = (title: string, raw: string): Promise<Answer> => {
  const [path = '', method = 'POST'] = title.split(' ').toReversed()
  const headers = clientHeader(path, account.token)
  return call(path, {}, { method, raw, headers, ...(needs.has(path) && { token: shop.token }) })
}

const outcomeOf = ({ status, json }: Answer): string =>
  [
    `${status} ${json.error}`,
    ...(json.fields ?? []).map((one: Record<string, string>) => `${one.path} ${one.rule}`),
  ].join('; ')

const before = await tableLines()

const titles = written.titles()

test.each(titles)('%s returns the recorded refusals', async title => {
  const outcomes: string[] = []
  const lines = written.linesOf(title)
  for (const line of lines) {
    const at = line.lastIndexOf(opening)
    outcomes.push(`${line.slice(0, at)}${opening}${outcomeOf(await send(title, bodyOf(line.slice(0, at))))}`)
  }
  if (isUpdating) written.renew(title, outcomes)
  else expect(outcomes).toEqual(lines)
})

test('every refusal is a 4xx, and every route with a body is tested', () => {
  const all = titles.flatMap(title => written.linesOf(title))
  if (isUpdating) return
  expect(all.filter(line => !/ -> 4\d\d [a-z0-9_]+(; |$)/.test(line))).toEqual([])
  expect(all.length).toBeGreaterThan(300)
  const posted = routes.filter(({ methods }) => methods.includes('POST')).map(({ path }) => path)
  expect(posted.filter(path => !titles.includes(path))).toEqual([])
})

test('no refused request stored anything', async () => {
  expect(await tableLines()).toEqual(before)
})
