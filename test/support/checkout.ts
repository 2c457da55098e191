import type { Package } from '../../shared/contract/records/package.ts'
import { completeProduct, type Product } from '../../shared/contract/records/product.ts'
import { type Choice, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import type { Merchant, SandboxBehaviour } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { putItem, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from './cellar.ts'
import { type Answer, type Json, newClient, type Shop } from './harness.ts'
import { violations } from './invariants.ts'

type Owner = Pick<Shop, 'id'>

/** Sets the counted stock of a wine or product. */
export const setStock = ({ id: merchant }: Owner, type: 'wine' | 'product', id: number, quantity: number) =>
  putItem(key('stock', { merchant, type, id }), { quantity })

/** Changes a merchant's settings. */
export const setMerchant = ({ id: merchant }: Owner, set: Partial<Merchant>) =>
  updateItem(key('merchant', { merchant }), { set })

/** The settings without which no invoice is drawn. */
export const whatInvoicesNeed = { address: 'Kai 1', zip: '20457', city: 'Hamburg', vatid: 'DE136695976' }

let products = 0

/** Stores a product at 11.90 with 19 % tax, but for the given fields; answers its record. */
export const newProduct = async ({ id: merchant }: Owner, fields: Partial<Product> = {}): Promise<Product> => {
  const id = fields.id ?? ++products
  const stamp = '2026-01-01 00:00:00'
  const record = completeProduct({
    id,
    name: `Karaffe ${id}`,
    articlenumber: null,
    net: '10.00',
    tax: '1.90',
    taxrate: 19,
    gross: '11.90',
    description: null,
    image: null,
    pdf: null,
    active: 1,
    nostock: 0,
    nostocktext: null,
    customers_id: merchant,
    origin_id: null,
    language: 'de',
    cruser_id: 0,
    crstamp: stamp,
    chstamp: stamp,
    network: 0,
    internal: 0,
    public: 1,
    shop: 1,
    package_quantity: 1,
    prices: [],
    ...fields,
  })
  await putItem(key('product', { merchant, id }), { doc: JSON.stringify(record), version: 1 })
  return record
}

/** Stores the packages of a shop: 1 to 6 bottles for 5.95, 7 to 12 for 8.33, from 13 on for 11.90, all with 19 % tax, but for the given fields. */
export const setPackages = async ({ id: merchant }: Owner, fields: Partial<Package> = {}): Promise<void> => {
  const ranges = [
    [1, 6, '5.95', '5.00', '0.95'],
    [7, 12, '8.33', '7.00', '1.33'],
    [13, null, '11.90', '10.00', '1.90'],
  ] as const
  const packages = ranges.map(
    ([min_bottles, max_bottles, gross, net, tax], n): Package => ({
      id: n + 1,
      type: 'bottles',
      min_bottles,
      max_bottles,
      min_weight: null,
      max_weight: null,
      gross,
      net,
      tax,
      taxrate: 19,
      customers_id: merchant,
      ...fields,
    }),
  )
  await putItem(key('packages', { merchant }), { packages, last: packages.length })
}

/** A basket with so many bottles of a wine; answers its uuid. */
export const newBasket = async ({ call }: Shop, wine: number, quantity: number): Promise<string> => {
  const { uuid } = (await call('baskets/add')).json.data
  await call('baskets/addItem', { uuid, data: { item_type: 'wine', item_id: wine, quantity } })
  return uuid
}

/** The return URLs of a shop. */
export const returning = {
  return_url: 'https://shop.example/finish?cart=7',
  cancel_url: 'https://shop.example/cancel',
}

/** The payer's choice at the approve page, with or without an event; returns where the page redirects. */
export const visit = async (
  targetUrl: string,
  choice: Choice = 'approve',
  behaviour: Exclude<SandboxBehaviour, 'decline'> = 'prompt',
  event: 'sent' | 'lost' = 'lost',
): Promise<URL> => {
  const id = targetUrl.split('/').at(-1) ?? ''
  const nonce = (await findSandboxPayment(id))?.nonce ?? ''
  const body = new URLSearchParams({ nonce, choice, behaviour, event })
  const response = await fetch(targetUrl, { method: 'POST', body, redirect: 'manual' })
  if (response.status !== 303) throw new Error(`the approve page answers ${response.status}`)
  return new URL(response.headers.get('location') ?? '')
}

/** The body of a shop's finish, from the answer of add and the redirect of the approve page. */
export const finishing = ({ json }: Answer, back: URL): Json => ({
  payment_type: json.data.payment_type,
  payment_id: json.payment.uuid,
  order_id: json.data.uuid,
  external_id: json.payment.external_id,
  payer_id: back.searchParams.get('PayerID') ?? 'nobody',
})

const bottles = 1000

/** A shop whose client orders two counted bottles for 24.00, paid externally; `check` is the whole invariant check. */
export const newCheckout = async (name: string) => {
  const shop = await newCellar(name, ['paypal', 'card', 'invoice'])
  const { id: billing_id } = await newClient(shop)
  const secco = shop.wine.secco as number
  await setStock(shop, 'wine', secco, bottles)
  const add = (data: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    shop.call(
      'orders/add',
      { data: { billing_id, payment_type: 'paypal', items: itemsOf(shop, { secco: 2 }), ...returning, ...data } },
      { headers },
    )
  const check = () => violations(shop.id, { [`wine#${secco}`]: bottles })
  return { shop, billing_id, add, check }
}
