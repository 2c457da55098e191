import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { cancelManually, decidePayment } from '../../shared/orders/checkout/review.ts'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { creditOrder } from '../../shared/orders/credit/credit.ts'
import type { CreditWish } from '../../shared/orders/credit/lines.ts'
import { positionId } from '../../shared/orders/view.ts'
import { existingPayment } from '../../shared/payments/record.ts'
import { amountTakenOf, isGoingBack } from '../../shared/payments/refunds.ts'
import { mortalRequests } from '../support/mortal-requests.ts'
import { counted } from '../support/partitions.ts'
import { atPayPal, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { seededRandom } from '../support/seeded-random.ts'

// Both desks of a merchant at the same time: credits, decisions, cancellations and shipping here, refunds and chargebacks at
// PayPal, which loses answers, refuses refunds or is down. A third of the requests die.

const { shop, finish, approved, fault, heal, check } = await newPayPalCheckout('Kellerei Zwei Schreibtische')
const merchant = shop.id
const actor = 'test'
const request = mortalRequests()

const { random, any, begin } = seededRandom()

type Order = { id: number; uuid: string; atPayPal: string }
type Act = (order: Order) => Promise<unknown>

const paid = async (): Promise<Order> => {
  const { request: finishing, id } = await approved()
  const { data, payment } = (await finish(finishing)).json
  return { id: data.id, uuid: payment.uuid, atPayPal: id }
}

const credit =
  (refund: CreditWish['refund'], isPart: boolean): Act =>
  ({ id }) => {
    const part = isPart ? { positions: [{ id: positionId(id, 1), quantity: 1 }] } : {}
    return creditOrder(
      merchant,
      { id },
      { refund, restock: false, remark: null, ...part },
      { actor, idempotencyKey: null },
    )
  }
const decide =
  (more: Partial<Parameters<typeof decidePayment>[1]>): Act =>
  ({ uuid }) =>
    decidePayment(merchant, { uuid, decision: 'accept', ...more }, actor)
const look: Act = ({ uuid }) => reconcilePayment(merchant, uuid, { actor: 'webhook' })
const sweep: Act = () => sweepMerchant(merchant, { hours: 1000 })

const here: readonly Act[] = [
  ...(['provider', 'at_provider', 'by_hand', 'none'] as const).map(way => credit(way, true)),
  credit('provider', true),
  credit('provider', false),
  credit('at_provider', false),
  decide({}),
  decide({ credit: 1 }),
  decide({ decision: 'refund' }),
  decide({ decision: 'refund', by_hand: 1 }),
  ({ id }) => cancelManually(merchant, id, actor),
  ({ id }) => advanceOrder(merchant, id, 'ship', actor),
  look,
  look,
  sweep,
]

const euros = (value: string) => ({ currency_code: 'EUR', value })
const there: readonly Act[] = [
  order => atPayPal(order.atPayPal, { deed: 'refund', amount: euros('12.00') }),
  order => atPayPal(order.atPayPal, { deed: 'refund', amount: euros('5.00') }),
  order => atPayPal(order.atPayPal, { deed: 'reverse' }),
  order =>
    atPayPal(order.atPayPal, { deed: 'refunding', status: any(['COMPLETED', 'COMPLETED', 'PENDING', 'FAILED']) }),
  order => fault({ kind: 'cut', when: any(['before', 'after']), order: order.atPayPal, times: 1 }),
  order => fault({ kind: 'down', order: order.atPayPal, times: 1 }),
]

const attempt = (order: Order, isMortal: boolean): Promise<boolean> =>
  isMortal
    ? request(() => any(here)(order), { call: 1 + Math.floor(random() * 12), isAfter: random() < 0.5 })
    : request(() => any(random() < 0.8 ? here : there)(order))

/** PayPal is well again: what is under way ends. */
const settle = async (orders: readonly Order[]): Promise<void> => {
  await heal()
  for (const order of orders) await atPayPal(order.atPayPal, { deed: 'refunding', status: 'COMPLETED' })
  for (let n = 0; n < 3; n++) {
    for (const order of orders) {
      await atPayPal(order.atPayPal, { deed: 'settleRefund', status: 'COMPLETED' }).catch(() => {})
      await look(order)
    }
    await sweepMerchant(merchant, { hours: 1000 })
  }
}

const crowd = 64

test.each(
  counted(fewerInFastLane(1, 12)),
)(`${crowd} requests at two desks give back no more than was taken, and each payment ends or waits for the merchant: round %i`, async round => {
  begin(round)
  const orders = await Promise.all(counted(4).map(paid))
  const done = await Promise.all(counted(crowd).map(n => attempt(any(orders), n % 3 === 0)))
  expect(done.some(Boolean)).toBe(true)
  await settle(orders)
  const open = (await shop.call('payments/getOpen', { pageSize: 100 })).json.data
  for (const order of orders) {
    const payment = await existingPayment(merchant, order.uuid)
    const { takenCents, refundedCents, refunds, captures } = await payPalOrder(order.atPayPal)
    const isReversed = captures.some(({ status }) => status === 'REVERSED')
    expect([amountTakenOf(payment), payment.reported]).toEqual([takenCents, isReversed ? takenCents : refundedCents])
    expect(refunds.filter(({ status }) => status === 'PENDING')).toEqual([])
    const expected = payment.refunds.some(({ state }) => state === 'expected')
    expect(isGoingBack(payment)).toBe(expected)
    if (expected) expect(open).toContainEqual(expect.objectContaining({ uuid: order.uuid }))
  }
  // A merchant may give back by hand, and at PayPal as well.
  expect((await check()).filter(one => !/ got \d+ and gave \d+ back$/.test(one))).toEqual([])
}, 120_000)
