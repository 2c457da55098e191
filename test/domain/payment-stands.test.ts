import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { newBasket, newCheckout } from '../support/checkout.ts'
import { type Answer, refusal } from '../support/harness.ts'

// The routes' answers for an order whose payment prevents a change.

const { shop, add } = await newCheckout('Kellerei Weg')
const secco = shop.wine.secco ?? 0

/** The refusal of `act` for an order of a basket whose payment has these fields. */
const standing = async (set: Partial<PaymentItem>, act: (placed: Answer, basket: string) => Promise<Answer>) => {
  const basket = await newBasket(shop, secco, 1)
  const placed = await add({ items: undefined, basket })
  const place = key('payment', { merchant: shop.id, uuid: placed.json.payment.uuid })
  const before = await getItem(place)
  await updateItem(place, { set })
  const answer = await act(placed, basket)
  if (before) await putItem(place, before)
  return refusal(answer)
}

const capturing = () => ({ status: 'capturing', lease: Date.now() + 60_000 }) as const
const review = { status: 'review', taken: { amount: 3599, currency: 'EUR' }, capture_id: 'CAP' } as const

test.each([
  ['captured', { status: 'captured', capture_id: 'CAP' } as const, 'order_paid'],
  ['in review', review, 'order_not_cancellable'],
  ['being captured', capturing(), 'payment_in_progress'],
])('an order whose payment is %s is neither cancelled by checkouts/cancel nor replaced by orders/add', async (_, set, word) => {
  const cancel = standing(set, ({ json }) => shop.call('checkouts/cancel', { uuid: json.data.uuid }))
  expect(await cancel).toEqual([409, word])
  const again = standing(set, (_placed, basket) => add({ items: undefined, basket, note: 'anders' }))
  expect(await again).toEqual([409, word])
})

test('the return page is refused for a payment in review, and for one that the order does not use', async () => {
  const execute = ({ json }: Answer) => shop.call('payments/execute', { uuid: json.payment.uuid })
  expect(await standing(review, execute)).toEqual([422, 'amount_mismatch'])
  expect(await standing({ status: 'cancelled' }, execute)).toEqual([409, 'order_paid'])
})
