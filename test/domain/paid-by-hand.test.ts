import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { finishing, newCheckout, visit } from '../support/checkout.ts'
import { type Answer, type Json, refusal } from '../support/harness.ts'
import { readShown } from '../support/payment-fixtures.ts'

// The sweep runs in this process and calls the sandbox.
process.env.ALLOW_SANDBOX = '1'

const { shop, add, check } = await newCheckout('Kellerei Barzahlung')

const finish = (request: Json): Promise<Answer> => shop.call('orders/checkout/finish', request)
const paymentOf = ({ json }: Answer) => readShown(shop.id, json.payment.uuid)
const orderOf = async ({ json }: Answer): Promise<Json> =>
  (await shop.call('orders/get', { uuid: json.data.uuid })).json.data
const lookAfter = ({ json }: Answer) => reconcilePayment(shop.id, json.payment.uuid, { actor: 'sweep' })

/** An order whose payment is on its way at the provider, for which the merchant took the money by hand. */
const paidByHand = async () => {
  const answer = await add()
  const request = finishing(answer, await visit(answer.json.targetUrl, 'approve', 'pending'))
  expect((await finish(request)).json.data.status).toBe('need_payment')
  await advanceOrder(shop.id, answer.json.data.id, 'money_received', 'merchant')
  return { answer, request }
}

afterEach(async () => expect(await check()).toEqual([]))

test('an order that was paid to the merchant is not paid again by finish', async () => {
  const { answer, request } = await paidByHand()
  expect(refusal(await finish(request))).toEqual([409, 'order_paid'])
  expect(refusal(await finish(request))).toEqual([409, 'order_paid'])
  expect(await orderOf(answer)).toMatchObject({
    status: 'payed',
    paid: true,
    documents: { payments: [{ amount: '24.00' }] },
  })
  // The one that is on its way since before.
  expect((await findSandboxPayment(request.external_id))?.captures).toBe(1)
})

test('money that arrives at the provider nevertheless is refunded, once, and the order stays paid', async () => {
  const { answer, request } = await paidByHand()
  await visit(answer.json.targetUrl, 'settle')
  expect(refusal(await finish(request))).toEqual([409, 'order_paid'])
  expect(await check()).toEqual([])
  await lookAfter(answer)
  await lookAfter(answer)
  expect((await paymentOf(answer))?.status).toBe('refunded')
  expect(await findSandboxPayment(request.external_id)).toMatchObject({ captures: 1, refunded: 2400 })
  expect(await orderOf(answer)).toMatchObject({ status: 'payed', paid: true })
  await advanceOrder(shop.id, answer.json.data.id, 'pack', 'merchant')
  expect(await orderOf(answer)).toMatchObject({ status: 'need_package', paid: true, documents: { invoices: [{}] } })
})

test('a failed payment is not resumed after the merchant received the money', async () => {
  const { answer, request } = await paidByHand()
  await visit(answer.json.targetUrl, 'fail')
  expect(refusal(await finish(request))).toEqual([409, 'order_paid'])
  await lookAfter(answer)
  expect(await orderOf(answer)).toMatchObject({ status: 'payed', paid: true })
})
