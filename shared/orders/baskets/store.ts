import { randomUUID } from 'node:crypto'
import {
  type CountedStock,
  type ItemFault,
  isForSale,
  itemMissing,
  itemsProblem,
  reservedStock,
} from '../../catalogue/goods.ts'
import { productOf } from '../../catalogue/products/stored.ts'
import { wineOf } from '../../catalogue/wines/stored.ts'
import type { NewItem } from '../../contract/baskets.ts'
import { Problem, validationProblem } from '../../contract/errors.ts'
import type { OrderedItem } from '../../contract/orders.ts'
import { reserving } from '../../merchants/quotas.ts'
import { absent, equals } from '../../platform/table/expressions.ts'
import { retrying, untilShown } from '../../platform/table/failures.ts'
import type { BasketItem, DocumentItem, StoredBasketItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItemGroups, putItem } from '../../platform/table/table.ts'
import { type Action, put, transact, update } from '../../platform/table/transact.ts'
import { timeOrderedId, timestamp, unixSeconds } from '../../values/time.ts'

// A basket that nobody touched for so long is forgotten.
const keptDays = 90

// What leads from an item to its basket must outlive the basket. Kept twice as long, it is written anew every 90 days at
// most, not with each touch.
const pointerDays = 2 * keptDays

const inDays = (days: number): number => unixSeconds(Date.now()) + days * 86_400

const maxItems = 50
const maxQuantity = 9999

/** Opens an empty basket. Throws quota_exceeded. */
export const addBasket = async (merchant: MerchantId): Promise<BasketItem> => {
  const uuid = randomUUID()
  const basket = { uuid, items: [], version: 1, crstamp: timestamp(Date.now()), expires: inDays(keptDays) }
  await reserving(merchant, { baskets: 1 }, () =>
    putItem(key('basket', { merchant, uuid }), basket, { when: [absent] }),
  )
  return basket
}

/** Reads a basket that an order names. Throws basket_not_found. */
export const readBasket = async (merchant: MerchantId, uuid: string): Promise<BasketItem> => {
  const basket = await getItem(key('basket', { merchant, uuid }))
  if (!basket) throw new Problem('basket_not_found')
  return basket
}

/** A basket that a buyer may use, and the stock that its own order holds while that waits for a payment. */
type OpenBasket = { basket: BasketItem; held: readonly CountedStock[] }

const gone = () => new Problem('basket_not_found', { status: 404 })

/**
 * Reads a basket that is not ordered, or whose order waits for an external payment: a buyer may come back and change
 * both. Throws basket_not_found.
 */
export const openBasket = async (merchant: MerchantId, uuid: string): Promise<OpenBasket> => {
  const basket = await getItem(key('basket', { merchant, uuid }))
  if (!basket) throw gone()
  const { ordered } = basket
  if (!ordered) return { basket, held: [] }
  const { waits, id } = ordered
  if (!waits || !id) throw gone()
  const held = reservedStock(await untilShown(() => getItem(key('order', { merchant, id }))))
  if (!held) throw gone()
  // Cancelled since the basket was read: that set the basket free.
  return held === 'cancelled' ? openBasket(merchant, uuid) : { basket, held }
}

/** What a basket orders, with the prices that its items had when they were put in. */
export const basketItems = ({ items }: BasketItem): (OrderedItem & { seen?: string | undefined })[] =>
  items.map(({ item_type, item_id, quantity, seen }) => ({ item_type, item_id, quantity, ...(seen && { seen }) }))

// An item is edited by its own id; the pointer tells which basket it lies in. Pointers of items that left their basket
// lead to nothing and go with time.
const pointerActions = (
  merchant: MerchantId,
  uuid: string,
  items: readonly StoredBasketItem[],
  expires: number,
): Action[] =>
  items.map(({ id }) =>
    put(
      `item ${id}`,
      key('basketItem', { merchant, id }),
      { uuid, expires },
      { when: [{ anyOf: [absent, equals('uuid', uuid)] }] },
    ),
  )

/** Which items need a pointer that is written now, and until when all of them have one then. */
const pointersDue = (
  { items: before, pointersExpire = 0 }: BasketItem,
  after: readonly StoredBasketItem[],
): { due: readonly StoredBasketItem[]; pointersExpire: number } => {
  if (pointersExpire < inDays(keptDays)) return { due: after, pointersExpire: inDays(pointerDays) }
  return { due: after.filter(({ id }) => !before.some(item => item.id === id)), pointersExpire }
}

const checked = (items: StoredBasketItem[]): StoredBasketItem[] => {
  if (items.length > maxItems)
    throw validationProblem([{ path: 'data', rule: 'max_items', expected: String(maxItems) }])
  const tooMany = items.some(({ quantity }) => quantity > maxQuantity)
  if (tooMany) throw validationProblem([{ path: 'data.quantity', rule: 'max_value', expected: String(maxQuantity) }])
  return items
}

/** How a request names its items, for refusals; `inshop`: only what the shop shows may be put in. */
type Asking = { inshop: boolean; item: (item: NewItem) => string; quantity: (item: NewItem) => string }

const isGoods =
  ({ item_type, item_id }: Pick<NewItem, 'item_type' | 'item_id'>) =>
  (other: { item_type?: string; type?: string; item_id?: number; id?: number }): boolean =>
    (other.item_type ?? other.type) === item_type && (other.item_id ?? other.id) === item_id

/** The items with the prices of now, if an order would take them. Throws item_not_found, item_unavailable or insufficient_stock. */
const orderable = async (
  merchant: MerchantId,
  items: readonly StoredBasketItem[],
  { held }: OpenBasket,
  asking: Asking,
): Promise<StoredBasketItem[]> => {
  const { records, stocks } = await getItemGroups({
    records: items.map(item => recordKey(merchant, item)),
    stocks: items.map(({ item_type: type, item_id: id }) => key('stock', { merchant, type, id })),
  })
  const faults: ItemFault[] = []
  const priced = items.map((item, n) => {
    const [stored, stock] = [records[n], stocks[n]]
    const { item_type, item_id } = item
    const path = asking.item(item)
    if (!stored) {
      faults.push(itemMissing(path, item))
      return item
    }
    const record = item_type === 'product' ? productOf(stored) : wineOf(stored)
    const about = { item_type, item_id, name: record.name }
    const left = stock && stock.quantity + (held.find(isGoods(item))?.quantity ?? 0)
    if (!isForSale(record, asking.inshop))
      faults.push({ word: 'item_unavailable', path, expected: `a ${item_type} that is for sale`, ...about })
    else if (item.quantity > (left ?? Number.POSITIVE_INFINITY))
      faults.push({ word: 'insufficient_stock', path: asking.quantity(item), expected: `at most ${left}`, ...about })
    return { ...item, seen: record.gross }
  })
  if (faults.length > 0) throw itemsProblem(faults)
  return priced
}

/** Changes the items of an open basket; those that change must be such that an order takes them. Throws basket_not_found. */
const changeItems = (
  merchant: MerchantId,
  uuid: string,
  asking: Asking,
  change: (items: StoredBasketItem[]) => StoredBasketItem[],
): Promise<BasketItem> =>
  retrying(
    async () => {
      const open = await openBasket(merchant, uuid)
      const { basket } = open
      const wanted = checked(change(basket.items))
      const isSame = (one: StoredBasketItem) =>
        basket.items.some(({ id, quantity }) => id === one.id && quantity === one.quantity)
      const changed = wanted.filter(one => !isSame(one))
      const priced = await orderable(merchant, changed, open, asking)
      const items = wanted.map(one => priced.find(({ id }) => id === one.id) ?? one)
      const { due, pointersExpire } = pointersDue(basket, items)
      const asRead = basket.ordered
        ? equals('ordered', basket.ordered)
        : ({ attribute: 'ordered', is: 'absent' } as const)
      const write = update(
        'basket',
        key('basket', { merchant, uuid }),
        { set: { items, expires: inDays(keptDays), pointersExpire }, add: { version: 1 } },
        [equals('version', basket.version), asRead],
      )
      await transact([write, ...pointerActions(merchant, uuid, due, inDays(pointerDays))])
      return { ...basket, items, version: basket.version + 1 }
    },
    () => true,
    40,
  )

const freshId = (items: readonly StoredBasketItem[]): number => {
  const id = timeOrderedId()
  // An instance whose clock is ahead may have put an item with this id into the same basket.
  return items.some(item => item.id === id) ? freshId(items) : id
}

const withItem = (
  items: readonly StoredBasketItem[],
  { item_type, item_id, quantity }: NewItem,
): StoredBasketItem[] => {
  const isSame = isGoods({ item_type, item_id })
  if (!items.some(isSame)) return [...items, { id: freshId(items), item_type, item_id, quantity }]
  return items.map(item => (isSame(item) ? { ...item, quantity: item.quantity + quantity } : item))
}

/** The key of the record that an item stands for. */
export const recordKey = (
  merchant: MerchantId,
  { item_type, item_id: id }: Pick<StoredBasketItem, 'item_type' | 'item_id'>,
): Key<DocumentItem> => (item_type === 'product' ? key('product', { merchant, id }) : key('wine', { merchant, id }))

/** What a request says besides of the items that it puts into a basket. */
type Shop = { inshop?: boolean }

/** Puts an item into a basket; of an item that is in it already, more. Throws basket_not_found and what no order would take. */
export const addItem = (
  merchant: MerchantId,
  uuid: string,
  item: NewItem,
  { inshop = false }: Shop = {},
): Promise<BasketItem> =>
  changeItems(merchant, uuid, { inshop, item: () => 'data.item_id', quantity: () => 'data.quantity' }, items =>
    withItem(items, item),
  )

/** Puts other items in the place of all. Throws basket_not_found and what no order would take. */
export const replaceItems = (
  merchant: MerchantId,
  uuid: string,
  wanted: readonly NewItem[],
  { inshop = false }: Shop = {},
): Promise<BasketItem> => {
  const path = (item: NewItem) => `data.basketItems.${wanted.findIndex(isGoods(item))}`
  const asking = {
    inshop,
    item: (item: NewItem) => `${path(item)}.item_id`,
    quantity: (item: NewItem) => `${path(item)}.quantity`,
  }
  return changeItems(merchant, uuid, asking, items => {
    const kept = wanted.reduce<StoredBasketItem[]>(withItem, [])
    // An item that stays keeps its id, so that a page that is open elsewhere can still edit it.
    return kept.map(item => {
      const before = items.find(isGoods(item))
      return before ? { ...before, quantity: item.quantity } : item
    })
  })
}

const noItem = () =>
  new Problem('item_not_found', {
    details: 'id must be the id of an item in a basket',
    fields: [{ path: 'id', rule: 'item_not_found', expected: 'the id of an item in a basket' }],
  })

const basketOf = async (merchant: MerchantId, id: number): Promise<string> => {
  const pointer = await getItem(key('basketItem', { merchant, id }))
  if (!pointer) throw noItem()
  return pointer.uuid
}

const changeItem = async (
  merchant: MerchantId,
  id: number,
  change: (item: StoredBasketItem) => StoredBasketItem[],
  inshop = false,
): Promise<BasketItem> => {
  const uuid = await basketOf(merchant, id)
  return changeItems(merchant, uuid, { inshop, item: () => 'id', quantity: () => 'data.quantity' }, items => {
    if (!items.some(item => item.id === id)) throw noItem()
    return items.flatMap(item => (item.id === id ? change(item) : [item]))
  })
}

/** Changes the quantity of an item. Throws item_not_found, basket_not_found and what no order would take. */
export const editItem = (
  merchant: MerchantId,
  id: number,
  quantity: number,
  { inshop = false }: Shop = {},
): Promise<BasketItem> => changeItem(merchant, id, item => [{ ...item, quantity }], inshop)

/** Takes an item out of its basket. Throws item_not_found or basket_not_found. */
export const deleteItem = (merchant: MerchantId, id: number): Promise<BasketItem> => changeItem(merchant, id, () => [])
