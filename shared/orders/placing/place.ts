import { createHash } from 'node:crypto'
import { basketItems, readBasket } from '../../baskets/store.ts'
import { Problem } from '../../contract/errors.ts'
import type { NewOrder, OrderedItem } from '../../contract/orders.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import type { Cents } from '../../money.ts'
import { paymentView, unasked } from '../../payments/record.ts'
import { Unavailable } from '../../table/failures.ts'
import type { BasketItem, PaymentItem } from '../../table/items.ts'
import { key } from '../../table/keys.ts'
import { getItem } from '../../table/table.ts'
import { transact } from '../../table/transact.ts'
import { OthersWaiting, onlyNumbersLost, type Turn } from '../numbers.ts'
import { packSold } from '../record.ts'
import { orderIdOf, readOrder } from '../store.ts'
import { inTurn } from '../turns.ts'
import { allRelations, orderView, writtenOrder } from '../view.ts'
import { composeOrder, type Placer } from './compose.ts'
import { opener, openPayment } from './open.ts'
import { type PreparedOrder, placeActions } from './place-actions.ts'
import { type PricedOrder, priceOrder } from './pricing.ts'
import { readRedirects } from './redirects.ts'
import { type References, readReferences, withPresentNumbers } from './references.ts'

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
    ...unasked,
    ...readRedirects(data, merchant),
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

/** A priced order that only lacks its numbers. */
type Draft = { basket: BasketItem | null; references: References; priced: PricedOrder; parts: readonly Buffer[] }

const draftOf = async (request: PlaceRequest, basket: BasketItem | null, references: References): Promise<Draft> => {
  const priced = priceOrder(request.data, itemsOf(request, basket), references)
  return { basket, references, priced, parts: await packSold(priced.sold) }
}

/** Composes an order under the numbers that were read. Nothing is written. */
const prepare = (
  placing: Placer,
  request: PlaceRequest,
  { basket, references, priced, parts }: Draft,
): PreparedOrder => {
  const { data } = request
  const composed = composeOrder(placing, data, references, priced)
  const order = { ...composed.order, parts: parts.length }
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

/** Whether an order whose write got no answer is there all the same. */
const wasWritten = async ({ merchant }: Placer, uuid: string): Promise<boolean> =>
  (await getItem(key('orderUuid', { merchant, uuid }))) !== undefined

const write = async (placing: Placer, prepared: PreparedOrder, turn: Turn): Promise<void> => {
  const { uuid } = prepared.order.header
  try {
    await transact(placeActions(placing.merchant, prepared, turn), uuid)
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

/** What a request's basket or Idempotency-Key was used for before. */
type Used = { used: { uuid: string; hash: string }; word: 'idempotency_key_reused' | 'basket_already_ordered' }

/** The order that an equal request placed before. */
const repeat = async (placing: Placer, request: PlaceRequest, { used, word }: Used): Promise<PlacedOrder> => {
  if (used.hash !== hashOf(request)) throw new Problem(word)
  const { merchant } = placing
  const stored = await readOrder(merchant, await orderIdOf(merchant, { uuid: used.uuid }))
  const { payment, header, history } = stored.order
  const item = payment ? await getItem(key('payment', { merchant, uuid: payment })) : null
  const isCancelled = item?.status === 'cancelled' && item.external_id === null
  // Another equal request could not open the payment, and just set the key free: nobody can pay this order.
  if (isCancelled && (header.status !== 'cancelled' || history.at(-1)?.actor === opener)) {
    throw new Problem('payment_provider_error')
  }
  return withPayment(placing, request, await writtenOrder(merchant, stored), item, true)
}

const usedKey = async ({ merchant }: Placer, request: PlaceRequest): Promise<Used | undefined> => {
  const keyHash = hashOfKey(request)
  const used = keyHash ? await getItem(key('idempotency', { merchant, key: keyHash })) : undefined
  return used && { used, word: 'idempotency_key_reused' }
}

/** Reads and prices everything, unless the request was served before. */
const draftUnlessUsed = async (placing: Placer, request: PlaceRequest): Promise<Draft | Used> => {
  const basket = await readOrderedBasket(placing, request)
  if (basket?.ordered) {
    return (await usedKey(placing, request)) ?? { used: basket.ordered, word: 'basket_already_ordered' }
  }
  try {
    const references = await readFor(placing, request, basket)
    const { used } = references
    return used ? { used, word: 'idempotency_key_reused' } : await draftOf(request, basket, references)
  } catch (error) {
    // The first of two equal requests may have taken the last bottle: its order is this one's, too.
    const used = error instanceof Problem ? await usedKey(placing, request) : undefined
    if (used) return used
    throw error
  }
}

const isSame = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): boolean =>
  a.size === b.size && [...a].every(([id, quantity]) => b.get(id) === quantity)

/** The draft with present numbers; positions show the stock that is left, so they follow it. */
const renumbered = async (placing: Placer, request: PlaceRequest, draft: Draft): Promise<Draft | Used> => {
  const references = await withPresentNumbers(placing.merchant, draft.references)
  const [before, now] = [draft.references.stock, references.stock]
  if (isSame(before.wine, now.wine) && isSame(before.product, now.product)) return { ...draft, references }
  try {
    return await draftOf(request, draft.basket, references)
  } catch (error) {
    // Sold out meanwhile: to an equal request, perhaps.
    if (error instanceof Problem) return draftUnlessUsed(placing, request)
    throw error
  }
}

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers, documents, stock, basket and payment
 * in one transaction; an external payment is opened after it. Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = async (placing: Placer, request: PlaceRequest): Promise<PlacedOrder> => {
  let draft: Draft | undefined
  const attempt = async (turn: Turn): Promise<PreparedOrder | Used> => {
    const read = await (draft ? renumbered(placing, request, draft) : draftUnlessUsed(placing, request))
    if ('used' in read) return read
    draft = read
    const { queue, seen } = read.references
    if (turn.ticket === null && queue.isBusy) {
      turn.see(seen.turns.orders)
      throw new OthersWaiting()
    }
    turn.abandoned = queue.tickets
    const prepared = prepare(placing, request, read)
    await write(placing, prepared, turn)
    return prepared
  }
  const placed = await inTurn({ merchant: placing.merchant, counter: 'orders' }, attempt, error => {
    // Where more than a number was in the way, reading everything again shows what became of it.
    if (!onlyNumbersLost(error)) draft = undefined
    return true
  })
  if ('used' in placed) return repeat(placing, request, placed)
  return withPayment(placing, request, orderView(placed.order, allRelations, placed.sold), placed.payment, false)
}

/** The order that placing it would make now. Stores nothing. Throws the refusals of placing it. */
export const previewOrder = async (placing: Placer, request: PlaceRequest): Promise<PlacedOrder> => {
  const basket = await readOrderedBasket(placing, request)
  if (basket?.ordered) throw new Problem('basket_already_ordered')
  const draft = await draftOf(request, basket, await readFor(placing, request, basket))
  const { order, sold } = prepare(placing, request, draft)
  return { data: orderView(order, allRelations, sold), replayed: false }
}
