import * as v from 'valibot'
import { Payment } from '../records/order.ts'
import { route } from '../route.ts'
import { described, Flag, Id, paging, requirement, Uuid, word } from '../schema/wire.ts'
import { providerNames } from '../vocabulary.ts'
import { writesOrders } from './checkout.ts'

/** A payment at a provider as the merchant sees it; amounts are strings with two decimals. */
export const MerchantPayment = v.strictObject({
  ...Payment.entries,
  order_id: described(v.number(), 'Id of its order.'),
  order_uuid: described(v.string(), 'UUID of its order.'),
  provider: described(v.nullable(word(providerNames)), 'Payment provider; null before the payment reaches it.'),
  taken: described(
    v.nullable(
      v.strictObject({
        amount: described(v.string(), 'Amount with two decimals.'),
        currency: described(v.string(), 'Currency, as `EUR`.'),
      }),
    ),
    'The money that the provider took, if it differs from `amount` or is known; null before.',
  ),
  refunded: described(v.string(), 'Amount that went back to the buyer, with two decimals; `0.00` if none did.'),
  reason: described(
    v.nullable(v.string()),
    'Why it was declined or waits for a decision, in a word of the provider or the service; `MONEY_LEFT` if a credit of the whole order left money with the merchant; null without a reason.',
  ),
  review: described(Flag, '1 if it waits for a decision by `payments/decide`.'),
  crstamp: described(v.string(), 'Time at which it was opened, UTC, as `2026-01-31 12:00:00`.'),
})

export type MerchantPayment = v.InferOutput<typeof MerchantPayment>

const { short: _, ...pages } = paging

export const paymentsGetOpen = route({
  path: '/service/payments/getOpen',
  level: 'service',
  role: 'desk',
  envelope: 'list',
  permissions: { payment: ['queryIndex'] },
  body: v.object(pages),
  response: MerchantPayment,
  summary: 'Lists the payments that are not settled: those that wait for a decision first.',
})

export const paymentsDecide = route({
  path: '/service/payments/decide',
  level: 'service',
  role: 'desk',
  permissions: writesOrders,
  // A decision that was made before changes nothing.
  repeat: 'safe',
  secrets: true,
  timeout: 29,
  body: v.pipe(
    v.object({
      uuid: described(Uuid, 'UUID of the payment.'),
      decision: described(
        word(['accept', 'refund']),
        '`accept` takes the money that is there as the payment of the order, keeps the order although money went back, or keeps what a credit left; `refund` gives back what is left, and cancels an order that is not shipped; a refund that the provider refused, or that was announced and not made, is requested. A decision answers all that is in question.',
      ),
      by_hand: described(v.nullish(Flag), 'With `refund`: true if the money was given back outside this service.'),
      credit: described(
        v.nullish(Id),
        'With `accept`: id of the credit advice whose refund the money is that went back.',
      ),
    }),
    v.forward(
      v.partialCheck(
        [['decision'], ['by_hand']],
        requirement(
          'with_refund',
          'left out unless decision is refund',
          ({ decision, by_hand }) => decision === 'refund' || !by_hand,
        ),
      ),
      ['by_hand'],
    ),
    v.forward(
      v.partialCheck(
        [['decision'], ['credit']],
        requirement(
          'with_accept',
          'left out unless decision is accept',
          ({ decision, credit }) => decision === 'accept' || !credit,
        ),
      ),
      ['credit'],
    ),
  ),
  response: MerchantPayment,
  errors: [
    'payment_not_found',
    'not_in_this_status',
    'order_not_cancellable',
    'payment_provider_error',
    'payment_provider_timeout',
  ],
  summary: 'Decides about a payment that the service cannot settle by itself.',
})
