import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { finishing, newCheckout, visit } from '../support/checkout.ts'
import { type Answer, type Json, refusal } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { approve, newPayPalCheckout } from '../support/paypal-checkout.ts'
import { crowd, repetitions } from '../support/sampling.ts'

// 200 in the long run: npm run test:long.
const rounds = repetitions('ROUNDS', 10)

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const other = '00000000-0000-4000-8000-000000000000'

// This process calls the sandbox, too.
process.env.ALLOW_SANDBOX = '1'

const { shop, add, check } = await newCheckout('Kellerei Bezahlt')

const finish = (request: Json) => shop.call('orders/checkout/finish', request)
const cancel = (order_id: string) => shop.call('orders/checkout/cancel', { order_id })
const orderOf = async ({ json }: Answer): Promise<Json> =>
  (await shop.call('orders/get', { uuid: json.data.uuid })).json.data
const atProvider = async ({ json }: Answer) => findSandboxPayment(json.payment.external_id)

/** An order whose payer has approved, and the shop's request to finish it. */
const approved = async (...[choice, behaviour]: [Parameters<typeof visit>[1]?, Parameters<typeof visit>[2]?]) => {
  const answer = await add()
  const request = finishing(answer, await visit(answer.json.targetUrl, choice, behaviour))
  return { answer, request }
}

afterAll(async () => expect(await check()).toEqual([]))

test('a provider that cannot be reached is named as the cause; a later repeat continues', async () => {
  const elsewhere = await newPayPalCheckout('Kellerei Umweg')
  const send = (request: Json) => elsewhere.shop.call('orders/checkout/finish', request)
  const answer = await elsewhere.add()
  const request = finishing(answer, await approve(answer.json.targetUrl))
  await elsewhere.fault({ kind: 'down' })
  expect(refusal(await send(request))).toEqual([502, 'payment_provider_error'])
  const headers = { 'idempotency-key': 'later' }
  expect(refusal(await elsewhere.add({}, headers))).toEqual([502, 'payment_provider_error'])
  await elsewhere.heal()
  expect((await send(request)).json.data).toMatchObject({ status: 'need_package', paid: true })
  expect((await elsewhere.add({}, headers)).json.payment).toMatchObject({ status: 'open' })
  expect(await elsewhere.check()).toEqual([])
})

describe('an order that is paid externally', () => {
  test('is new, and returns the URL of the payment', async () => {
    const { status, json } = await add()
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'new', paid: false, fixed: false, gross: '24.00', payment_period: 14 })
    expect(json.data.documents).toEqual({ invoices: [], deliveryNotes: [], payments: [], creditAdvices: [] })
    expect(json.payment).toEqual({
      uuid,
      type: 'paypal',
      status: 'open',
      amount: '24.00',
      currency: 'EUR',
      external_id: expect.any(String),
      target_url: json.targetUrl,
    })
    expect(json.targetUrl).toMatch(/^https?:\/\/\S+$/)
  })

  test('is returned again with the same payment if add is repeated', async () => {
    const headers = { 'idempotency-key': 'pay once' }
    const [first, second] = [await add({}, headers), await add({}, headers)]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  test('redirects the payer to the shop with the id of the payment added to the URL', async () => {
    const answer = await add({ payment_type: 'card' })
    const back = await visit(answer.json.targetUrl)
    expect(back.origin + back.pathname).toBe('https://shop.example/finish')
    expect(back.searchParams.get('cart')).toBe('7')
    expect(back.searchParams.get('pid')).toBe(answer.json.payment.uuid)
  })

  test('is ready to be packed after finish: paid, with invoice, delivery note and payment', async () => {
    const { answer, request } = await approved()
    const done = await finish(request)
    expect(done.status).toBe(200)
    const order = done.json.data
    expect(order).toMatchObject({ status: 'need_package', paid: true, fixed: true, uuid: answer.json.data.uuid })
    expect(order.documents).toMatchObject({
      invoices: [{ gross: order.gross, taxrates: order.taxrates, status: 'need_package' }],
      deliveryNotes: [{ invoice_id: order.documents.invoices[0].id }],
      payments: [{ uuid: request.payment_id, amount: '24.00', external_id: request.external_id }],
    })
    expect(done.json.payment).toMatchObject({ uuid: request.payment_id, status: 'captured', amount: '24.00' })
    expect(await orderOf(answer)).toEqual(order)
    expect(await atProvider(answer)).toMatchObject({ captures: 1, refunded: 0 })
  })

  test('has the same answer if finish is repeated, with the aliases, too', async () => {
    const { request } = await approved()
    const first = await finish(request)
    expect((await finish(request)).text).toBe(first.text)
    const { payment_id, order_id, ...rest } = request
    const aliased = await finish({ ...rest, payment_uuid: payment_id, order_uuid: order_id })
    expect(aliased.text).toBe(first.text)
  })
})

describe('finish and execute', () => {
  const both = async ({ answer, request }: Awaited<ReturnType<typeof approved>>) => [
    refusal(await finish(request)),
    refusal(await shop.call('payments/execute', { uuid: answer.json.payment.uuid })),
  ]

  test('refuse the payment of a cancelled order, of a payer who has not approved, and of one who declined', async () => {
    const one = await approved()
    await cancel(one.answer.json.data.uuid)
    expect(await both(one)).toEqual([
      [409, 'order_cancelled'],
      [409, 'order_cancelled'],
    ])
    const answer = await add()
    const request = finishing(answer, new URL('https://shop.example/?PayerID=nobody'))
    expect(await both({ answer, request })).toEqual([
      [422, 'payment_not_approved'],
      [422, 'payment_not_approved'],
    ])
    expect(await both(await approved('decline'))).toEqual([
      [422, 'payment_declined'],
      [422, 'payment_declined'],
    ])
  })

  test('need a payment that is named', async () => {
    const { request } = await approved()
    expect(refusal(await finish({ ...request, payment_id: undefined }))).toEqual([400, 'missing_identifier'])
  })
})

describe('an order paid externally with the total 0.00', () => {
  const whole = { item_type: 'rebate', name: 'Gutschein', gross: '-24.00', net: '-20.17', tax: '-3.83' }
  const free = () => add({ items: [{ item_type: 'wine', item_id: shop.wine.secco, quantity: 2 }, whole] })

  test('is placed as paid, with its documents, without a call of the provider', async () => {
    const { status, json } = await free()
    expect(status).toBe(200)
    expect(json).not.toHaveProperty('targetUrl')
    expect(json).not.toHaveProperty('payment')
    expect(json.data).toMatchObject({ gross: '0.00', status: 'need_package', paid: true, fixed: true })
    expect(json.data.documents).toMatchObject({
      invoices: [{ gross: '0.00', status: 'need_package' }],
      deliveryNotes: [{ invoice_id: json.data.documents.invoices[0].id }],
      payments: [],
    })
    expect(await orderOf({ json } as Answer)).toEqual(json.data)
  })

  test('has the same answer if it is placed again, and can be cancelled', async () => {
    const body = { items: [{ item_type: 'wine', item_id: shop.wine.secco, quantity: 2 }, whole] }
    const headers = { 'idempotency-key': 'free' }
    const [first, second] = [await add(body, headers), await add(body, headers)]
    expect(second.text).toBe(first.text)
    expect((await cancel(first.json.data.uuid)).json.data.status).toBe('cancelled')
  })
})

describe('finish', () => {
  test("does not take another order's payment", async () => {
    const [one, two] = [await approved(), await approved()]
    const swapped = { ...one.request, payment_id: two.request.payment_id, external_id: two.request.external_id }
    expect(refusal(await finish(swapped))).toEqual([422, 'payment_mismatch'])
    expect((await atProvider(two.answer))?.captures).toBe(0)
  })

  test('called many times concurrently captures once', async () => {
    const { answer, request } = await approved()
    const answers = await Promise.all(counted(crowd).map(() => finish(request)))
    const others = answers.filter(({ status }) => status !== 200)
    for (const one of others) {
      expect(refusal(one)).toEqual([409, 'payment_in_progress'])
      expect(one.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    const done = answers.filter(({ status }) => status === 200).map(({ text }) => text)
    expect(new Set([...done, (await finish(request)).text]).size).toBe(1)
    expect((await atProvider(answer))?.captures).toBe(1)
    expect(await check()).toEqual([])
  })
})

describe('finish and cancel', () => {
  test('need the order named once', async () => {
    const { json } = await add()
    const { id, uuid: order_id } = json.data
    expect(refusal(await shop.call('orders/checkout/cancel', { uuid: other, order_id }))).toEqual([
      400,
      'identifier_conflict',
    ])
    expect(refusal(await shop.call('orders/checkout/cancel', { id: id + 1, order_id }))).toEqual([
      400,
      'identifier_conflict',
    ])
  })

  test('have one winner each if they are concurrent', async () => {
    const winners = { finish: 0, cancel: 0 }
    const round = async (n: number) => {
      const { answer, request } = await approved()
      const late = () => new Promise(done => setTimeout(done, (n % 5) * 4))
      const [finished, cancelled] = await Promise.all([
        finish(request),
        late().then(() => cancel(answer.json.data.uuid)),
      ])
      const wins = [finished, cancelled].map(({ status }) => status === 200)
      expect(wins.toSorted()).toEqual([false, true])
      if (finished.status === 200) {
        expect(['order_paid', 'payment_in_progress']).toContain(cancelled.json.error)
        winners.finish++
      } else {
        expect(refusal(finished)).toEqual([409, 'order_cancelled'])
        winners.cancel++
      }
      expect((await atProvider(answer))?.captures).toBe(finished.status === 200 ? 1 : 0)
    }
    for (let n = 0; n < rounds; n += 10) {
      await Promise.all(counted(Math.min(10, rounds - n)).map(one => round(one)))
    }
    expect(winners.finish + winners.cancel).toBe(rounds)
    expect(await check()).toEqual([])
  }, 240_000)
})
