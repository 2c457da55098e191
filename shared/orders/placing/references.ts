import type { CountedStock } from '../../catalogue/goods.ts'
import { type PricedProduct, productOf } from '../../catalogue/products/stored.ts'
import { type StoredWine, wineOf } from '../../catalogue/wines/stored.ts'
import { mailKey } from '../../clients/store.ts'
import type { Address } from '../../contract/records/address.ts'
import { type Client, presentClient } from '../../contract/records/client.ts'
import type { Package } from '../../contract/records/package.ts'
import type { NewOrder, OrderedItem } from '../../contract/routes/orders.ts'
import type { GoodsType } from '../../contract/vocabulary.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { IdempotencyItem, Merchant, StockItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItemGroups } from '../../platform/table/table.ts'
import { asSoldBy } from '../../values/money.ts'
import { counterKeys, type Numbers, numbersIn } from '../numbering/numbers.ts'
import { hasLeader, leaderKey } from '../numbering/queue.ts'
import type { Line } from '../record.ts'
import type { OrderOwner } from '../store.ts'
import {
  billingReference,
  checkOneClient,
  checkTyped,
  deliveryReference,
  guestMail,
  inlineParties,
  missingParty,
  type NewParties,
  type Party,
  type PartyContext,
  type PartyReference,
  partyKeys,
} from './billing-delivery.ts'

/** Counted stock by type and id; goods that are missing are not counted. */
export type Stock = { [Type in GoodsType]: ReadonlyMap<number, number> }

/** Everything that an order refers to, as it is now. */
export type References = {
  merchant: Merchant
  numbers: Numbers
  /** True while another request leads the queue. */
  hasLeader: boolean
  billing: Party
  /** null when the buyer collects the goods. */
  delivery: Party | null
  /** The client that the order shows and belongs to. */
  buyer: Client | null
  /** The client whose terms apply. */
  client: Client | null
  newParties: NewParties
  wines: ReadonlyMap<number, StoredWine>
  products: ReadonlyMap<number, PricedProduct>
  packages: readonly Package[]
  stock: Stock
  /** The earlier use of the request's Idempotency-Key. */
  used: IdempotencyItem | null
}

type PartyRecords = { clients: readonly (Client | undefined)[]; addresses: readonly (Address | undefined)[] }

/** The billed client, or the owner of the billed address; null if that client is deleted. */
const clientOf = async (merchant: MerchantId, { type, record }: Party): Promise<Client | null> => {
  if (type === 'client') return record
  const { client_id: id } = record
  return (id && presentClient(await getItem(key('client', { merchant, id })))) || null
}

const partyIn = (
  { clients, addresses }: PartyRecords,
  { type, id }: PartyReference,
  path: string,
  own: OrderOwner,
): Party => {
  const [client] = clients
  const [address] = addresses
  if (type === 'client' && client && !client.deleted && (!own || id === own.id)) return { type, id, record: client }
  if (type === 'address' && address && (!own || address.client_id === own.id)) return { type, id, record: address }
  throw missingParty(path, type)
}

/** The distinct ids of a type of goods. */
export const goodsIds = (items: readonly (OrderedItem | Line)[], type: GoodsType): number[] => [
  // Stryker disable next-line ArrayDeclaration: A text is no id: nothing is found for it.
  ...new Set(items.flatMap(item => (item.item_type === type ? [item.item_id] : []))),
]

const byId = <Stored, Value>(
  ids: readonly number[],
  found: readonly (Stored | undefined)[],
  read: (one: Stored) => Value,
): Map<number, Value> =>
  new Map(
    ids.flatMap((id, n) => {
      const one = found[n]
      return one === undefined ? [] : [[id, read(one)] as const]
    }),
  )

/** The keys of the stock of some goods. */
export const stockKeys = (merchant: MerchantId, wines: readonly number[], products: readonly number[]) => ({
  wineStock: wines.map(id => key('stock', { merchant, type: 'wine', id })),
  productStock: products.map(id => key('stock', { merchant, type: 'product', id })),
})

type FoundStock = Record<'wineStock' | 'productStock', readonly (StockItem | undefined)[]>

/** The stock in what was read by stockKeys. */
export const stockIn = (wines: readonly number[], products: readonly number[], found: FoundStock): Stock => ({
  wine: byId(wines, found.wineStock, ({ quantity }) => quantity),
  product: byId(products, found.productStock, ({ quantity }) => quantity),
})

type ReferenceRequest = {
  merchant: MerchantId
  user: { id: number }
  client?: OrderOwner
  data: NewOrder
  items: readonly OrderedItem[]
  /** Hash of the request's Idempotency-Key. */
  idempotencyKey: string | null
}

const readAll = ({ merchant, data, items, idempotencyKey }: ReferenceRequest) => {
  const [wines, products] = [goodsIds(items, 'wine'), goodsIds(items, 'product')]
  const billing = partyKeys(merchant, billingReference(data))
  const delivery = partyKeys(merchant, deliveryReference(data))
  const mail = guestMail(data)
  return getItemGroups({
    merchant: [key('merchant', { merchant })],
    numbers: counterKeys(merchant),
    leader: [leaderKey(merchant)],
    packages: [key('packages', { merchant })],
    used: idempotencyKey ? [key('idempotency', { merchant, key: idempotencyKey })] : [],
    billingClients: billing.clients,
    billingAddresses: billing.addresses,
    deliveryClients: delivery.clients,
    deliveryAddresses: delivery.addresses,
    clients: data.client_id ? [key('client', { merchant, id: data.client_id })] : [],
    mails: mail ? [mailKey(merchant, mail)] : [],
    wines: wines.map(id => key('wine', { merchant, id })),
    products: products.map(id => key('product', { merchant, id })),
    ...stockKeys(merchant, wines, products),
  })
}

type Fetched = Awaited<ReturnType<typeof readAll>>

/** The billing and delivery sides: existing or new records. */
const sidesOf = ({ client: own, data }: ReferenceRequest, found: Fetched, context: PartyContext) => {
  const billingSide = billingReference(data)
  const deliverySide = deliveryReference(data)
  const billingRecords = { clients: found.billingClients, addresses: found.billingAddresses }
  const deliveryRecords = { clients: found.deliveryClients, addresses: found.deliveryAddresses }
  const named = billingSide && partyIn(billingRecords, billingSide, 'data.billing_id', own)
  if (named) checkTyped('billing', data.billing, named)
  const inline = inlineParties(data, named, context)
  const { billing, guest } = inline
  const delivery = deliverySide ? partyIn(deliveryRecords, deliverySide, 'data.delivery_id', own) : inline.delivery
  if (delivery && data.delivery_id) checkTyped('delivery', data.delivery, delivery)
  return {
    billing,
    delivery: data.delivery_type === 'none' ? null : (delivery ?? billing),
    guest,
    newParties: inline.newParties,
  }
}

/** The present owner of a guest's mail address. */
const ownerOf = async (merchant: MerchantId, { mails: [pointer] }: Fetched): Promise<PartyContext['owner']> => {
  const id = pointer?.id
  const client = id === undefined ? undefined : await untilShown(() => getItem(key('client', { merchant, id })))
  return { pointer, client: presentClient(client) }
}

const namedClient = ({ data }: ReferenceRequest, { clients }: Fetched): Client | null => {
  if (!data.client_id) return null
  const [client] = clients
  if (!client || client.deleted) throw missingParty('data.client_id', 'client')
  return client
}

/** Reads everything that an order refers to, in one request. Throws reference_not_found or identifier_conflict. */
export const readReferences = async (request: ReferenceRequest): Promise<References> => {
  const { merchant, items } = request
  checkOneClient(request.data)
  const found = await readAll(request)
  const [settings] = found.merchant
  const numbers = numbersIn(found.numbers)
  if (!settings || !numbers) throw new Error(`the merchant ${merchant} lacks its settings or its numbers`)
  const named = namedClient(request, found)
  const owner = await ownerOf(merchant, found)
  const { guest, ...sides } = sidesOf(request, found, {
    merchant,
    userId: request.user.id,
    country: settings.countrycode ?? 'de',
    owner,
  })
  const client = guest ? null : (named ?? (await clientOf(merchant, sides.billing)))
  const [wines, products] = [goodsIds(items, 'wine'), goodsIds(items, 'product')]
  return {
    merchant: settings,
    numbers,
    hasLeader: hasLeader(found.leader[0]),
    ...sides,
    buyer: guest ?? client,
    client,
    wines: byId(wines, found.wines, item => asSoldBy(settings, wineOf(item))),
    products: byId(products, found.products, item => asSoldBy(settings, productOf(item))),
    packages: (found.packages[0]?.packages ?? []).map(pack => asSoldBy(settings, pack)),
    stock: stockIn(wines, products, found),
    used: found.used[0] ?? null,
  }
}

/** The same references with stock that is returned before the order is placed. */
export const withStock = (references: References, given: readonly CountedStock[]): References => {
  const { wine, product } = references.stock
  const stock = { wine: new Map(wine), product: new Map(product) }
  for (const { type, id, quantity } of given) {
    const left = stock[type].get(id)
    if (left !== undefined) stock[type].set(id, left + quantity)
  }
  return { ...references, stock }
}
