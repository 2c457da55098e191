import type { Client } from '../../clients/record.ts'
import type { Address } from '../../contract/addresses.ts'
import { type BadField, Problem } from '../../contract/errors.ts'
import type { NewOrder, OrderedItem } from '../../contract/orders.ts'
import type { Merchant } from '../../merchants/records.ts'
import type { Package } from '../../packages/record.ts'
import { type Product, productOf } from '../../products/record.ts'
import { type Key, key, type MerchantId } from '../../table/keys.ts'
import { getItem, getItems } from '../../table/table.ts'
import { wineOf, wireWine } from '../../wines/item.ts'
import type { Wine } from '../../wines/record.ts'
import type { Numbers } from '../numbers.ts'
import { inlineParties, type NewRecord } from './inline-parties.ts'
import type { Party } from './party.ts'

/** What an Idempotency-Key was used for. */
export type Replay = { uuid: string; hash: string }

/** Everything an order refers to, as it is at this moment. */
export type References = {
  merchant: Merchant
  numbers: Numbers
  billing: Party
  /** null when the buyer collects the goods. */
  delivery: Party | null
  client: Client | null
  /** Parties that the order brings along. */
  newRecords: NewRecord[]
  wines: Map<number, Wine>
  products: Map<number, Product>
  packages: Package[]
  /** Counted stock by `wine#12`, `product#3`; what is missing is not counted. */
  stock: Map<string, number>
  replay: Replay | null
}

type Wanted = { type: 'client' | 'address'; id: number }

const billingWanted = ({ billing_type, billing_id }: NewOrder): Wanted | null =>
  billing_id ? { type: billing_type ?? 'client', id: billing_id } : null

/** The record the goods go to, when the order names one that exists. */
const deliveryWanted = (data: NewOrder): Wanted | null => {
  const { delivery_type, delivery_id, delivery, billing_id } = data
  if (delivery_type === 'none' || (delivery && !delivery_id)) return null
  if (delivery_id) return { type: delivery_type ?? 'client', id: delivery_id }
  // Without a word of its own, the delivery goes where the bill goes.
  if (delivery_type && billing_id) return { type: delivery_type, id: billing_id }
  return billingWanted(data)
}

const partyKey = (merchant: MerchantId, { type, id }: Wanted): Key =>
  type === 'client' ? key('client', { merchant, id }) : key('address', { merchant, id })

const missing = (path: string, type: string) => {
  const field: BadField = {
    path,
    rule: 'reference',
    expected: `the id of ${type === 'client' ? 'a client' : 'an address'}`,
  }
  return new Problem('reference_not_found', { details: `${path} names no ${type}`, fields: [field] })
}

const stripped = <T>(item: object): T => {
  const { pk, sk, by, ...record } = item as Record<string, unknown>
  return record as T
}

const partyOf = (wanted: Wanted, item: object | undefined, path: string): Party => {
  if (!item || (item as { deleted?: number }).deleted) throw missing(path, wanted.type)
  return { ...wanted, record: stripped(item) } as Party
}

/** The client an address belongs to, when nothing else named it. */
const clientOfAddress = async (merchant: MerchantId, { client_id }: Address): Promise<Client | null> => {
  const item = client_id ? await getItem(key('client', { merchant, id: client_id })) : undefined
  return item ? stripped<Client>(item) : null
}

const stockName = (type: string, id: number): string => `${type}#${id}`

/** The name under which the stock of an item is kept in References. */
export const stockOf = ({ stock }: Pick<References, 'stock'>, type: string, id: number): number | undefined =>
  stock.get(stockName(type, id))

const goodsIn = (items: readonly OrderedItem[], type: 'wine' | 'product'): number[] => [
  ...new Set(items.flatMap(item => (item.item_type === type ? [item.item_id] : []))),
]

// Reads several kinds of items at once and hands each back under its name.
const readNamed = async <N extends string>(keys: Partial<Record<N, Key>>) => {
  const names = Object.keys(keys) as N[]
  const items = await getItems(names.map(name => keys[name] as Key))
  return Object.fromEntries(names.map((name, n) => [name, items[n]])) as Partial<Record<N, object>>
}

type Asking = {
  merchant: MerchantId
  user: { id: number }
  data: NewOrder
  items: readonly OrderedItem[]
  idempotencyKey: string | null
}

/** Reads what an order refers to, in one request. Throws reference_not_found. */
export const readReferences = async ({ merchant, user, data, items, idempotencyKey }: Asking): Promise<References> => {
  const billingSide = billingWanted(data)
  const deliverySide = deliveryWanted(data)
  const wines = goodsIn(items, 'wine')
  const products = goodsIn(items, 'product')
  const goods = [...wines.map(id => ['wine', id] as const), ...products.map(id => ['product', id] as const)]
  const keys: Record<string, Key> = {
    settings: key('merchant', { merchant }),
    numbers: key('numbers', { merchant }),
    packages: key('packages', { merchant }),
    ...(idempotencyKey && { replay: key('idempotency', { merchant, key: idempotencyKey }) }),
    ...(billingSide && { billing: partyKey(merchant, billingSide) }),
    ...(deliverySide && { delivery: partyKey(merchant, deliverySide) }),
    ...(data.client_id && { client: key('client', { merchant, id: data.client_id }) }),
  }
  for (const [type, id] of goods) {
    keys[stockName(type, id)] = type === 'wine' ? key('wine', { merchant, id }) : key('product', { merchant, id })
    keys[`stock of ${stockName(type, id)}`] = key('stock', { merchant, type, id })
  }
  const found = await readNamed(keys)
  const named = data.client_id
    ? (partyOf({ type: 'client', id: data.client_id }, found.client, 'data.client_id').record as Client)
    : null
  const born = inlineParties(merchant, user.id, data)
  const billing = billingSide ? partyOf(billingSide, found.billing, 'data.billing_id') : (born.billing as Party)
  const delivery = deliverySide ? partyOf(deliverySide, found.delivery, 'data.delivery_id') : born.delivery
  const client =
    billing.type === 'client' ? billing.record : (named ?? (await clientOfAddress(merchant, billing.record)))
  const records = <T>(type: string, ids: readonly number[], read: (item: object) => T) =>
    new Map(
      ids.flatMap(id => {
        const item = found[stockName(type, id)]
        return item ? [[id, read(item)] as const] : []
      }),
    )
  const stock = goods.flatMap(([type, id]) => {
    const item = found[`stock of ${stockName(type, id)}`] as { quantity: number } | undefined
    return item ? [[stockName(type, id), item.quantity] as const] : []
  })
  return {
    merchant: found.settings as Merchant,
    numbers: found.numbers as Numbers,
    billing,
    delivery: data.delivery_type === 'none' ? null : (delivery ?? billing),
    client,
    newRecords: born.items,
    wines: records('wine', wines, item => wireWine(wineOf(item))),
    products: records('product', products, productOf),
    packages: (found.packages as { packages: Package[] } | undefined)?.packages ?? [],
    stock: new Map(stock),
    replay: (found.replay as Replay | undefined) ?? null,
  }
}
