import { createHash } from 'node:crypto'
import type { NewOrder } from '../../contract/orders.ts'
import { unasked } from '../../payments/record.ts'
import type { BasketItem, PaymentItem } from '../../platform/table/items.ts'
import type { Cents } from '../../values/money.ts'
import { basketItems } from '../baskets/store.ts'
import { packSold } from '../record.ts'
import { checkPayable, composeOrder, type Placer } from './compose.ts'
import type { PreparedOrder } from './place-actions.ts'
import { type PricedItem, type PricedOrder, priceOrder } from './pricing.ts'
import { readRedirects } from './redirects.ts'
import { type References, readReferences } from './references.ts'

/**
 * A request to place an order; equal requests with one key, or for one basket, place one order. With `inshop` it sells
 * only what the shop shows.
 */
export type PlaceRequest = { data: NewOrder; idempotencyKey: string | null; inshop?: boolean }

/** What an order is made from, as it was read. */
export type OrderSource = { placer: Placer; request: PlaceRequest; basket: BasketItem | null; references: References }

/** A priced order that only lacks its numbers; `uuid` will be the order's. */
export type Draft = OrderSource & { uuid: string; priced: PricedOrder; parts: readonly Buffer[] }

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

/** Prices an order. Throws the contract's refusals over items, stock, rebates and totals. */
export const draftOf = (source: OrderSource, uuid: string): Draft => {
  const { request, basket, references } = source
  const priced = priceOrder(request.data, itemsOf(request, basket), references, request.inshop)
  return { ...source, uuid, priced, parts: packSold(priced.sold) }
}

const paymentFor = (
  { header, payment: uuid }: PreparedOrder['order'],
  amount: Cents,
  data: NewOrder,
  { merchant }: References,
): PaymentItem | null => {
  if (!uuid) return null
  return {
    uuid,
    order: header.id,
    order_uuid: header.uuid,
    type: header.payment_type,
    amount,
    currency: 'EUR',
    status: 'created',
    ...unasked,
    ...readRedirects(data, merchant, ['return_url', 'cancel_url']),
    crstamp: header.crstamp,
  }
}

/** Composes an order under the numbers that were read. Nothing is written. */
export const prepare = ({ placer, request, basket, references, uuid, priced, parts }: Draft): PreparedOrder => {
  const { data } = request
  const composed = composeOrder(placer, data, uuid, references, priced)
  const order = { ...composed.order, parts: parts.length }
  if (order.header.payment_type === 'debit' && data.return_url) readRedirects(data, references.merchant, ['return_url'])
  return {
    order,
    sold: priced.sold,
    parts,
    numbers: composed.numbers,
    seen: references.seen,
    newParties: references.newParties,
    basketVersion: basket?.version ?? null,
    payment: paymentFor(order, priced.totals.total.gross, data, references),
    idempotencyKey: hashOfKey(request),
    requestHash: hashOf(request),
  }
}
