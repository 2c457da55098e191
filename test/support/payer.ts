import * as v from 'valibot'
import type { Order, Payment } from '../../shared/contract/records/order.ts'
import { Finish } from '../../shared/contract/routes/checkout.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { finishOrder } from '../../shared/orders/checkout/finish.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { choose, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import type { SandboxBehaviour } from '../../shared/platform/table/items.ts'
import { itemsOf } from './cellar.ts'
import { newCheckout, returning } from './checkout.ts'

/** An order whose payer has approved the payment; `finish` is what the shop does then. */
export type Approved = { data: Order; payment: Payment; finish: () => ReturnType<typeof finishOrder> }

/**
 * A shop whose client orders two bottles for 24.00 at the sandbox: placed, approved and finished by calls in this
 * process; `check` is the whole invariant check.
 */
export const newPayer = async (name: string) => {
  const { shop, check, billing_id } = await newCheckout(name)
  const place = (data: object = {}) =>
    placeOrder(
      { merchant: shop.id, user: { id: 1, name: 'test' } },
      {
        idempotencyKey: null,
        data: v.parse(NewOrder, {
          billing_id,
          source: 'shop',
          payment_type: 'paypal',
          items: itemsOf(shop, { secco: 2 }),
          ...returning,
          ...data,
        }),
      },
    )
  const approved = async (behaviour: SandboxBehaviour = 'prompt', ordered: object = {}): Promise<Approved> => {
    const { data, payment } = await place(ordered)
    const id = payment?.external_id ?? ''
    const { nonce = '' } = (await findSandboxPayment(id)) ?? {}
    const chosen = await choose(id, { nonce, choice: behaviour === 'decline' ? 'decline' : 'approve', behaviour })
    if (!payment || !chosen) throw new Error('the payment could not be approved')
    const request = v.parse(Finish, {
      payment_type: 'paypal',
      payment_id: payment.uuid,
      order_id: data.uuid,
      external_id: id,
      payer_id: chosen.payerId,
    })
    return { data, payment, finish: () => finishOrder(shop.id, request, 'test') }
  }
  return { shop, check, place, approved, billing_id }
}
