import { randomUUID } from 'node:crypto'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { cancelManually, refundPayment } from '../../shared/orders/checkout/review.ts'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { creditOrder } from '../../shared/orders/credit/credit.ts'
import type { CreditWish } from '../../shared/orders/credit/lines.ts'
import { readOrder } from '../../shared/orders/store.ts'
import { positionId } from '../../shared/orders/view.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { parseTotal } from '../../shared/values/money.ts'
import { itemsOf } from '../support/cellar.ts'
import { mortalRequests } from '../support/mortal-requests.ts'
import { counted } from '../support/partitions.ts'
import { newPayer } from '../support/payer.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { seededRandom } from '../support/seeded-random.ts'

// Credits, cancellations, refunds, steps and sweeps of a few orders at the same time. Some of these requests die at a call
// of the table or of the sandbox, before or after it had its effect.

process.env.ALLOW_SANDBOX = '1'
const { shop, place, approved, check } = await newPayer('Kellerei Gedränge')
const merchant = shop.id
const bottles = 8

const request = mortalRequests()

const { random, any, begin } = seededRandom()

type Order = { id: number; payment: string | null }

const paidOrder = async (): Promise<Order> => {
  const { data, payment, finish } = await approved('prompt', { items: itemsOf(shop, { secco: bottles }) })
  await finish()
  return { id: data.id, payment: payment.uuid }
}
const orderOnAccount = async (): Promise<Order> => {
  const { data } = await place({ payment_type: 'invoice', items: itemsOf(shop, { secco: bottles }) })
  return { id: data.id, payment: null }
}

const actor = 'test'
const wish = (more: Partial<CreditWish>): CreditWish => ({
  ...{ refund: 'provider', restock: random() < 0.5, remark: null },
  ...more,
})
const some = ({ id }: Order, quantity: number) => [{ id: positionId(id, 1), quantity }]
const credit = (order: Order, more: Partial<CreditWish>, idempotencyKey: string | null = null) =>
  creditOrder(merchant, { id: order.id }, wish(more), { actor, idempotencyKey })

type Act = (order: Order) => Promise<unknown>

const partCredits: readonly Act[] = [
  order => credit(order, { positions: some(order, 1) }),
  order => credit(order, { positions: some(order, 2) }),
  order => credit(order, { positions: some(order, 1), refund: 'by_hand' }),
  order => credit(order, { positions: some(order, 1), refund: 'none' }),
  order =>
    credit(order, { positions: some(order, 1), restock: true, refund: 'none', remark: 'once' }, `once ${order.id}`),
  order =>
    credit(order, { positions: some(order, 1), restock: true, refund: 'none', remark: 'once' }, `once ${order.id}`),
]

const otherActs: readonly Act[] = [
  order => credit(order, {}),
  ({ id }) => cancelManually(merchant, id, actor),
  ({ id }) => refundPayment(merchant, id, actor),
  ({ id }) => advanceOrder(merchant, id, any(['ship', 'close', 'money_received']), actor),
  ({ payment }) => (payment ? reconcilePayment(merchant, payment, { actor: 'webhook' }) : Promise.resolve()),
  () => sweepMerchant(merchant, { hours: 1000 }),
]

// Orders are whole for longer if most requests credit a part.
const acts = [...partCredits, ...partCredits, ...partCredits, ...otherActs]

const attempt = (order: Order, act: Act, isMortal: boolean): Promise<boolean> =>
  request(() => act(order), isMortal ? { call: 1 + Math.floor(random() * 14), isAfter: random() < 0.5 } : undefined)

const settle = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) expect(await sweepMerchant(merchant, { hours: 1000 })).toMatchObject({ unexpected: 0 })
}

/** The cents that the sandbox gave back, and those that the credits say it did. */
const givenBack = async (uuid: string): Promise<[atProvider: number | undefined, byCredits: number]> => {
  const payment = await getItem(key('payment', { merchant, uuid }))
  const made = payment?.refunds?.filter(({ state }) => state === 'refunded') ?? []
  const there = await findSandboxPayment(payment?.external_id ?? '')
  return [there?.refunded, made.reduce((sum, { amount }) => sum + amount, 0)]
}

const gross = (amount: string): number => parseTotal(amount) ?? Number.NaN

const crowd = 64

test.each(
  counted(fewerInFastLane(1, 8)),
)(`${crowd} requests at once, of which a third die, credit nothing twice and give back no more than was paid: round %i`, async round => {
  begin(round)
  const orders = [...(await Promise.all(counted(3).map(paidOrder))), await orderOnAccount()]
  const done = await Promise.all(counted(crowd).map(n => attempt(any(orders), any(acts), n % 3 === 0)))
  expect(done.some(Boolean)).toBe(true)
  await settle()
  expect(await check()).toEqual([])
  // A later request credits the rest.
  for (const order of orders)
    await attempt(order, one => credit(one, order.payment ? {} : { refund: 'by_hand' }), false)
  await settle()
  expect(await check()).toEqual([])
  for (const { id, payment } of orders) {
    const { order } = await readOrder(merchant, id)
    const { creditAdvices } = order.documents
    expect(order.credited).toBe('whole')
    expect(creditAdvices.reduce((sum, one) => sum + gross(one.gross), 0)).toBe(gross(order.header.gross))
    expect(creditAdvices.filter(({ remark }) => remark === 'once').length).toBeLessThanOrEqual(1)
    if (!payment) continue
    const [atProvider, byCredits] = await givenBack(payment)
    expect(atProvider).toBe(byCredits)
  }
}, 120_000)

/** Refunds 1.00 at the provider, outside of the service. */
const refundOutside = async ({ payment: uuid }: Order): Promise<unknown> => {
  const payment = await getItem(key('payment', { merchant, uuid: uuid ?? '' }))
  return sandbox().refund(payment?.capture_id ?? '', 100, randomUUID(), uuid ?? '', 'EUR')
}

const atProvider: readonly Act[] = [
  order => credit(order, { positions: some(order, 1) }),
  order => credit(order, { positions: some(order, 1), refund: 'none' }),
  refundOutside,
  ({ payment }) => reconcilePayment(merchant, payment ?? '', { actor: 'webhook' }),
  () => sweepMerchant(merchant, { hours: 1000 }),
]

test.each(
  counted(fewerInFastLane(1, 8)),
)('refunds by others and of credits at once are each counted once: round %i', async round => {
  begin(100 + round)
  const orders = await Promise.all(counted(3).map(paidOrder))
  await Promise.all(
    counted(crowd).map(n => {
      const act = any(atProvider)
      return attempt(any(orders), act, n % 3 === 0 && act !== refundOutside)
    }),
  )
  await settle()
  for (const { payment: uuid = '' } of orders) {
    await reconcilePayment(merchant, uuid ?? '', { actor: 'webhook' })
    const payment = await getItem(key('payment', { merchant, uuid: uuid ?? '' }))
    const there = await findSandboxPayment(payment?.external_id ?? '')
    expect(payment?.reported).toBe(there?.refunded)
  }
  expect(await check()).toEqual([])
}, 120_000)
