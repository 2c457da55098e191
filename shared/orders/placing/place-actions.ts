import { waitingPlace } from '../../payments/record.ts'
import { absent, equals } from '../../table/expressions.ts'
import type { BasketItem, Numbers, PaymentItem } from '../../table/items.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { type Action, put, update } from '../../table/transact.ts'
import { unixSeconds } from '../../time.ts'
import { itemOf, type OrderRecord, type SoldItems } from '../record.ts'
import { takeStock } from '../stock.ts'
import { partKey } from '../store.ts'

/** An order that is ready to be written, with everything that goes into its transaction. */
export type PreparedOrder = {
  order: OrderRecord
  sold: SoldItems
  parts: readonly Buffer[]
  /** The merchant's numbers as they were read, and as they shall be. */
  seen: Numbers
  numbers: Numbers
  /** What stores the parties that the order brings along. */
  newParties: readonly Action[]
  /** The version of the basket whose items these are. */
  basketVersion: number | null
  payment: PaymentItem | null
  /** Hash of the request's Idempotency-Key. */
  idempotencyKey: string | null
  requestHash: string
}

// Longer than any shop repeats a request.
const keySeconds = 48 * 3600

/** The numbers are taken under the values they were read with: they stay dense, and a lost race is tried again. */
const numbersAction = (merchant: MerchantId, { seen, numbers }: PreparedOrder): Action => {
  const { orders, invoices, deliveryNotes } = numbers
  return update('numbers', key('numbers', { merchant }), { set: { orders, invoices, deliveryNotes } }, [
    equals('orders', seen.orders),
    equals('invoices', seen.invoices),
    equals('deliveryNotes', seen.deliveryNotes),
    equals('creditAdvices', seen.creditAdvices),
  ])
}

const basketAction = (
  merchant: MerchantId,
  uuid: string,
  version: number | null,
  ordered: NonNullable<BasketItem['ordered']>,
): Action =>
  // What was put into it meanwhile must not get lost between basket and order.
  update('basket', key('basket', { merchant, uuid }), { set: { ordered } }, [
    equals('version', version ?? 0),
    { attribute: 'ordered', is: 'absent' },
  ])

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

/** The transaction that places an order: all of it, or nothing. */
export const placeActions = (merchant: MerchantId, prepared: PreparedOrder): Action[] => {
  const { order, parts, newParties, basketVersion, payment, idempotencyKey, requestHash: hash } = prepared
  const { id, uuid } = order.header
  return [
    numbersAction(merchant, prepared),
    put('order', key('order', { merchant, id }), itemOf(order, 1), { when: [absent] }),
    put('uuid', key('orderUuid', { merchant, uuid }), { id }, { when: [absent] }),
    ...parts.map((doc, part) => put(`part ${part}`, partKey(merchant, id, part), { doc }, { when: [absent] })),
    ...order.counted.map(counted => takeStock(merchant, counted)),
    ...newParties,
    ...(order.basket ? [basketAction(merchant, order.basket, basketVersion, { uuid, hash })] : []),
    ...(payment ? [paymentAction(merchant, payment), ownerAction(merchant, payment)] : []),
    ...(idempotencyKey ? [idempotencyAction(merchant, idempotencyKey, uuid, hash)] : []),
  ]
}
