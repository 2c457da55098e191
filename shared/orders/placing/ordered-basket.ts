import { randomUUID } from 'node:crypto'
import { Problem } from '../../contract/errors.ts'
import type { NewOrder } from '../../contract/routes/orders.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { BasketItem } from '../../platform/table/items.ts'
import { key } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { readBasket } from '../baskets/store.ts'
import { cancelById } from '../checkout/cancel.ts'
import type { OrderRecord } from '../record.ts'
import { readOrderVersion } from '../store.ts'
import type { Placer } from './draft.ts'
import { draftOf, hashOf, hashOfKey, type OrderSource, type PlaceRequest, readSource } from './draft.ts'
import type { Draft } from './queued-draft.ts'
import { type References, withStock } from './references.ts'

/** The uuid of the ordered basket. Throws identifier_conflict if its two fields differ. */
const basketUuidOf = ({ basket, basket_uuid }: NewOrder): string | null => {
  if (basket && basket_uuid && basket !== basket_uuid) {
    throw new Problem('identifier_conflict', {
      details: '`data.basket` and `data.basket_uuid` identify different baskets.',
    })
  }
  return basket_uuid ?? basket ?? null
}

/** Reads the basket that a request orders; null without a basket. Throws identifier_conflict or basket_not_found. */
export const readOrderedBasket = async ({ merchant }: Placer, { data }: PlaceRequest): Promise<BasketItem | null> => {
  const uuid = basketUuidOf(data)
  return uuid ? readBasket(merchant, uuid) : null
}

/** The earlier use of a request's basket or Idempotency-Key. */
export type Used = { used: { uuid: string; hash: string }; word: 'idempotency_key_reused' | 'basket_already_ordered' }

const usedKey = async ({ merchant }: Placer, request: PlaceRequest): Promise<Used | undefined> => {
  const keyHash = hashOfKey(request)
  const used = keyHash ? await getItem(key('idempotency', { merchant, key: keyHash })) : undefined
  return used && { used, word: 'idempotency_key_reused' }
}

/** True if a request has the data with which the basket was ordered. */
const isRepeat = (request: PlaceRequest, { ordered, version }: BasketItem): boolean =>
  // Stryker disable next-line OptionalChaining: It is only asked of a basket that was ordered; the types do not know.
  ordered?.hash === hashOf(request) && ordered.version === version

/** The basket's order while it waits for an external payment; `freed` if it was cancelled since the basket was read. */
export const waitingOrderOf = async (
  { merchant, client }: Placer,
  { ordered }: BasketItem,
): Promise<OrderRecord | 'freed' | undefined> => {
  // Stryker disable next-line OptionalChaining: It is only asked of a basket that was ordered; the types do not know.
  if (!ordered?.waits || !ordered.id) return undefined
  const { id } = ordered
  const { order } = await untilShown(() => readOrderVersion(merchant, id))
  const { client_id } = order.header
  if (client && client_id !== null && client_id !== client.id)
    throw new Problem('basket_not_found', { because: 'another client ordered it' })
  if (order.header.status === 'cancelled') return 'freed'
  if (order.header.paid) throw new Problem('order_paid', { because: 'the basket was ordered, and that order is paid' })
  return order.header.status === 'new' ? order : undefined
}

/** The source of an order that replaces another order, with the stock that the other order holds. */
export const sourceWithout = async (
  placing: Placer,
  request: PlaceRequest,
  basket: BasketItem,
  { counted }: OrderRecord,
): Promise<OrderSource> => {
  const source = await readSource(placing, request, basket)
  return { ...source, references: withStock(source.references, counted) }
}

/**
 * Cancels the basket's order that waits for a payment, if the basket is ordered again with other data and the new order can
 * be placed. Returns false if there is no order to replace.
 */
const replace = async (placing: Placer, request: PlaceRequest, basket: BasketItem): Promise<boolean> => {
  if (isRepeat(request, basket)) return false
  const order = await waitingOrderOf(placing, basket)
  if (order === 'freed') return true
  if (!order) return false
  draftOf(await sourceWithout(placing, request, basket, order), randomUUID())
  await cancelById(placing.merchant, order.header.id, { event: 'cancel', actor: placing.user.name })
  return true
}

export type Drafted = { draft: Draft; references: References }

/** Makes the draft, unless the request was served before. */
export const draftUnlessUsed = async (
  placing: Placer,
  request: PlaceRequest,
  uuid: string,
): Promise<Drafted | Used> => {
  const basket = await readOrderedBasket(placing, request)
  if (basket?.ordered) {
    const used = await usedKey(placing, request)
    if (used) return used
    if (await replace(placing, request, basket)) return draftUnlessUsed(placing, request, uuid)
    return { used: basket.ordered, word: 'basket_already_ordered' }
  }
  try {
    const source = await readSource(placing, request, basket)
    const { references } = source
    const { used } = references
    return used ? { used, word: 'idempotency_key_reused' } : { draft: draftOf(source, uuid), references }
  } catch (error) {
    // An equal request may have taken the last bottle: then its order is the answer.
    const used = error instanceof Problem ? await usedKey(placing, request) : undefined
    if (used) return used
    // So may an order of the same basket from another window.
    // Stryker disable next-line OptionalChaining: A basket that was read once is there or refused when it is read
    // again; the types do not know.
    const isOrderedNow = error instanceof Problem && basket && (await readOrderedBasket(placing, request))?.ordered
    if (isOrderedNow) return draftUnlessUsed(placing, request, uuid)
    throw error
  }
}
