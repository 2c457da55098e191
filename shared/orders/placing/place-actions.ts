import type { CountedStock } from '../../catalogue/goods.ts'
import { untoldActions } from '../../events/outbox.ts'
import { waitingPlace } from '../../payments/record.ts'
import { absent, equals } from '../../platform/table/expressions.ts'
import type { BasketOrder, PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { type Action, put, update } from '../../platform/table/transact.ts'
import { unixSeconds } from '../../values/time.ts'
import { type Numbers, takeNumbers } from '../numbering/numbers.ts'
import type { OrderRecord, SoldItems } from '../record.ts'
import { takeStock } from '../stock.ts'
import { addOrder, partKey } from '../store.ts'
import { type NewParties, partyActions } from './parties.ts'

/** An order that is ready to be written, with everything that goes into its transaction. */
export type PreparedOrder = {
  order: OrderRecord
  sold: SoldItems
  parts: readonly Buffer[]
  /** The merchant's numbers as they shall be. */
  numbers: Numbers
  newParties: NewParties
  /** The version of the basket whose items these are. */
  basketVersion: number | null
  payment: PaymentItem | null
  /** Hash of the request's Idempotency-Key. */
  idempotencyKey: string | null
  requestHash: string
}

// Longer than any shop repeats a request.
const keySeconds = 48 * 3600

const basketAction = (merchant: MerchantId, uuid: string, version: number | null, ordered: BasketOrder): Action =>
  // What was put into it meanwhile must not get lost between basket and order.
  update('basket', key('basket', { merchant, uuid }), { set: { ordered } }, [
    equals('version', version ?? 0),
    { attribute: 'ordered', is: 'absent' },
  ])

/** What a basket keeps of its order; one that waits for an external payment leaves it open. */
const orderedAs = ({ order: { header }, basketVersion }: PreparedOrder, hash: string): BasketOrder => ({
  uuid: header.uuid,
  hash,
  id: header.id,
  version: basketVersion ?? 0,
  waits: header.status === 'new',
})

const paymentAction = (merchant: MerchantId, payment: PaymentItem): Action =>
  put('payment', key('payment', { merchant, uuid: payment.uuid }), payment, {
    when: [absent],
    index: waitingPlace(payment) ?? undefined,
  })

/** Events of the payment's provider are found to be this merchant's by it. */
const ownerAction = (merchant: MerchantId, { uuid }: PaymentItem): Action =>
  put('owner', key('paymentOwner', { payment: uuid }), { customers_id: merchant }, { when: [absent] })

const idempotencyAction = (merchant: MerchantId, keyHash: string, uuid: string, hash: string): Action =>
  put(
    'idempotency',
    key('idempotency', { merchant, key: keyHash }),
    { uuid, hash, expires: unixSeconds(Date.now()) + keySeconds },
    { when: [absent] },
  )

/** All that placing an order writes besides the numbers and the stock. */
export const actionsOf = (merchant: MerchantId, prepared: PreparedOrder): Action[] => {
  const { order, parts, newParties, basketVersion, payment, idempotencyKey, requestHash: hash } = prepared
  const { id, uuid } = order.header
  return [
    addOrder(merchant, order),
    ...untoldActions(merchant, order),
    put('uuid', key('orderUuid', { merchant, uuid }), { id }, { when: [absent] }),
    ...parts.map((doc, part) => put(`part ${part}`, partKey(merchant, id, part), { doc }, { when: [absent] })),
    ...partyActions(merchant, newParties),
    ...(order.basket ? [basketAction(merchant, order.basket, basketVersion, orderedAs(prepared, hash))] : []),
    ...(payment ? [paymentAction(merchant, payment), ownerAction(merchant, payment)] : []),
    ...(idempotencyKey ? [idempotencyAction(merchant, idempotencyKey, uuid, hash)] : []),
  ]
}

/** What all orders of a transaction take of each counted item. */
const takenBy = (all: readonly PreparedOrder[]): CountedStock[] => {
  const counted = all.flatMap(({ order }) => order.counted)
  return [...Map.groupBy(counted, ({ type, id }) => `${type} ${id}`).values()].flatMap(same =>
    same.slice(0, 1).map(one => ({ ...one, quantity: same.reduce((sum, { quantity }) => sum + quantity, 0) })),
  )
}

/**
 * The transaction that writes some orders, by the actions of each, and takes their numbers and stock: all of it, or
 * nothing. `before` are the merchant's numbers as they were read.
 */
export const placeActions = (
  merchant: MerchantId,
  before: Numbers,
  orders: readonly PreparedOrder[],
  actions: readonly Action[],
): Action[] => [
  ...takeNumbers(merchant, before, orders.at(-1)?.numbers ?? before),
  ...actions,
  ...takenBy(orders).map(counted => takeStock(merchant, counted)),
]
