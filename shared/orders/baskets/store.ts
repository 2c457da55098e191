import { randomUUID } from 'node:crypto'
import {
  type CountedStock,
  goodsKey,
  type ItemFault,
  itemMissing,
  itemsProblem,
  notForSale,
  reservedStock,
  stockKey,
} from '../../catalogue/goods.ts'
import { productOf } from '../../catalogue/products/stored.ts'
import { wineOf } from '../../catalogue/wines/stored.ts'
import { fieldsProblem, Problem, validationProblem } from '../../contract/errors.ts'
import type { NewItem } from '../../contract/routes/baskets.ts'
import type { OrderedItem } from '../../contract/routes/orders.ts'
import { withReservation } from '../../merchants/reservations.ts'
import { absent, equals } from '../../platform/table/expressions.ts'
import { retry, untilShown } from '../../platform/table/failures.ts'
import type { BasketItem, StoredBasketItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItemGroups, putItem } from '../../platform/table/table.ts'
import { type Action, put, transact, update } from '../../platform/table/transact.ts'
import { timeOrderedId, timestamp, unixSeconds } from '../../values/time.ts'

// An unchanged basket is deleted after so many days.
const storedDays = 90

// The pointer from an item to its basket must outlive the basket. Stored for twice as long, it is rewritten every 90 days at
// most instead of with each change.
const pointerDays = 2 * storedDays

const inDays = (days: number): number => unixSeconds(Date.now()) + days * 86_400

const maxItems = 50
const maxQuantity = 9999

/** Opens an empty basket. Throws quota_exceeded. */
export const addBasket = async (merchant: MerchantId): Promise<BasketItem> => {
  const uuid = randomUUID()
  const basket = { uuid, items: [], version: 1, crstamp: timestamp(Date.now()), expires: inDays(storedDays) }
  await withReservation(merchant, { baskets: 1 }, () =>
    // Stryker disable next-line ArrayDeclaration,ObjectLiteral: A random uuid is never there before.
    putItem(key('basket', { merchant, uuid }), basket, { when: [absent] }),
  )
  return basket
}

/** Reads a basket that an order names. Throws basket_not_found. */
export const readBasket = async (merchant: MerchantId, uuid: string): Promise<BasketItem> => {
  const basket = await getItem(key('basket', { merchant, uuid }))
  if (!basket) throw new Problem('basket_not_found', { because: 'the merchant has none with this uuid' })
  return basket
}

/** A basket that a buyer may change, and the stock that its order holds while it waits for a payment. */
type OpenBasket = { basket: BasketItem; held: readonly CountedStock[] }

const notFound = (because: string) => new Problem('basket_not_found', { because, status: 404 })

/**
 * Reads a basket that is not ordered, or whose order waits for an external payment: its buyer may come back and change both.
 * Throws basket_not_found.
 */
export const openBasket = async (merchant: MerchantId, uuid: string): Promise<OpenBasket> => {
  const basket = await getItem(key('basket', { merchant, uuid }))
  if (!basket) throw notFound('the merchant has none with this uuid')
  const { ordered } = basket
  // Stryker disable next-line ArrayDeclaration: A text is no goods, and holds no stock.
  if (!ordered) return { basket, held: [] }
  const { waits, id } = ordered
  if (!waits || !id) throw notFound('it is ordered')
  const held = reservedStock(await untilShown(() => getItem(key('order', { merchant, id }))))
  if (!held) throw notFound('its order waits for no payment any more')
  // Cancelled since the basket was read: that opened the basket again.
  return held === 'cancelled' ? openBasket(merchant, uuid) : { basket, held }
}

/** The items to order; `seen` is the price when an item was put in. */
export const basketItems = ({ items }: BasketItem): (OrderedItem & { seen?: string | undefined })[] =>
  items.map(({ item_type, item_id, quantity, seen }) => ({ item_type, item_id, quantity, ...(seen && { seen }) }))

// An item is edited by its own id, and the pointer has the basket's. Pointers of removed items expire.
const pointerActions = (
  merchant: MerchantId,
  uuid: string,
  items: readonly StoredBasketItem[],
  expires: number,
): Action[] =>
  items.map(({ id }) =>
    put(
      // Stryker disable next-line StringLiteral: Only the log distinguishes these actions.
      `item ${id}`,
      key('basketItem', { merchant, id }),
      { uuid, expires },
      { when: [{ anyOf: [absent, equals('uuid', uuid)] }] },
    ),
  )

/** The items whose pointers are due, and the time until which all items have a pointer then. */
const pointersDue = (
  { items: before, pointersExpire = 0 }: BasketItem,
  after: readonly StoredBasketItem[],
): { due: readonly StoredBasketItem[]; pointersExpire: number } => {
  if (pointersExpire < inDays(storedDays)) return { due: after, pointersExpire: inDays(pointerDays) }
  return { due: after.filter(({ id }) => !before.some(item => item.id === id)), pointersExpire }
}

const checkItems = (items: StoredBasketItem[]): StoredBasketItem[] => {
  if (items.length > maxItems)
    throw validationProblem([{ path: 'data', rule: 'max_items', expected: String(maxItems) }])
  const tooMany = items.some(({ quantity }) => quantity > maxQuantity)
  if (tooMany) throw validationProblem([{ path: 'data.quantity', rule: 'max_value', expected: String(maxQuantity) }])
  return items
}

/** The paths of items in a request, for refusals; with `inshop` only goods that the shop shows may be put in. */
type ItemPaths = { inshop: boolean; item: (item: NewItem) => string; quantity: (item: NewItem) => string }

const isGoods =
  ({ item_type, item_id }: Pick<NewItem, 'item_type' | 'item_id'>) =>
  (other: { item_type?: string; type?: string; item_id?: number; id?: number }): boolean =>
    (other.item_type ?? other.type) === item_type && (other.item_id ?? other.id) === item_id

/** Returns items with present prices. Throws item_not_found, item_unavailable or insufficient_stock, as an order would. */
const orderable = async (
  merchant: MerchantId,
  items: readonly StoredBasketItem[],
  { held }: OpenBasket,
  paths: ItemPaths,
): Promise<StoredBasketItem[]> => {
  const { records, stocks } = await getItemGroups({
    records: items.map(item => goodsKey(merchant, item)),
    stocks: items.map(item => stockKey(merchant, item)),
  })
  const faults: ItemFault[] = []
  const priced = items.map((item, n) => {
    const [stored, stock] = [records[n], stocks[n]]
    const { item_type, item_id } = item
    const path = paths.item(item)
    if (!stored) {
      faults.push(itemMissing(path, item))
      return item
    }
    // Stryker disable next-line ConditionalExpression,EqualityOperator,StringLiteral: Of what is asked here, name,
    // price and whether it is sold, both read the same.
    const record = item_type === 'product' ? productOf(stored) : wineOf(stored)
    const about = { item_type, item_id, name: record.name }
    const left = stock && stock.quantity + (held.find(isGoods(item))?.quantity ?? 0)
    const fault = notForSale(record, item, path, paths.inshop)
    if (fault) faults.push(fault)
    else if (item.quantity > (left ?? Number.POSITIVE_INFINITY))
      faults.push({ word: 'insufficient_stock', path: paths.quantity(item), expected: `at most ${left}`, ...about })
    return { ...item, seen: record.gross }
  })
  if (faults.length > 0) throw itemsProblem(faults)
  return priced
}

/** Changes the items of an open basket; an order must be possible with the changed items. Throws basket_not_found. */
const changeItems = (
  merchant: MerchantId,
  uuid: string,
  paths: ItemPaths,
  change: (items: StoredBasketItem[]) => StoredBasketItem[],
): Promise<BasketItem> =>
  retry(
    async () => {
      const open = await openBasket(merchant, uuid)
      const { basket } = open
      const wanted = checkItems(change(basket.items))
      const isSame = (one: StoredBasketItem) =>
        basket.items.some(({ id, quantity }) => id === one.id && quantity === one.quantity)
      const changed = wanted.filter(one => !isSame(one))
      const priced = await orderable(merchant, changed, open, paths)
      const items = wanted.map(one => priced.find(({ id }) => id === one.id) ?? one)
      const { due, pointersExpire } = pointersDue(basket, items)
      const asRead = basket.ordered
        ? equals('ordered', basket.ordered)
        : ({ attribute: 'ordered', is: 'absent' } as const)
      const write = update(
        // Stryker disable next-line StringLiteral: Only the log distinguishes this action.
        'basket',
        key('basket', { merchant, uuid }),
        { set: { items, expires: inDays(storedDays), pointersExpire }, add: { version: 1 } },
        [equals('version', basket.version), asRead],
      )
      await transact([write, ...pointerActions(merchant, uuid, due, inDays(pointerDays))])
      return { ...basket, items, version: basket.version + 1 }
    },
    undefined,
    40,
  )

const freshId = (items: readonly StoredBasketItem[]): number => {
  const id = timeOrderedId()
  // An instance whose clock is ahead may have used this id in the same basket.
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

type Options = { inshop?: boolean }

/** Puts an item into a basket, or raises its quantity there. Throws basket_not_found and the refusals over items. */
export const addItem = (
  merchant: MerchantId,
  uuid: string,
  item: NewItem,
  { inshop = false }: Options = {},
): Promise<BasketItem> =>
  changeItems(merchant, uuid, { inshop, item: () => 'data.item_id', quantity: () => 'data.quantity' }, items =>
    withItem(items, item),
  )

/** Replaces all items. Throws basket_not_found and the refusals over items. */
export const replaceItems = (
  merchant: MerchantId,
  uuid: string,
  wanted: readonly NewItem[],
  { inshop = false }: Options = {},
): Promise<BasketItem> => {
  const path = (item: NewItem) => `data.basketItems.${wanted.findIndex(isGoods(item))}`
  const paths = {
    inshop,
    item: (item: NewItem) => `${path(item)}.item_id`,
    quantity: (item: NewItem) => `${path(item)}.quantity`,
  }
  return changeItems(merchant, uuid, paths, items => {
    // An item that stays keeps its id, so that a page that is open elsewhere can still edit it.
    return wanted.reduce<StoredBasketItem[]>(withItem, []).map(item => {
      const before = items.find(isGoods(item))
      return before ? { ...before, quantity: item.quantity } : item
    })
  })
}

const noItem = () =>
  fieldsProblem('item_not_found', [{ path: 'id', rule: 'item_not_found', expected: 'the id of an item in a basket' }])

const basketOf = async (merchant: MerchantId, id: number): Promise<string> => {
  const pointer = await getItem(key('basketItem', { merchant, id }))
  if (!pointer) throw noItem()
  return pointer.uuid
}

const changeItem = async (
  merchant: MerchantId,
  id: number,
  change: (item: StoredBasketItem) => StoredBasketItem[],
  // Stryker disable next-line BooleanLiteral: Only taking an item out does without it, and what is taken out is not
  // looked at.
  inshop = false,
): Promise<BasketItem> => {
  const uuid = await basketOf(merchant, id)
  return changeItems(merchant, uuid, { inshop, item: () => 'id', quantity: () => 'data.quantity' }, items => {
    if (!items.some(item => item.id === id)) throw noItem()
    return items.flatMap(item => (item.id === id ? change(item) : [item]))
  })
}

/** Changes the quantity of an item. Throws item_not_found, basket_not_found and the refusals over items. */
export const editItem = (
  merchant: MerchantId,
  id: number,
  quantity: number,
  { inshop = false }: Options = {},
): Promise<BasketItem> => changeItem(merchant, id, item => [{ ...item, quantity }], inshop)

/** Removes an item from its basket. Throws item_not_found or basket_not_found. */
export const deleteItem = (merchant: MerchantId, id: number): Promise<BasketItem> => changeItem(merchant, id, () => [])
