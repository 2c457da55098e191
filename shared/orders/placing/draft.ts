import { createHash, randomUUID } from 'node:crypto'
import type { NewOrder } from '../../contract/orders.ts'
import type { BasketItem } from '../../platform/table/items.ts'
import { basketItems } from '../baskets/store.ts'
import { isExternal } from '../states.ts'
import { checkPayable, composeHeader, type Placer } from './compose.ts'
import type { Draft } from './laid-down.ts'
import { type PricedItem, priceOrder } from './pricing.ts'
import { readRedirects } from './redirects.ts'
import { type References, readReferences } from './references.ts'

/**
 * A request to place an order; equal requests with one key, or for one basket, place one order. With `inshop` it sells
 * only what the shop shows.
 */
export type PlaceRequest = { data: NewOrder; idempotencyKey: string | null; inshop?: boolean }

/** What an order is made from, as it was read. */
export type OrderSource = { placer: Placer; request: PlaceRequest; basket: BasketItem | null; references: References }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const hashOf = ({ data }: PlaceRequest): string => sha256(JSON.stringify(data))

export const hashOfKey = ({ idempotencyKey }: PlaceRequest): string | null => idempotencyKey && sha256(idempotencyKey)

const itemsOf = ({ data }: PlaceRequest, basket: BasketItem | null): readonly PricedItem[] =>
  basket ? basketItems(basket) : (data.items ?? [])

/** Reads what an order refers to. Throws the refusals over references, and when nobody could take its payment. */
export const readSource = async (
  placer: Placer,
  request: PlaceRequest,
  basket: BasketItem | null,
): Promise<OrderSource> => {
  const idempotencyKey = hashOfKey(request)
  const items = itemsOf(request, basket)
  const references = await readReferences({ ...placer, data: request.data, items, idempotencyKey })
  // Only afterwards would be too late: the order would be stored, and its stock taken, with nobody to pay.
  if (!references.used) await checkPayable(request.data, references)
  return { placer, request, basket, references }
}

/**
 * Prices and composes an order; `uuid` will be its own. Nothing is written. Throws the contract's refusals over items,
 * stock, rebates and totals, and over how it is to be paid.
 */
export const draftOf = ({ placer, request, basket, references }: OrderSource, uuid: string): Draft => {
  const { data } = request
  const { merchant, billing, delivery, buyer, newParties } = references
  const priced = priceOrder(data, itemsOf(request, basket), references, request.inshop)
  const header = composeHeader(placer, data, uuid, references, priced)
  const isPaidOutside = isExternal(header.payment_type) && priced.totals.total.gross > 0
  if (header.payment_type === 'debit' && data.return_url) readRedirects(data, merchant, ['return_url'])
  return {
    header,
    client: buyer,
    billing: billing.record,
    delivery: delivery?.record ?? null,
    sold: priced.sold,
    rebates: priced.rebates,
    payment: isPaidOutside
      ? { uuid: randomUUID(), ...readRedirects(data, merchant, ['return_url', 'cancel_url']) }
      : null,
    newParties,
    basket: data.basket_uuid ?? data.basket ?? null,
    basketVersion: basket?.version ?? null,
    idempotencyKey: hashOfKey(request),
    requestHash: hashOf(request),
  }
}
