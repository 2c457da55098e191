import { createHash } from 'node:crypto'
import { basketItems, readBasket, type StoredBasket } from '../../baskets/store.ts'
import { Problem } from '../../contract/errors.ts'
import type { NewOrder, Order, OrderedItem, Payment } from '../../contract/orders.ts'
import { parseMoney } from '../../money.ts'
import { openPayment } from '../../payments/open.ts'
import { type PaymentItem, paymentView, waiting } from '../../payments/record.ts'
import { TransactionRefused, Unavailable } from '../../table/failures.ts'
import { key } from '../../table/keys.ts'
import { getItem } from '../../table/table.ts'
import { retrying, transact } from '../../table/transact.ts'
import { allRelations } from '../load.ts'
import { packSold } from '../record.ts'
import { isExternal } from '../states.ts'
import { findOrder } from '../store.ts'
import { orderView } from '../view.ts'
import { composeOrder, type Placing } from './compose.ts'
import { type Placed, placeActions } from './place-actions.ts'
import { priceOrder } from './pricing.ts'
import { readRedirects } from './redirects.ts'
import { type References, readReferences } from './references.ts'

/** A request to place an order; equal requests with one key, or for one basket, place one order. */
export type PlaceRequest = { data: NewOrder; idempotencyKey: string | null }

/** What placing answers; `replayed` when the order was there already. */
export type PlaceResponse = { data: Order; targetUrl?: string; payment?: Payment; replayed: boolean }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hashOf = ({ data }: PlaceRequest): string => sha256(JSON.stringify(data))

/** The basket the order is for; both spellings of it must agree. */
const basketOf = ({ basket, basket_uuid }: NewOrder): string | null => {
  if (basket && basket_uuid && basket !== basket_uuid) {
    throw new Problem('identifier_conflict', { details: 'data.basket and data.basket_uuid name different baskets' })
  }
  return basket_uuid ?? basket ?? null
}

const paymentFor = ({ order }: Pick<Placed, 'order'>, data: NewOrder, { merchant }: References): PaymentItem | null => {
  const { header, payment: uuid } = order
  if (!uuid) return null
  return {
    uuid,
    order: header.id,
    order_uuid: header.uuid,
    type: header.payment_type,
    amount: parseMoney(header.gross) ?? 0,
    currency: 'EUR',
    status: 'created',
    external_id: null,
    target_url: null,
    ...readRedirects(data, merchant),
    payer_id: null,
    capture_id: null,
    lease: 0,
    crstamp: header.crstamp,
    by: waiting('open', header.crstamp),
  }
}

type Prepared = Placed & { references: References }

/** Reads, prices and composes an order; nothing is written. */
const prepare = async (
  placing: Placing,
  { data, idempotencyKey }: PlaceRequest,
  basket: StoredBasket | null,
): Promise<Prepared> => {
  const { merchant, user } = placing
  const items: readonly OrderedItem[] = basket ? basketItems(basket) : (data.items ?? [])
  const keyHash = idempotencyKey && sha256(idempotencyKey)
  const references = await readReferences({ merchant, user, data, items, idempotencyKey: keyHash })
  const priced = priceOrder(data, items, references)
  const parts = await packSold(priced.sold)
  const { order, numbers } = composeOrder(placing, data, references, priced)
  const placed = {
    order: { ...order, parts: parts.length },
    sold: priced.sold,
    parts,
    numbers,
    seen: references.numbers,
    newRecords: references.newRecords,
    basketVersion: basket?.version ?? null,
  }
  return {
    ...placed,
    payment: isExternal(order.header.payment_type) ? paymentFor(placed, data, references) : null,
    idempotency: keyHash ? { key: keyHash, hash: hashOf({ data, idempotencyKey }) } : null,
    requestHash: hashOf({ data, idempotencyKey }),
    references,
  }
}

/** Whether an order whose write got no answer is there all the same. */
const wasWritten = async ({ merchant }: Placing, uuid: string): Promise<boolean> =>
  (await getItem(key('orderUuid', { merchant, uuid }))) !== undefined

const write = async (placing: Placing, placed: Placed): Promise<void> => {
  const { uuid } = placed.order.header
  try {
    await transact(placeActions(placing.merchant, placed), uuid)
  } catch (error) {
    if (error instanceof Unavailable && (await wasWritten(placing, uuid))) return
    throw error
  }
}

/** The answer over an order that stands; a payment that never reached its provider is opened now. */
const answer = async (
  placing: Placing,
  data: Order,
  payment: PaymentItem | null,
  replayed: boolean,
): Promise<PlaceResponse> => {
  if (!payment) return { data, replayed }
  const opened = payment.status === 'created' ? await openPayment(placing.merchant, payment, data) : payment
  const targetUrl = opened.status === 'open' || opened.status === 'declined' ? opened.target_url : null
  return { data, ...(targetUrl && { targetUrl }), payment: paymentView(opened), replayed }
}

const replay = async (placing: Placing, uuid: string): Promise<PlaceResponse> => {
  const { merchant } = placing
  const { order, sold } = await findOrder(merchant, { uuid })
  const payment = order.payment
    ? await getItem<PaymentItem>(key('payment', { merchant, uuid: order.payment }))
    : undefined
  return answer(placing, orderView(order, allRelations, sold), payment ?? null, true)
}

const repeated = async (
  placing: Placing,
  request: PlaceRequest,
  used: { uuid: string; hash: string },
  word: 'idempotency_key_reused' | 'basket_already_ordered',
) => {
  if (used.hash !== hashOf(request)) throw new Problem(word)
  return replay(placing, used.uuid)
}

const usedKey = async ({ merchant }: Placing, { idempotencyKey }: PlaceRequest) =>
  idempotencyKey
    ? getItem<{ uuid: string; hash: string }>(key('idempotency', { merchant, key: sha256(idempotencyKey) }))
    : undefined

const attempt = async (placing: Placing, request: PlaceRequest): Promise<PlaceResponse> => {
  const basketUuid = basketOf(request.data)
  const basket = basketUuid ? await readBasket(placing.merchant, basketUuid) : null
  if (basket?.ordered) {
    const used = await usedKey(placing, request)
    if (used) return repeated(placing, request, used, 'idempotency_key_reused')
    return repeated(placing, request, basket.ordered, 'basket_already_ordered')
  }
  let prepared: Prepared
  try {
    prepared = await prepare(placing, request, basket)
  } catch (error) {
    // The first of two equal requests may have taken the last bottle: its answer is this one's, too.
    const used = error instanceof Problem ? await usedKey(placing, request) : undefined
    if (used) return repeated(placing, request, used, 'idempotency_key_reused')
    throw error
  }
  const { replay: used } = prepared.references
  if (used) return repeated(placing, request, used, 'idempotency_key_reused')
  await write(placing, prepared)
  return answer(placing, orderView(prepared.order, allRelations, prepared.sold), prepared.payment, false)
}

// Whatever an action of the transaction ran into, reading again shows what became of it.
const always = (error: TransactionRefused) => error instanceof TransactionRefused

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers, documents, stock, basket and payment
 * in one transaction; an external payment is opened after it. Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = (placing: Placing, request: PlaceRequest): Promise<PlaceResponse> =>
  retrying(() => attempt(placing, request), always, 40)

/** The order that placing it would make now. Stores nothing. */
export const wouldBeOrder = async (placing: Placing, request: PlaceRequest): Promise<PlaceResponse> => {
  const basketUuid = basketOf(request.data)
  const basket = basketUuid ? await readBasket(placing.merchant, basketUuid) : null
  const { order, sold } = await prepare(placing, request, basket)
  return { data: orderView(order, allRelations, sold), replayed: false }
}
