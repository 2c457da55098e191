import { randomUUID } from 'node:crypto'
import type { NewItem } from '../contract/baskets.ts'
import { Problem } from '../contract/errors.ts'
import type { OrderedItem } from '../contract/orders.ts'
import { mostFields, validationProblem } from '../contract/refusal.ts'
import { timeOrderedId } from '../ids.ts'
import { reserving } from '../quotas/amounts.ts'
import { absent, equals } from '../table/expressions.ts'
import type { BasketItem, DocumentItem, StoredBasketItem } from '../table/items.ts'
import { type Key, key, type MerchantId } from '../table/keys.ts'
import { retrying } from '../table/retry.ts'
import { getItem, getItems, putItem } from '../table/table.ts'
import { type Action, put, transact, update } from '../table/transact.ts'
import { timestamp, unixSeconds } from '../time.ts'

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

/** Reads a basket. Throws basket_not_found. */
export const readBasket = async (merchant: MerchantId, uuid: string): Promise<BasketItem> => {
  const basket = await getItem(key('basket', { merchant, uuid }))
  if (!basket) throw new Problem('basket_not_found')
  return basket
}

/** What a basket orders. */
export const basketItems = ({ items }: BasketItem): OrderedItem[] =>
  items.map(({ item_type, item_id, quantity }) => ({ item_type, item_id, quantity }))

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

/** Changes the items of a basket that is not ordered yet. Throws basket_not_found or basket_already_ordered. */
const changeItems = (
  merchant: MerchantId,
  uuid: string,
  change: (items: StoredBasketItem[]) => StoredBasketItem[],
): Promise<BasketItem> =>
  retrying(
    async () => {
      const basket = await readBasket(merchant, uuid)
      if (basket.ordered) throw new Problem('basket_already_ordered')
      const items = checked(change(basket.items))
      const { due, pointersExpire } = pointersDue(basket, items)
      const write = update(
        'basket',
        key('basket', { merchant, uuid }),
        { set: { items, expires: inDays(keptDays), pointersExpire }, add: { version: 1 } },
        [equals('version', basket.version), { attribute: 'ordered', is: 'absent' }],
      )
      await transact([write, ...pointerActions(merchant, uuid, due, inDays(pointerDays))])
      return { ...basket, items, version: basket.version + 1 }
    },
    () => true,
    40,
  )

// Of many items that come at one moment, two may be given the same id.
const freshId = (items: readonly StoredBasketItem[]): number => {
  for (;;) {
    const id = timeOrderedId()
    if (!items.some(item => item.id === id)) return id
  }
}

const withItem = (
  items: readonly StoredBasketItem[],
  { item_type, item_id, quantity }: NewItem,
): StoredBasketItem[] => {
  const isSame = (item: StoredBasketItem) => item.item_type === item_type && item.item_id === item_id
  if (!items.some(isSame)) return [...items, { id: freshId(items), item_type, item_id, quantity }]
  return items.map(item => (isSame(item) ? { ...item, quantity: item.quantity + quantity } : item))
}

/** The key of the record that an item stands for. */
export const recordKey = (
  merchant: MerchantId,
  { item_type, item_id: id }: Pick<StoredBasketItem, 'item_type' | 'item_id'>,
): Key<DocumentItem> => (item_type === 'product' ? key('product', { merchant, id }) : key('wine', { merchant, id }))

const checkRecords = async (
  merchant: MerchantId,
  items: readonly NewItem[],
  path: (n: number) => string,
): Promise<void> => {
  const records = await getItems(items.map(item => recordKey(merchant, item)))
  const fields = items.flatMap(({ item_type }, n) =>
    records[n]
      ? []
      : [{ path: path(n), rule: 'item_not_found', expected: `the id of a ${item_type} of this merchant` }],
  )
  const [first] = fields
  if (first)
    throw new Problem('item_not_found', {
      details: `${first.path} must be ${first.expected}`,
      fields: fields.slice(0, mostFields),
    })
}

/** Puts an item into a basket; of an item that is in it already, more. Throws item_not_found. */
export const addItem = async (merchant: MerchantId, uuid: string, item: NewItem): Promise<BasketItem> => {
  await checkRecords(merchant, [item], () => 'data.item_id')
  return changeItems(merchant, uuid, items => withItem(items, item))
}

/** Puts other items in the place of all. Throws item_not_found. */
export const replaceItems = async (
  merchant: MerchantId,
  uuid: string,
  wanted: readonly NewItem[],
): Promise<BasketItem> => {
  await checkRecords(merchant, wanted, n => `data.basketItems.${n}.item_id`)
  return changeItems(merchant, uuid, items => {
    const kept = wanted.reduce<StoredBasketItem[]>(withItem, [])
    // An item that stays keeps its id, so that a page that is open elsewhere can still edit it.
    return kept.map(item => {
      const before = items.find(one => one.item_type === item.item_type && one.item_id === item.item_id)
      return before ? { ...item, id: before.id } : item
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
): Promise<BasketItem> => {
  const uuid = await basketOf(merchant, id)
  return changeItems(merchant, uuid, items => {
    if (!items.some(item => item.id === id)) throw noItem()
    return items.flatMap(item => (item.id === id ? change(item) : [item]))
  })
}

/** Changes the quantity of an item. Throws item_not_found, basket_already_ordered. */
export const editItem = (merchant: MerchantId, id: number, quantity: number): Promise<BasketItem> =>
  changeItem(merchant, id, item => [{ ...item, quantity }])

/** Takes an item out of its basket. Throws item_not_found, basket_already_ordered. */
export const deleteItem = (merchant: MerchantId, id: number): Promise<BasketItem> => changeItem(merchant, id, () => [])
