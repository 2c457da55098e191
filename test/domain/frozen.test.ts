import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newProduct, returning, setMerchant, setPackages, setStock } from '../support/checkout.ts'
import { type Answer, type Json, newClient } from '../support/harness.ts'

const shop = await newCellar('Kellerei Bernstein', ['invoice', 'paypal', 'prepaid'])
const merchant = shop.id
await setPackages(shop)
const client = await newClient(shop, { rebate: 5, cashback: 2, cashback_period: 8, price_range_id: shop.gastronomy })
const product = await newProduct(shop)
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }
const newAddress = async (fields: object = {}): Promise<Json> =>
  (await shop.call('addresses/add', { data: { ...home, ...fields } })).json.data
const address = await newAddress({ client_id: client.id })
const delivery = await newAddress()
const wineId = shop.wine.riesling as number
await setStock(shop, 'wine', wineId, 500)

const items = [
  ...itemsOf(shop, { riesling: 3, juice: 2 }),
  { item_type: 'product', item_id: product.id, quantity: 1 },
  { item_type: 'rebate', name: 'Treue', net: '-1.00', tax: '-0.19', gross: '-1.19' },
]
const add = async (data: object): Promise<Json> => {
  const { status, json } = await shop.call('orders/add', { data: { payment_type: 'invoice', items, ...data } })
  expect(status).toBe(200)
  return json.data
}
const orders = [
  await add({ billing_id: client.id }),
  await add({ billing_type: 'address', billing_id: address.id, delivery_type: 'address', delivery_id: delivery.id }),
  await add({ billing_id: client.id, payment_type: 'prepaid', delivery_type: 'none' }),
  await add({ billing_id: client.id, payment_type: 'paypal', ...returning }),
]

const everything = 'client,billing,delivery,items,documents,user'
const bodyOf = ({ text, json }: Answer): string => {
  const [id = ''] = json.request_id ? [json.request_id] : []
  return id ? text.replace(id, '') : text
}
const answers = async (): Promise<string[]> => {
  const gets = orders.flatMap(({ id, uuid }) => [
    shop.call('orders/get', { id }),
    shop.call('orders/get', { uuid, include: everything }),
  ])
  const lists = [shop.call('orders/getAll'), shop.call('orders/getAll', { include: everything, pageSize: 3, page: 2 })]
  return (await Promise.all([...gets, ...lists])).map(bodyOf)
}
const before = await answers()

type Change = [what: string, act: () => Promise<unknown>]

const edited = async (place: ReturnType<typeof key>, change: (item: Json) => Json) => {
  const { pk, sk, ...item } = (await getItem(place)) as Json
  await putItem(place, change(item))
}

const changes: Change[] = [
  ['its addresses', () => shop.call('addresses/edit', { id: address.id, data: { city: 'Pirna', name: 'Zur Kanne' } })],
  ['its delivery address', () => shop.call('addresses/edit', { id: delivery.id, data: { address: 'Gasse 2' } })],
  ['the price of a wine', () => shop.call('wines/edit', { id: wineId, data: { gross: '99.90', taxrate: 7 } })],
  ['the name of a wine', () => shop.call('wines/edit', { id: wineId, data: { name: 'Anders', vintage: 2031 } })],
  [
    'its client',
    () =>
      edited(key('client', { merchant, id: client.id }), item => ({
        ...item,
        last_name: 'Umbenannt',
        rebate: 50,
        tax_free: 1,
        price_range_id: null,
      })),
  ],
  [
    'a product',
    () =>
      edited(key('product', { merchant, id: product.id }), item => ({
        ...item,
        doc: JSON.stringify({ ...product, gross: '1.19', net: '1.00', tax: '0.19', name: 'Krug' }),
      })),
  ],
  ['the packages', () => putItem(key('packages', { merchant }), { packages: [], last: 3 })],
  ['the stock', () => setStock(shop, 'wine', wineId, 1)],
  ['the settings', () => setMerchant(shop, { name: 'Neuer Name', freight_free_from: '1.00', payment_types: ['cash'] })],
  ['that address away', () => shop.call('addresses/delete', { id: address.id })],
  ['that delivery address away', () => shop.call('addresses/delete', { id: delivery.id })],
  ['the client away', () => deleteItem(key('client', { merchant, id: client.id }))],
  ['the wine away', () => deleteItem(key('wine', { merchant, id: wineId }))],
  ['the product away', () => deleteItem(key('product', { merchant, id: product.id }))],
]

test.each(changes)('changing %s changes no byte of an order', async (_, act) => {
  const result = await act()
  const status = (result as Partial<Answer> | undefined)?.status
  if (status !== undefined) expect(status).toBe(200)
  expect(await answers()).toEqual(before)
})

test('a cancelled order’s documents contain the frozen records', async () => {
  const [first] = orders
  const { json } = await shop.call('orders/checkout/cancel', { id: first.id })
  const { client, billing, delivery, positions, package: parcel, rebates, gross, taxrates } = first
  expect(json.data).toMatchObject({ client, billing, delivery, rebates, gross, taxrates })
  const credit = { credit_advice_id: 1, chstamp: expect.any(String) }
  expect(json.data.positions).toEqual(positions.map((line: Json) => ({ ...line, ...credit })))
  expect(json.data.package).toEqual({ ...parcel, ...credit })
  expect(json.data.documents.creditAdvices).toMatchObject([{ gross, taxrates }])
})

test('an invoice keeps the merchant as it was; one from before shows none', async () => {
  const own = await newCellar('Kellerei Siegel', ['invoice'])
  const profile = { company: 'Siegel KG', taxid: '47/1', contact_person: 'Ute Siegel', iban: 'DE89370400440532013000' }
  await setMerchant(own, profile)
  const buyer = await newClient(own)
  const place = async () =>
    (await own.call('orders/add', { data: { billing_id: buyer.id, items: itemsOf(own, { riesling: 1 }) } })).json.data
  const invoiceOf = async ({ id }: Json) =>
    (await own.call('orders/get', { id, include: 'documents' })).json.data.documents.invoices[0]
  const first = await place()
  await setMerchant(own, { company: 'Siegel und Töchter KG', taxid: null })
  const { iban, ...shown } = profile
  const kept = { name: 'Kellerei Siegel', ...shown, vatid: null, bank: { iban, owner: null, bic: null, name: null } }
  expect((await invoiceOf(first)).seller).toMatchObject(kept)
  expect((await invoiceOf(await place())).seller).toMatchObject({ company: 'Siegel und Töchter KG', taxid: null })
  await edited(key('order', { merchant: own.id, id: first.id }), item => {
    const doc = JSON.parse(item.doc)
    delete doc.documents.invoices[0].seller
    return { ...item, doc: JSON.stringify(doc) }
  })
  const older = await invoiceOf(first)
  expect(older.seller).toBeNull()
  expect(Object.keys(older).at(-1)).toBe('seller')
})
