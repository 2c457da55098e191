import * as v from 'valibot'
import { CreditAdvice, Order, OrderStep } from '../records/order.ts'
import { keyHeaders, route } from '../route.ts'
import {
  described,
  Flag,
  Id,
  list,
  must,
  optionalLines,
  optionalText,
  requirement,
  wholeBetween,
  word,
} from '../schema/wire.ts'
import { refundStates, refunds } from '../vocabulary.ts'
import { OrderReference, writesOrders } from './checkout.ts'

const remark = (sentence: string) => described(v.nullish(optionalLines(4000), null), sentence)

export const ordersAdvance = route({
  path: '/service/orders/advance',
  level: 'service',
  role: 'desk',
  permissions: writesOrders,
  // A step that was made before changes nothing, a repeated `ship` only carrier and tracking.
  repeat: 'safe',
  // The provider is asked once more before goods leave.
  secrets: true,
  timeout: 29,
  body: v.object({
    ...OrderReference.entries,
    event: described(
      word(['paid', 'pack', 'ship', 'close']),
      'What happened: the money was received (`paid`), an order paid in advance is to be packed, the goods were shipped, the order is closed.',
    ),
    carrier: described(
      v.nullish(optionalText(), null),
      'With `ship`, also after the order was shipped: carrier of the goods, for the delivery note.',
    ),
    tracking: described(
      v.nullish(optionalText(2000), null),
      'With `ship`: number or address by which the carrier shows where they are.',
    ),
    remark: remark('Text for the history of the order.'),
  }),
  response: Order,
  errors: ['missing_identifier', 'identifier_conflict', 'order_not_found', 'not_in_this_status', 'payment_refunded'],
  summary: 'Makes the next step of an order: money received, packed, shipped or closed.',
})

export const ordersHistory = route({
  path: '/service/orders/history',
  level: 'service',
  role: 'desk',
  permissions: { order: ['get'], orderUuid: ['get'] },
  body: OrderReference,
  response: v.array(OrderStep),
  errors: ['missing_identifier', 'identifier_conflict', 'order_not_found'],
  summary: 'Lists the steps of an order, from the first on.',
})

const CreditPosition = v.object({
  id: described(Id, 'Id of a position, as `orders/get` shows it.'),
  quantity: described(wholeBetween(1, 9999), 'Number of pieces.'),
})

const isDistinct = (positions: readonly { id: number }[]) =>
  new Set(positions.map(({ id }) => id)).size === positions.length

/** How the money of a credit goes back. */
const Refund = v.strictObject({
  uuid: described(v.nullable(v.string()), 'UUID of the payment; null for money that was not paid at a provider.'),
  amount: described(v.string(), 'Amount with two decimals, below 0.00: at most what the payment has left.'),
  state: described(
    word(refundStates),
    'State of the refund: `refund_due` is requested again by the service, `refund_pending` is on its way, `review` was refused and needs a decision, `by_hand` was given back by the merchant, `at_provider` is to be reported by the provider.',
  ),
})

const credit = {
  credit: described(CreditAdvice, 'The credit advice.'),
  refund: described(v.nullable(Refund), 'The money that goes back; null if none does.'),
}

export type Credit = v.InferOutput<v.StrictObjectSchema<typeof credit, undefined>>

export const ordersCredit = route({
  path: '/service/orders/credit',
  level: 'service',
  role: 'desk',
  envelope: 'bare',
  permissions: { ...writesOrders, idempotency: ['get', 'put'] },
  repeat: 'with key',
  secrets: true,
  timeout: 29,
  headers: keyHeaders,
  body: v.pipe(
    v.object({
      ...OrderReference.entries,
      positions: described(
        v.nullish(
          v.pipe(
            list(CreditPosition, 50),
            v.minLength(1),
            must<v.InferOutput<typeof CreditPosition>[]>('distinct', 'a list of different positions', isDistinct),
          ),
        ),
        'Pieces to credit, at most 50 positions. Without `positions` and `package` all that is left is credited.',
      ),
      package: described(v.nullish(Flag), 'True credits the package.'),
      refund: described(
        word(refunds),
        'Way in which the money goes back: by the `provider` at which the order was paid; `at_provider` if the merchant refunds it in the account there, which the provider then reports; `by_hand` without the provider; or `none`.',
      ),
      restock: described(v.nullish(Flag), 'True returns the credited pieces to the counted stock.'),
      remark: remark('Text on the credit advice.'),
      dry_run: described(v.nullish(Flag), 'True returns the credit as it would be and stores nothing.'),
    }),
    v.forward(
      v.partialCheck(
        [['positions'], ['package']],
        // A request for nothing must not credit everything.
        requirement('positions', 'given, or package as 1, or both left out', ({ positions, package: packageCount }) =>
          Boolean(positions || packageCount !== 0),
        ),
      ),
      ['positions'],
    ),
  ),
  response: v.strictObject({ data: described(Order, 'The order.'), ...credit }),
  errors: [
    'missing_identifier',
    'identifier_conflict',
    'order_not_found',
    'not_in_this_status',
    'payment_refunded',
    'credit_exceeds_invoice',
    'refund_not_possible',
    'idempotency_key_reused',
  ],
  summary: 'Credits an invoiced order, whole or in part, and gives its money back.',
})
