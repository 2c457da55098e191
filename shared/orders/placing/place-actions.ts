import type { PaymentItem } from '../../payments/record.ts'
import { absent, equals, present } from '../../table/expressions.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import type { Action } from '../../table/transact.ts'
import { unixSeconds } from '../../time.ts'
import type { Numbers } from '../numbers.ts'
import { type Counted, itemOf, type OrderRecord, type Sold } from '../record.ts'
import type { NewRecord } from './inline-parties.ts'

/** An order that is ready to be written, with everything that goes into its transaction. */
export type Placed = {
  order: OrderRecord
  sold: Sold
  parts: readonly Buffer[]
  /** The merchant's numbers as they were read, and as they shall be. */
  seen: Numbers
  numbers: Numbers
  newRecords: readonly NewRecord[]
  /** The version of the basket whose items these are. */
  basketVersion: number | null
  payment: PaymentItem | null
  idempotency: { key: string; hash: string } | null
  requestHash: string
}

// Longer than any shop repeats a request.
const keySeconds = 48 * 3600

/** Changes stock under the condition that it is still counted, and never below 0. */
export const stockAction = (
  merchant: MerchantId,
  { type, id, quantity }: Counted,
  direction: 'take' | 'return',
): Action => ({
  name: `stock ${type}#${id}`,
  key: key('stock', { merchant, type, id }),
  when: direction === 'take' ? [{ attribute: 'quantity', is: '>=', value: quantity }] : [present],
  update: { add: { quantity: direction === 'take' ? -quantity : quantity } },
})

const basketAction = (merchant: MerchantId, uuid: string, version: number | null, ordered: object): Action => ({
  name: 'basket',
  key: key('basket', { merchant, uuid }),
  // What was put into it meanwhile must not get lost between basket and order.
  when: [equals('version', version), { attribute: 'ordered', is: 'absent' }],
  update: { set: { ordered } },
})

/** The transaction that places an order: all of it, or nothing. */
export const placeActions = (merchant: MerchantId, placed: Placed): Action[] => {
  const { order, parts, seen, numbers, newRecords, basketVersion, payment, idempotency, requestHash } = placed
  const { id, uuid } = order.header
  return [
    // The numbers are taken under the values they were read with: they stay dense, and a lost race is tried again.
    {
      name: 'numbers',
      key: key('numbers', { merchant }),
      when: Object.entries(seen)
        .filter(([name]) => name in numbers && name !== 'pk' && name !== 'sk')
        .map(([name, value]) => equals(name, value)),
      update: { set: { orders: numbers.orders, invoices: numbers.invoices, deliveryNotes: numbers.deliveryNotes } },
    },
    { name: 'order', key: key('order', { merchant, id }), when: [absent], put: itemOf(order, 1) },
    { name: 'uuid', key: key('orderUuid', { merchant, uuid }), when: [absent], put: { id } },
    ...parts.map((doc, part) => ({
      name: `part ${part}`,
      key: key('orderItems', { merchant, order: id, part }),
      when: [absent],
      put: { doc },
    })),
    ...order.counted.map(counted => stockAction(merchant, counted, 'take')),
    ...newRecords.map(({ key: place, item }, n) => ({ name: `born ${n}`, key: place, when: [absent], put: item })),
    ...(order.basket ? [basketAction(merchant, order.basket, basketVersion, { uuid, hash: requestHash })] : []),
    ...(payment
      ? [{ name: 'payment', key: key('payment', { merchant, uuid: payment.uuid }), when: [absent], put: payment }]
      : []),
    ...(idempotency
      ? [
          {
            name: 'idempotency',
            key: key('idempotency', { merchant, key: idempotency.key }),
            when: [absent],
            put: { uuid, hash: idempotency.hash, expires: unixSeconds(Date.now()) + keySeconds },
          },
        ]
      : []),
  ]
}
