import type { CountedStock } from '../../catalogue/goods/held.ts'
import type { GoodsType } from '../../contract/vocabulary.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { deleteItem, getItemGroups, getItems, putItem } from '../../platform/table/table.ts'
import type { Action } from '../../platform/table/transact.ts'
import { unixSeconds } from '../../values/time.ts'
import { pack, unpack } from '../record.ts'
import { type Draft, draftOf, type OrderSource, prepare } from './draft.ts'
import { type AlongOrder, actionsOf, type PreparedOrder } from './place-actions.ts'
import type { References } from './references.ts'

// Of many orders at once each would have to wait for all before it, one transaction after the other. So who waits lays
// their order down here, and whoever has the turn places the next ones along, in one transaction (group commit).

// Who reads a draft may run other code than who wrote it. To be raised with every change of what a draft holds.
const form = 3
// In bytes. A larger draft has a turn of its own.
const mostBytes = 60_000
const mostAlong = 15
// DynamoDB allows 100 actions and 4 MB in one transaction. Left free are the actions for the numbers and the own order's
// waiting, and the bytes of names, keys and what is only changed.
const mostActions = 90
const mostBytesTogether = 3_500_000
// The sweep deletes what a request leaves behind within minutes; this is for what no sweep sees.
const keptSeconds = 3600

type WrittenAction = { name: string; key: Action['key']; request: ReturnType<Action['request']> }
type Written = Omit<OrderSource, 'references'> & {
  form: number
  uuid: string
  references: Omit<References, 'wines' | 'products' | 'stock' | 'newParties' | 'newClient'> & {
    wines: [number, unknown][]
    products: [number, unknown][]
    newParties: WrittenAction[]
  }
}

const written = ({ placer, request, basket, references, uuid }: Draft): Written => {
  const { wines, products, stock: _, newParties, newClient: __, ...plain } = references
  const parties = newParties.map(action => ({ ...action, request: action.request() }))
  return {
    form,
    uuid,
    placer,
    request,
    basket,
    references: { ...plain, wines: [...wines], products: [...products], newParties: parties },
  }
}

/** An order that waits, as its own request read everything but stock and numbers. */
type WaitingOrder = {
  ticket: number
  uuid: string
  source: Omit<OrderSource, 'references'> & { references: Omit<References, 'stock'> }
}

const waitingIn = (ticket: number, doc: Uint8Array): WaitingOrder[] => {
  const read: Written = unpack(doc)
  if (read.form !== form) return []
  const { uuid, placer, request, basket, references: stored } = read
  const references = {
    ...stored,
    wines: new Map(stored.wines) as References['wines'],
    products: new Map(stored.products) as References['products'],
    newParties: stored.newParties.map(action => ({ ...action, request: () => action.request })),
    newClient: null,
  }
  return [{ ticket, uuid, source: { placer, request, basket, references } }]
}

/** Lays an order down to be placed along, until a time in milliseconds. Returns false when it is too large for that. */
export const layDown = async (draft: Draft, ticket: number, until: number): Promise<boolean> => {
  const doc = pack(written(draft))
  if (doc.length > mostBytes) return false
  const place = key('waitingOrder', { merchant: draft.placer.merchant, ticket })
  await putItem(place, { doc, until, expires: unixSeconds(Date.now()) + keptSeconds })
  return true
}

/** Takes an order back. Returns false when it is gone: placed along, then. */
export const takeBack = async (merchant: MerchantId, ticket: number): Promise<boolean> =>
  (await deleteItem(key('waitingOrder', { merchant, ticket }))) !== undefined

/** What the large items of an order take. */
const bytesOf = ({ order, parts, newParties }: PreparedOrder): number =>
  Buffer.byteLength(JSON.stringify([order, newParties.map(({ request }) => request())])) +
  parts.reduce((sum, { length }) => sum + length, 0)

/** What is wrong with another's order, whatever it is, is told at its own turn, and fails nobody else. */
const unlessRefused = <T>(act: () => T): T | undefined => {
  try {
    return act()
  } catch {
    return undefined
  }
}

const waitingBehind = async (
  merchant: MerchantId,
  ticket: number,
  left: ReadonlySet<number>,
): Promise<WaitingOrder[]> => {
  const tickets = Array.from({ length: mostAlong }, (_, n) => ticket + 1 + n).filter(one => !left.has(one))
  const items = await getItems(tickets.map(one => key('waitingOrder', { merchant, ticket: one })))
  const now = Date.now()
  return items.flatMap((item, n) =>
    item && item.until > now ? (unlessRefused(() => waitingIn(tickets[n] as number, item.doc)) ?? []) : [],
  )
}

type Stock = { [Type in GoodsType]: Map<number, number> }

/** The counted stock of everything that is to be sold, less what the first order takes. */
const stockFor = async (merchant: MerchantId, first: Draft, waiting: readonly WaitingOrder[]): Promise<Stock> => {
  const missing = (goods: 'wines' | 'products') =>
    [...new Set(waiting.flatMap(({ source }) => [...source.references[goods].keys()]))].filter(
      id => !first.references[goods].has(id),
    )
  const ids = { wine: missing('wines'), product: missing('products') }
  const keys = (type: GoodsType) => ids[type].map(id => key('stock', { merchant, type, id }))
  const found = await getItemGroups({ wine: keys('wine'), product: keys('product') })
  const { stock } = first.references
  const all = (type: GoodsType) =>
    new Map([
      ...stock[type],
      ...ids[type].flatMap((id, n) => {
        const item = found[type][n]
        return item ? [[id, item.quantity] as const] : []
      }),
    ])
  return { wine: all('wine'), product: all('product') }
}

const sell = (stock: Stock, counted: readonly CountedStock[]): void => {
  for (const { type, id, quantity } of counted) stock[type].set(id, (stock[type].get(id) ?? 0) - quantity)
}

const only = (stock: ReadonlyMap<number, number>, goods: ReadonlyMap<number, unknown>): Map<number, number> =>
  new Map([...stock].filter(([id]) => goods.has(id)))

const textOf = ({ key: { pk, sk } }: Action): string => `${pk} ${sk}`

/**
 * The orders that can be placed along with one whose turn it is, in the order of their tickets and with the numbers
 * after it. What is refused, or would write an item that another one writes, is left to its own turn.
 */
export const ordersAlong = async (
  first: Draft,
  prepared: PreparedOrder,
  ticket: number,
  left: ReadonlySet<number>,
): Promise<AlongOrder[]> => {
  const { merchant } = first.placer
  const waiting = await waitingBehind(merchant, ticket, left)
  const stock = await stockFor(merchant, first, waiting)
  sell(stock, prepared.order.counted)
  const places = new Set(actionsOf(merchant, prepared).map(textOf))
  const goods = new Set(prepared.order.counted.map(({ type, id }) => `${type} ${id}`))
  let { numbers } = prepared
  let bytes = bytesOf(prepared)
  const along: AlongOrder[] = []
  for (const { ticket: theirs, uuid, source } of waiting) {
    const { references } = source
    const seen = { ...prepared.seen, numbers }
    const now = { wine: only(stock.wine, references.wines), product: only(stock.product, references.products) }
    const next = unlessRefused(() =>
      prepare(draftOf({ ...source, references: { ...references, seen, stock: now } }, uuid)),
    )
    if (!next) continue
    const theirPlaces = actionsOf(merchant, next).map(textOf)
    const theirGoods = next.order.counted.map(({ type, id }) => `${type} ${id}`)
    const size = places.size + theirPlaces.length + new Set([...goods, ...theirGoods]).size + along.length
    const theirBytes = bytesOf(next)
    if (size > mostActions || bytes + theirBytes > mostBytesTogether) break
    if (theirPlaces.some(place => places.has(place))) continue
    for (const place of theirPlaces) places.add(place)
    for (const one of theirGoods) goods.add(one)
    sell(stock, next.order.counted)
    bytes += theirBytes
    numbers = next.numbers
    along.push({ ticket: theirs, prepared: next })
  }
  return along
}
