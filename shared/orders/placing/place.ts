import { createHash } from 'node:crypto'
import { basketItems, readBasket } from '../../baskets/store.ts'
import { Problem } from '../../contract/errors.ts'
import type { NewOrder, OrderedItem } from '../../contract/orders.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import type { Cents } from '../../money.ts'
import { paymentView } from '../../payments/record.ts'
import { Unavailable } from '../../table/failures.ts'
import type { BasketItem, IdempotencyItem, PaymentItem } from '../../table/items.ts'
import { key } from '../../table/keys.ts'
import { retrying } from '../../table/retry.ts'
import { getItem } from '../../table/table.ts'
import { transact } from '../../table/transact.ts'
import { packSold } from '../record.ts'
import { orderIdOf, readOrder } from '../store.ts'
import { allRelations, orderView, writtenOrder } from '../view.ts'
import { composeOrder, type Placer } from './compose.ts'
import { openPayment } from './open.ts'
import { type PreparedOrder, placeActions } from './place-actions.ts'
import { priceOrder } from './pricing.ts'
import { readRedirects } from './redirects.ts'
import { type References, readReferences } from './references.ts'

/** A request to place an order; equal requests with one key, or for one basket, place one order. */
export type PlaceRequest = { data: NewOrder; idempotencyKey: string | null }

/** A placed order; `replayed` when it was there already. */
export type PlacedOrder = { data: Order; targetUrl?: string; payment?: Payment; replayed: boolean }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hashOf = ({ data }: PlaceRequest): string => sha256(JSON.stringify(data))

/** The basket the order is for; both spellings of it must agree. */
const basketUuidOf = ({ basket, basket_uuid }: NewOrder): string | null => {
  if (basket && basket_uuid && basket !== basket_uuid) {
    throw new Problem('identifier_conflict', { details: 'data.basket and data.basket_uuid name different baskets' })
  }
  return basket_uuid ?? basket ?? null
}

const readOrderedBasket = async ({ merchant }: Placer, { data }: PlaceRequest): Promise<BasketItem | null> => {
  const uuid = basketUuidOf(data)
  return uuid ? readBasket(merchant, uuid) : null
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
    provider: null,
    account: null,
    external_id: null,
    target_url: null,
    ...readRedirects(data, merchant),
    payer_id: null,
    capture_id: null,
    taken: null,
    refunded: 0,
    refund_id: null,
    reason: null,
    refusals: 0,
    failed_refunds: 0,
    lease: 0,
    crstamp: header.crstamp,
  }
}

const itemsOf = ({ data }: PlaceRequest, basket: BasketItem | null): readonly OrderedItem[] =>
  basket ? basketItems(basket) : (data.items ?? [])

const hashOfKey = ({ idempotencyKey }: PlaceRequest): string | null => idempotencyKey && sha256(idempotencyKey)

const readFor = (placing: Placer, request: PlaceRequest, basket: BasketItem | null): Promise<References> =>
  readReferences({
    ...placing,
    data: request.data,
    items: itemsOf(request, basket),
    idempotencyKey: hashOfKey(request),
  })

/** Prices and composes an order from what it refers to. Nothing is written. */
const prepare = async (
  placing: Placer,
  request: PlaceRequest,
  basket: BasketItem | null,
  references: References,
): Promise<PreparedOrder> => {
  const { data } = request
  const priced = priceOrder(data, itemsOf(request, basket), references)
  const parts = await packSold(priced.sold)
  const composed = composeOrder(placing, data, references, priced)
  const order = { ...composed.order, parts: parts.length }
  return {
    order,
    sold: priced.sold,
    parts,
    numbers: composed.numbers,
    seen: references.numbers,
    newParties: references.newParties,
    basketVersion: basket?.version ?? null,
    payment: paymentFor(order, priced.totals.total.gross, data, references),
    idempotencyKey: hashOfKey(request),
    requestHash: hashOf(request),
  }
}

/** Whether an order whose write got no answer is there all the same. */
const wasWritten = async ({ merchant }: Placer, uuid: string): Promise<boolean> =>
  (await getItem(key('orderUuid', { merchant, uuid }))) !== undefined

const write = async (placing: Placer, prepared: PreparedOrder): Promise<void> => {
  const { uuid } = prepared.order.header
  try {
    await transact(placeActions(placing.merchant, prepared), uuid)
  } catch (error) {
    if (error instanceof Unavailable && (await wasWritten(placing, uuid))) return
    throw error
  }
}

/** A placed order with its payment; one that never reached its provider is opened now. */
const withPayment = async (
  { merchant }: Placer,
  request: PlaceRequest,
  data: Order,
  payment: PaymentItem | null | undefined,
  replayed: boolean,
): Promise<PlacedOrder> => {
  if (!payment) return { data, replayed }
  const opened = payment.status === 'created' ? await openPayment(merchant, payment, data, hashOfKey(request)) : payment
  const targetUrl = opened.status === 'open' || opened.status === 'declined' ? opened.target_url : null
  return { data, ...(targetUrl && { targetUrl }), payment: paymentView(opened), replayed }
}

/** The order that an equal request placed before. */
const repeat = async (
  placing: Placer,
  request: PlaceRequest,
  used: { uuid: string; hash: string },
  word: 'idempotency_key_reused' | 'basket_already_ordered',
): Promise<PlacedOrder> => {
  if (used.hash !== hashOf(request)) throw new Problem(word)
  const { merchant } = placing
  const stored = await readOrder(merchant, await orderIdOf(merchant, { uuid: used.uuid }))
  const { payment } = stored.order
  const item = payment ? await getItem(key('payment', { merchant, uuid: payment })) : null
  return withPayment(placing, request, await writtenOrder(merchant, stored), item, true)
}

const usedKey = async ({ merchant }: Placer, request: PlaceRequest): Promise<IdempotencyItem | undefined> => {
  const keyHash = hashOfKey(request)
  return keyHash ? getItem(key('idempotency', { merchant, key: keyHash })) : undefined
}

/** The order to be written, or what the request's Idempotency-Key was used for. */
const prepareUnlessUsed = async (
  placing: Placer,
  request: PlaceRequest,
  basket: BasketItem | null,
): Promise<PreparedOrder | { used: IdempotencyItem }> => {
  try {
    const references = await readFor(placing, request, basket)
    return references.used ? { used: references.used } : await prepare(placing, request, basket, references)
  } catch (error) {
    // The first of two equal requests may have taken the last bottle: its order is this one's, too.
    const used = error instanceof Problem ? await usedKey(placing, request) : undefined
    if (used) return { used }
    throw error
  }
}

const attempt = async (placing: Placer, request: PlaceRequest): Promise<PlacedOrder> => {
  const basket = await readOrderedBasket(placing, request)
  if (basket?.ordered) {
    const used = await usedKey(placing, request)
    if (used) return repeat(placing, request, used, 'idempotency_key_reused')
    return repeat(placing, request, basket.ordered, 'basket_already_ordered')
  }
  const prepared = await prepareUnlessUsed(placing, request, basket)
  if ('used' in prepared) return repeat(placing, request, prepared.used, 'idempotency_key_reused')
  await write(placing, prepared)
  return withPayment(placing, request, orderView(prepared.order, allRelations, prepared.sold), prepared.payment, false)
}

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers, documents, stock, basket and payment
 * in one transaction; an external payment is opened after it. Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = (placing: Placer, request: PlaceRequest): Promise<PlacedOrder> =>
  // Whatever an action of the transaction ran into, reading again shows what became of it.
  retrying(
    () => attempt(placing, request),
    () => true,
    40,
  )

/** The order that placing it would make now. Stores nothing. Throws the refusals of placing it. */
export const previewOrder = async (placing: Placer, request: PlaceRequest): Promise<PlacedOrder> => {
  const basket = await readOrderedBasket(placing, request)
  if (basket?.ordered) throw new Problem('basket_already_ordered')
  const { order, sold } = await prepare(placing, request, basket, await readFor(placing, request, basket))
  return { data: orderView(order, allRelations, sold), replayed: false }
}
