import { type BadField, type ErrorWord, fieldsProblem, type Problem } from '../contract/errors.ts'
import type { GoodsType } from '../contract/vocabulary.ts'
import type { OrderItem, RecordItem } from '../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../platform/table/keys.ts'

type NamedGoods = { item_type: GoodsType; item_id: number }

/** The key of the record of goods. */
export const goodsKey = (merchant: MerchantId, { item_type, item_id: id }: NamedGoods): Key<RecordItem> =>
  item_type === 'wine' ? key('wine', { merchant, id }) : key('product', { merchant, id })

/** The key of the stock of goods. */
export const stockKey = (merchant: MerchantId, { item_type: type, item_id: id }: NamedGoods) =>
  key('stock', { merchant, type, id })

/** Stock that an order takes and its cancellation returns. */
export type CountedStock = { type: GoodsType; id: number; quantity: number }

/**
 * The stock that an order reserves while it awaits an external payment; `cancelled` if it was cancelled, undefined if it
 * awaits none.
 */
export const reservedStock = ({ doc }: OrderItem): readonly CountedStock[] | 'cancelled' | undefined => {
  const { header, counted }: { header: { status: string }; counted: CountedStock[] } = JSON.parse(doc)
  if (header.status === 'cancelled') return 'cancelled'
  return header.status === 'new' ? counted : undefined
}

/** Goods as they are stored: `priced` is 1 if their price was given, also as 0.00. */
export type Sold = { active: 0 | 1; nostock: 0 | 1; shop: 0 | 1; priced?: 0 | 1 }

/** True if the lists of the shop show goods. */
export const isInShop = ({ active, shop, priced }: Omit<Sold, 'nostock'>): boolean =>
  active === 1 && shop === 1 && priced === 1

const noPrice = 'it has no price'

/** Why goods cannot be bought, with `inshop` in the shop; undefined if they can. */
const whyNotForSale = ({ active, nostock, shop, priced }: Sold, inshop: boolean): string | undefined => {
  if (active !== 1) return 'it is not active'
  if (nostock !== 0) return 'it is out of stock'
  if (priced !== 1) return noPrice
  return inshop && shop !== 1 ? 'it is not in the shop' : undefined
}

/** A problem of an item of an order: its error word, its path in the request, and the goods. */
export type ItemFault = {
  word: Extract<ErrorWord, 'item_not_found' | 'item_unavailable' | 'insufficient_stock'>
  path: string
  expected: string
  item_type: GoodsType
  item_id: number
  name?: string | undefined
  because?: string
  german?: string
}

// The id of goods that do not exist is the caller's own input, which is not repeated.
const fieldOf = ({ word: rule, path, expected, item_type, item_id }: ItemFault): BadField => ({
  path,
  rule,
  expected,
  ...(rule !== 'item_not_found' && { item_type, item_id }),
})

/** The problem of goods that cannot be bought, with `inshop` in the shop; undefined if they can. */
export const notForSale = (
  goods: Sold & { name: string },
  { item_type, item_id }: NamedGoods,
  path: string,
  inshop: boolean,
): ItemFault | undefined => {
  const because = whyNotForSale(goods, inshop)
  if (!because) return undefined
  const { name } = goods
  const fault = { word: 'item_unavailable', because, path, item_type, item_id, name } as const
  if (because !== noPrice) return { ...fault, expected: `a ${item_type} that is for sale` }
  const german = `${name}: Dieser Artikel hat keinen Preis und ist deshalb nicht erhältlich.`
  return { ...fault, expected: `a ${item_type} with a price; without one it is not for sale`, german }
}

export const itemMissing = (
  path: string,
  { item_type, item_id }: Pick<ItemFault, 'item_type' | 'item_id'>,
): ItemFault => ({
  word: 'item_not_found',
  path,
  expected: `the id of a ${item_type} of this merchant`,
  item_type,
  item_id,
})

/** The refusal of items: word and sentence of the first item, and a list of up to 20. */
export const itemsProblem = (faults: readonly ItemFault[]): Problem => {
  const [first] = faults
  if (!first) throw new Error('a refusal needs an item that is wrong')
  return fieldsProblem(first.word, faults.map(fieldOf), {
    about: first.name,
    because: first.because,
    ...(first.german && { german: first.german }),
  })
}
