import { pick } from '../../shared/contract/schema/fields.ts'
import type { Basket, ClientRecord, Merchant, Order, Wine } from '../client/index.ts'

// The fields of the merchant's records that a browser may see: prices of other price ranges, for example, stay here.

/** The visitor's price: a signed-in client may have its own. */
const priceOf = (record: Pick<Wine, 'gross' | 'taxrate' | 'prices'>, isSignedIn: boolean) => {
  const { gross, taxrate } = (isSignedIn && record.prices[0]) || record
  return { gross, taxrate }
}

/** The shop shows and sells all products, and the wines with a public page. */
export const isShown = (item_type: string, goods: object): boolean =>
  item_type !== 'wine' || ('public' in goods && goods.public === 1)

export const listedWine = (wine: Wine, isSignedIn: boolean) => ({
  ...pick(wine, ['id', 'name', 'path_segment', 'image', 'vintage', 'type', 'countrycode', 'region', 'place']),
  ...pick(wine, ['winery_id', 'taste_id', 'quality', 'alcohol', 'bottlesize', 'bio', 'vegan', 'topseller']),
  ...pick(wine, ['nostock', 'grapetypeIds', 'base_price', 'min_age']),
  ...priceOf(wine, isSignedIn),
  winery: wine.winery && { name: wine.winery.name },
})

export type ListedWine = ReturnType<typeof listedWine>

/** A wine with the details of its own page, at the price of the signed-in client. */
export const shownWine = (wine: Wine) => ({
  ...listedWine(wine, true),
  ...pick(wine, ['articlenumber', 'quality_note', 'sweetness', 'acid', 'drinktemperature', 'description']),
  ...pick(wine, ['terroir', 'maturation', 'bottling_type', 'cap', 'cuvee', 'nostocktext', 'language', 'allergenIds']),
  ...pick(wine, ['expertisePdf', 'shop', 'customers_id']),
  winery: wine.winery && pick(wine.winery, ['name', 'company', 'address', 'zip', 'city', 'countrycode', 'www']),
})

type Goods = Wine & { package_quantity?: number }

/** An item of a basket; `isGone` if its record is deleted or hidden. The packaging is chosen by `bottles`. */
const basketItem = (
  { id, item_type, item_id, quantity, item, base_price }: Basket['basketItems'][number],
  isSignedIn: boolean,
) => {
  const goods = item as unknown as Goods | null
  if (!goods || !isShown(item_type, goods)) return { id, item_type, item_id, quantity, isGone: true as const }
  return {
    ...{ id, item_type, item_id, quantity, isGone: false as const },
    ...pick(goods, ['name', 'path_segment', 'image', 'vintage', 'bottlesize', 'nostock', 'nostocktext']),
    ...priceOf(goods, isSignedIn),
    base_price,
    bottles: quantity * (item_type === 'product' ? (goods.package_quantity ?? 1) : 1),
  }
}

/** `isWaiting` if an order of the basket waits for its payment. */
export const shownBasket = ({ basketItems, order_uuid, min_age }: Basket, isSignedIn: boolean) => ({
  items: basketItems.map(item => basketItem(item, isSignedIn)),
  isWaiting: order_uuid !== null,
  min_age,
})

const partyFields = [
  ...(['company', 'gender', 'title', 'first_name', 'last_name', 'address', 'address_supplement'] as const),
  ...(['zip', 'city', 'countrycode', 'mail', 'phone'] as const),
] as const

const party = (record: Order['billing']) => (record ? pick(record, partyFields) : null)

const soldGoods = ['name', 'path_segment', 'image', 'vintage', 'bottlesize'] as const

/** The steps of an order, oldest first; a step of a document has its kind and number. */
const stepsOf = ({ crstamp, documents }: Order) => {
  const { invoices = [], deliveryNotes = [], payments = [], creditAdvices = [] } = documents ?? {}
  const steps = [
    { at: crstamp, what: 'ordered' as const },
    ...payments.map(({ crstamp: at, amount }) => ({ at, what: 'paid' as const, amount })),
    ...invoices.map(({ crstamp: at, number }) => ({ at, what: 'invoice' as const, number })),
    ...deliveryNotes.map(({ crstamp: at, number, carrier, tracking }) => ({
      ...{ at, what: 'delivery_note' as const, number },
      ...{ carrier: carrier ?? null, tracking: tracking ?? null },
    })),
    ...creditAdvices.map(({ crstamp: at, number, gross }) => ({
      ...{ at, what: 'credit_advice' as const, number, amount: gross },
    })),
  ]
  return steps.sort((one, other) => one.at.localeCompare(other.at))
}

export const shownOrder = (order: Order) => ({
  ...pick(order, ['uuid', 'number', 'status', 'paid', 'payment_type', 'payment_period', 'delivery_type', 'crstamp']),
  ...pick(order, ['net', 'tax', 'gross', 'taxrates', 'item_gross', 'rebate_gross', 'client_remark', 'tax_free']),
  positions: (order.positions ?? []).map(({ item, ...position }) => ({
    ...pick(position, ['name', 'item_type', 'item_id', 'quantity', 'gross', 'net', 'taxrate', 'base_price']),
    item: pick(item as unknown as Goods, soldGoods),
  })),
  min_age: order.min_age ?? null,
  rebates: order.rebates ?? [],
  package: order.package ? pick(order.package, ['name', 'gross', 'net', 'taxrate', 'quantity']) : null,
  billing: party(order.billing),
  delivery: party(order.delivery),
  steps: stepsOf(order),
})

export const shownClient = (client: ClientRecord) => ({ ...pick(client, partyFields), number: client.number })

export const shownMerchant = ({ settings, ...merchant }: Merchant) => ({
  ...pick(merchant, ['id', 'company', 'name', 'address', 'zip', 'city', 'countrycode', 'phone', 'mail', 'www']),
  ...pick(merchant, ['taxid', 'vatid', 'image']),
  shippingFreeFrom: settings.freightfreelimit,
  shipsTo: settings.ships_to,
  timeZone: settings.timezone,
  bank: settings.bank,
})
