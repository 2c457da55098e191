import { randomUUID } from 'node:crypto'
import { Problem } from '../../contract/errors.ts'
import type { NewOrder } from '../../contract/orders.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { BasketItem } from '../../platform/table/items.ts'
import { key } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { readBasket } from '../baskets/store.ts'
import { cancelById } from '../checkout/cancel.ts'
import type { OrderRecord } from '../record.ts'
import { readVersion } from '../store.ts'
import type { Placer } from './draft.ts'
import { draftOf, hashOf, hashOfKey, type OrderSource, type PlaceRequest, readSource } from './draft.ts'
import type { Draft } from './queued-draft.ts'
import { type References, withStock } from './references.ts'

/** The basket the order is for; both spellings of it must agree. */
const basketUuidOf = ({ basket, basket_uuid }: NewOrder): string | null => {
  if (basket && basket_uuid && basket !== basket_uuid) {
    throw new Problem('identifier_conflict', { details: 'data.basket and data.basket_uuid name different baskets' })
  }
  return basket_uuid ?? basket ?? null
}

/** The basket that a request orders; null without one. Throws identifier_conflict or basket_not_found. */
export const readOrderedBasket = async ({ merchant }: Placer, { data }: PlaceRequest): Promise<BasketItem | null> => {
  const uuid = basketUuidOf(data)
  return uuid ? readBasket(merchant, uuid) : null
}

/** What a request's basket or Idempotency-Key was used for before. */
export type Used = { used: { uuid: string; hash: string }; word: 'idempotency_key_reused' | 'basket_already_ordered' }

const usedKey = async ({ merchant }: Placer, request: PlaceRequest): Promise<Used | undefined> => {
  const keyHash = hashOfKey(request)
  const used = keyHash ? await getItem(key('idempotency', { merchant, key: keyHash })) : undefined
  return used && { used, word: 'idempotency_key_reused' }
}

/** Whether a request says of its basket what the basket's order was placed with. */
const isRepeat = (request: PlaceRequest, { ordered, version }: BasketItem): boolean =>
  ordered?.hash === hashOf(request) && ordered.version === version

/** The order of a basket while it waits for an external payment; `freed` when it was cancelled since the basket was read. */
export const waitingOrderOf = async (
  { merchant, client }: Placer,
  { ordered }: BasketItem,
): Promise<OrderRecord | 'freed' | undefined> => {
  if (!ordered?.waits || !ordered.id) return undefined
  const { id } = ordered
  const { order } = await untilShown(() => readVersion(merchant, id))
  const { client_id } = order.header
  if (client && client_id !== null && client_id !== client.id) throw new Problem('basket_not_found')
  if (order.header.status === 'cancelled') return 'freed'
  if (order.header.paid) throw new Problem('order_paid')
  return order.header.status === 'new' ? order : undefined
}

/** What a request orders, with the stock given back that an order it replaces holds. */
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
 * Makes a basket free that is ordered once more with other data while its order waits for a payment: that order is
 * cancelled, once it is known that the new one would be placed. False where nothing is to be replaced.
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

/** An order, and what it refers to as it was read. */
export type Drafted = { draft: Draft; references: References }

/** Reads and prices everything, unless the request was served before. */
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
    // The first of two equal requests may have taken the last bottle: its order is this one's, too.
    const used = error instanceof Problem ? await usedKey(placing, request) : undefined
    if (used) return used
    // So may an order of the same basket, from another window.
    const isOrderedNow = error instanceof Problem && basket && (await readOrderedBasket(placing, request))?.ordered
    if (isOrderedNow) return draftUnlessUsed(placing, request, uuid)
    throw error
  }
}
