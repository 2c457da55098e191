import { join } from 'node:path'
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import type { Client } from '../../shared/contract/records/client.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, tableClient, tableName, updateItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { newBasket, newProduct, setMerchant, setPackages, setStock } from '../support/checkout.ts'
import { differenceOf, itemName, linesOf, type StoredItem, type Values, valuesOf } from '../support/described-values.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { goldenFile, isUpdating, sortedJson } from '../support/golden-file.ts'
import { newClient, twin } from '../support/harness.ts'
import { sampleUnlessAll } from '../support/sampling.ts'

// The golden file has what each order answers and writes: of the first case all values, of the others the differences from
// it, or from the base that is named. `npm run test:long` tries all cases, `npm test` a third. `UPDATE=1 npm test --
// test/domain/placed-orders` renews the file.

const noon = Date.UTC(2026, 4, 1, 12)
useFakeClock(noon)

const shop = await newCellar('Kellerei Papier', ['invoice', 'paypal', 'prepaid', 'cash'])
const merchant = shop.id
const { riesling = 0, secco = 0, juice = 0, gone = 0, hidden = 0 } = shop.wine
const [anna, berta] = [await newClient(shop), await newClient(shop, { first_name: 'Berta' })]
const { address, zip, city, first_name, last_name } = anna
const carafe = await newProduct(shop, { id: 7001, package_quantity: 3 })
const addressData = { address: 'Weg 2', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Krug' }
const addAddress = async (data: object): Promise<number> =>
  (await shop.call('addresses/add', { data: { ...addressData, ...data } })).json.data.id
const ofAnna = await addAddress({ client_id: anna.id })
const ofNobody = await addAddress({ company: 'Krug & Co' })
const basket = await newBasket(shop, juice, 3)
await setStock(shop, 'wine', secco, 100)

const scan = async (): Promise<Map<string, StoredItem>> => {
  const { Items = [] } = await tableClient.send(new ScanCommand({ TableName: tableName(), ConsistentRead: true }))
  return new Map((Items as StoredItem[]).map(item => [`${item.pk} ${item.sk}`, item]))
}

const original = await scan()

/** Restores the table. */
const restore = async (): Promise<void> => {
  const present = await scan()
  const fresh = [...present].filter(([place]) => !original.has(place))
  const changed = [...original].filter(([place, item]) => sortedJson(item) !== sortedJson(present.get(place)))
  const requests = [
    ...fresh.map(([, { pk, sk }]) => ({ DeleteRequest: { Key: { pk, sk } } })),
    ...changed.map(([, Item]) => ({ PutRequest: { Item } })),
  ]
  for (let n = 0; n < requests.length; n += 25)
    await tableClient.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests.slice(n, n + 25) } }))
}

const refusalLines = ({ word, status, message, fields }: Problem): string[] => [
  `refused: ${status} ${word}: ${message}`,
  ...fields.map(field => `field: ${sortedJson(field)}`),
]

type Case = {
  data?: object
  idempotencyKey?: string
  /** Changes of the merchant, the client, stock or packages before, or another order. */
  merchant?: Partial<Merchant>
  client?: Partial<Client>
  before?: () => Promise<unknown>
  isPreview?: boolean
}

const items = (quantities: Record<number, number>) =>
  Object.entries(quantities).map(([id, quantity]) => ({ item_type: 'wine', item_id: Number(id), quantity }))
const product = (quantity: number) => ({ item_type: 'product', item_id: carafe.id, quantity })
const rebate = (gross: number, net: number, more: object = {}) => ({
  item_type: 'rebate',
  name: 'Nachlass',
  gross,
  net,
  tax: (Math.round(100 * gross) - Math.round(100 * net)) / 100,
  ...more,
})
const parcel = (item_id: number) => ({ item_type: 'package', item_id })
const plain = { billing_id: anna.id, payment_type: 'invoice', items: items({ [secco]: 2 }) }
const person = { ...addressData, first_name: 'Carla', gender: 'f', mail: 'carla@example.com' }
const urls = { return_url: 'https://shop.example/done?x=1', cancel_url: 'https://shop.example/no' }
const paypal = { payment_type: 'paypal', ...urls }
const placer = { merchant, user: { id: 3, name: 'till' } }
const request = ({ data = {}, idempotencyKey }: Case) => ({
  data: v.parse(NewOrder, { ...plain, ...data }),
  idempotencyKey: idempotencyKey ?? null,
})
const earlier = (one: Case) => () => placeOrder(placer, request(one))

const cases: Record<string, Case> = {
  'two bottles on account': {},
  prepaid: { data: { payment_type: 'prepaid' } },
  'in cash': { data: { payment_type: 'cash' } },
  'by PayPal': { data: paypal },
  'by PayPal, nothing to pay': { data: { ...paypal, items: [...plain.items, rebate(-24, -20.17)] } },
  'by the payment type of the client': { data: { payment_type: null }, client: { payment_type: 'prepaid' } },
  'by an unknown agreement, so by the default of the merchant': {
    data: { payment_type: null },
    client: { payment_type: 'gold' as never },
  },
  'by a payment type that the merchant does not take': { data: { payment_type: 'card' } },
  net: { data: { invoice_type: 'net' } },
  'free of tax': { client: { tax_free: 1 } },
  'of a merchant that is free of tax': { merchant: { tax_free: 1 }, before: () => setPackages(shop) },
  'with the rebate of the client': { client: { rebate: 5 } },
  'with cashback and times of the client': { client: { cashback: 3, cashback_period: 8, payment_period: 30 } },
  'with a time of its own': { data: { payment_period: 7 }, client: { payment_period: 30 } },
  'with remarks of the client': { client: { invoice_remark: 'Rechnung', delivery_note_remark: 'Lieferung' } },
  'with remarks of its own': {
    data: { invoice_remark: 'A', delivery_note_remark: 'B', client_remark: 'C', note: 'D', source: 'web' },
    client: { invoice_remark: 'Rechnung', delivery_note_remark: 'Lieferung' },
  },
  'at the prices of a price range': {
    data: { items: items({ [riesling]: 3, [secco]: 1 }) },
    client: { price_range_id: shop.gastronomy },
  },
  'at two tax rates': { data: { items: items({ [juice]: 3, [secco]: 1 }) } },
  'the same wine twice': { data: { items: [...plain.items, ...plain.items] } },
  'products, too': {
    data: { items: [product(2), ...plain.items] },
    before: () => setStock(shop, 'product', carafe.id, 9),
  },
  collected: { data: { delivery_type: 'none' }, before: () => setPackages(shop) },
  'in the package that fits': { before: () => setPackages(shop) },
  'in the package that fits products, too': {
    data: { items: [product(2), ...plain.items] },
    before: () => setPackages(shop),
  },
  'in a package of its choice': { data: { items: [...plain.items, parcel(3)] }, before: () => setPackages(shop) },
  'in several packages': {
    data: { items: items({ [secco]: 20 }) },
    before: () => setPackages(shop, { min_bottles: null, max_bottles: 6 }),
  },
  'in a package free of charge': { merchant: { freight_free_from: '24.00' }, before: () => setPackages(shop) },
  'just not free of charge': { merchant: { freight_free_from: '24.01' }, before: () => setPackages(shop) },
  'in an unknown package': { data: { items: [...plain.items, parcel(9)] }, before: () => setPackages(shop) },
  'in two packages of its choice': {
    data: { items: [parcel(1), ...plain.items, parcel(1)] },
    before: () => setPackages(shop),
  },
  'less a rebate': { data: { items: [...plain.items, rebate(-1.19, -1, { quantity: 2 })] } },
  'less a rebate over two rates': {
    data: { items: [...items({ [juice]: 10, [secco]: 2 }), rebate(-4.89, -4.35)] },
  },
  'less a rebate that fits no rate': { data: { items: [...plain.items, rebate(-5, -4.9)] } },
  'less more than there is': { data: { items: [rebate(-1.19, -1), ...plain.items, rebate(-23.8, -20)] } },
  'less more than there is, by the client’s own rebate': {
    data: { items: [...plain.items, rebate(-1.19, -1)] },
    client: { rebate: 100 },
  },
  'at the sums it expects': { data: { net: 20.17, tax: 3.83, gross: 24 } },
  'at sums within the rounding': { data: { net: 20.19, tax: 3.81 } },
  'at another sum': { data: { net: 20, gross: 23.99 } },
  'too large for any amount': {
    data: {
      items: Array(10)
        .fill(items({ [riesling]: 9999 }))
        .flat(),
    },
    before: () => updateWine(riesling, { gross: '999999999.99', net: '840336134.45', prices: [] }),
  },
  'at a price that is none': { before: () => updateWine(secco, { gross: 'gratis' }) },
  'of nothing': { data: { items: [] } },
  'of nothing but a rebate': { data: { items: [rebate(-1, -0.84)] } },
  'of an unknown wine': { data: { items: items({ 4711: 1 }) } },
  'of an unknown product': { data: { items: [{ item_type: 'product', item_id: 4711, quantity: 1 }] } },
  'of a wine that is sold out': { data: { items: items({ [gone]: 1 }) } },
  'of a wine that is hidden': { data: { items: items({ [hidden]: 1 }) } },
  'of more than there is in stock': {
    data: { items: [...items({ [secco]: 60 }), ...items({ [secco]: 41 })] },
  },
  'of all there is in stock': { data: { items: items({ [secco]: 100 }) } },
  'to an address of the client': { data: { delivery_type: 'address', delivery_id: ofAnna } },
  'to another client': { data: { delivery_id: berta.id } },
  'billed to an address of a client': { data: { billing_type: 'address', billing_id: ofAnna } },
  'billed to an address without a client': { data: { billing_type: 'address', billing_id: ofNobody } },
  'billed to an address without a client, for a client': {
    data: { billing_type: 'address', billing_id: ofNobody, client_id: berta.id },
  },
  'billed to an address whose client is deleted': {
    data: { billing_type: 'address', billing_id: ofAnna },
    client: { deleted: 1 },
  },
  'billed to one client and named for another': { data: { client_id: berta.id } },
  'billed to an unknown client': { data: { billing_id: 4711 } },
  'billed to a deleted client': { client: { deleted: 1 } },
  'billed to an unknown address': { data: { billing_type: 'address', billing_id: 4711 } },
  'delivered to an unknown address': { data: { delivery_type: 'address', delivery_id: 4711 } },
  'delivered to the record of the bill, as an address': {
    data: { billing_type: 'address', billing_id: ofNobody, delivery_type: 'address' },
  },
  'for an unknown client': { data: { billing_type: 'address', billing_id: ofNobody, client_id: 4711 } },
  'billed to a client whose address is typed as well': {
    data: { billing: { address, zip, city, countrycode: 'DE', last_name, name: `${first_name} ${last_name}` } },
  },
  'billed to a client, with another address': { data: { billing: person } },
  'billed to an address, with another name': {
    data: { billing_type: 'address', billing_id: ofNobody, billing: { ...addressData, name: 'Wer anders' } },
  },
  'to an address, with another one typed as well': {
    data: { delivery_type: 'address', delivery_id: ofAnna, delivery: { ...person, city: 'Anderswo' } },
  },
  'to an address that is typed as well': {
    data: { delivery_type: 'address', delivery_id: ofAnna, delivery: addressData },
  },
  'for a new client': { data: { billing_id: null, billing: person } },
  'for a new client with one name': {
    data: { billing_id: null, billing: { ...person, last_name: null, name: 'Dora Docht' } },
  },
  'for a client, billed to a new address': { data: { billing_id: null, billing: person, client_id: anna.id } },
  'for no client, billed to a new address': { data: { billing_id: null, billing: person, billing_type: 'address' } },
  'to a new address with a name': { data: { delivery: { ...person, last_name: 'Fremd' } } },
  'to a new address without names': { data: { delivery: { ...addressData, last_name: null, first_name: null } } },
  'to a new address of a company without names': {
    data: { billing_type: 'address', billing_id: ofNobody, delivery: { ...addressData, last_name: null } },
  },
  'for a new client, to a new address': { data: { billing_id: null, billing: person, delivery: addressData } },
  'collected, whatever the delivery': { data: { delivery_type: 'none', delivery: person } },
  'of a basket': { data: { items: null, basket } },
  'of a basket by its other name': { data: { items: null, basket_uuid: basket } },
  'of two baskets': { data: { basket, basket_uuid: '00000000-0000-4000-8000-000000000000' } },
  'of an unknown basket': { data: { basket: '00000000-0000-4000-8000-000000000000' } },
  'of a basket, again': { data: { items: null, basket }, before: earlier({ data: { items: null, basket } }) },
  'of a basket that another order had': {
    data: { items: null, basket, note: 'x' },
    before: earlier({ data: { items: null, basket } }),
  },
  'of a basket, as a preview': { data: { items: null, basket }, isPreview: true },
  'of a basket that was ordered, as a preview': {
    data: { items: null, basket },
    before: earlier({ data: { items: null, basket } }),
    isPreview: true,
  },
  'with a key': { idempotencyKey: 'once' },
  'with a key, again': { idempotencyKey: 'once', before: earlier({ idempotencyKey: 'once' }) },
  'with a key, by PayPal, again': {
    data: paypal,
    idempotencyKey: 'once',
    before: earlier({ data: paypal, idempotencyKey: 'once' }),
  },
  'with a key of another order': {
    idempotencyKey: 'once',
    before: earlier({ data: { note: 'x' }, idempotencyKey: 'once' }),
  },
  'with a key, of the last bottles, again': {
    data: { items: items({ [secco]: 100 }) },
    idempotencyKey: 'once',
    before: earlier({ data: { items: items({ [secco]: 100 }) }, idempotencyKey: 'once' }),
  },
  'after another one': { before: earlier({}) },
  'as a preview': { isPreview: true, data: paypal },
  'back to a shop of the merchant': { data: paypal, merchant: { redirect_hosts: ['shop.example'] } },
  'back to another shop': { data: paypal, merchant: { redirect_hosts: ['other.example'] } },
  'back to nowhere': { data: { payment_type: 'paypal' } },
  'back to a shop on this machine': {
    data: { ...paypal, return_url: 'http://localhost:8080/a', cancel_url: 'http://[::1]/b' },
  },
  ...Object.fromEntries(
    [
      'http://shop.example/',
      'https://me@shop.example/',
      'https://:x@shop.example/',
      'https://shop.example/#a',
      'https://shop.example\\a',
      'ftp://localhost/',
      '/done',
      'https://bücher.example/',
      'https:evil.example',
      'https:/evil.example',
      'https:///evil.example',
    ].map(return_url => [`back to ${JSON.stringify(return_url)}`, { data: { ...paypal, return_url } }]),
  ),
}

const updateWine = async (id: number, change: object): Promise<void> => {
  const place = key('wine', { merchant, id })
  const stored = await getItem(place)
  if (!stored) throw new Error(`there is no wine ${id}`)
  await updateItem(place, { set: { doc: JSON.stringify({ ...JSON.parse(stored.doc), ...change }) } })
}

/** The outcome of a case: the values it answers and writes, or its refusal. */
type Outcome = { values: Values; refusal: readonly string[] }

const outcomeOf = async (one: Case): Promise<Outcome> => {
  await restore()
  if (one.merchant) await setMerchant(shop, one.merchant)
  if (one.client) await putItem(key('client', { merchant, id: anna.id }), { ...anna, ...one.client })
  await one.before?.()
  const before = await scan()
  const written = async (answer: unknown): Promise<Values> => {
    const after = await scan()
    const changed = [...after].filter(
      ([place, item]) =>
        // A function reserves quota ahead, by its former requests; quotas.test.ts tests that.
        sortedJson(before.get(place)) !== sortedJson(item) && !itemName(item).startsWith('quotas '),
    )
    const deleted = [...before].flatMap(([place, item]) => (after.has(place) ? [] : [itemName(item)]))
    const items = changed.map(([, item]) => item)
    return valuesOf({ ...(answer as object), ...(deleted.length > 0 && { deleted }) }, items, twin.url)
  }
  try {
    const { data, ...answer } = await (one.isPreview ? previewOrder : placeOrder)(placer, request(one))
    const shown = one.isPreview ? data : { id: data.id, status: data.status }
    return { values: await written({ ...answer, data: shown }), refusal: [] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { values: await written({}), refusal: refusalLines(error) }
  }
}

const golden = goldenFile(join(import.meta.dirname, 'placed-orders.txt'))
/** Cases with whose outcome others are compared; the first is recorded in full. */
const bases = ['two bottles on account', 'by PayPal', 'for a new client'] as const
const baseOutcomes = new Map<string, Outcome>()

const recordOf = (name: string, { values, refusal }: Outcome): string[] => {
  if (refusal.length > 0) return [...refusal, ...linesOf(values).filter(line => line !== 'answer: {}')]
  const earlier = bases.slice(0, bases.includes(name as never) ? bases.indexOf(name as never) : bases.length)
  const [shortest] = earlier
    .map((base, n) => {
      const lines = differenceOf(values, baseOutcomes.get(base)?.values ?? new Map())
      return n === 0 ? lines : [`as "${base}", but`, ...lines]
    })
    .toSorted((a, b) => a.length - b.length)
  return shortest ?? linesOf(values)
}

beforeAll(async () => {
  for (const base of bases) baseOutcomes.set(base, await outcomeOf(cases[base] as Case))
})

test.each(sampleUnlessAll(Object.keys(cases), 3))('an order %s is placed or refused as recorded', async name => {
  const lines = recordOf(name, await outcomeOf(cases[name] as Case))
  if (isUpdating) golden.renew(name, lines)
  else expect(lines).toEqual(golden.linesOf(name))
})
