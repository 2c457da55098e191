import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import type { Answer, Json } from '../support/harness.ts'
import { atPayPal, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'

// Money that goes back at two desks: this service, and the provider's dashboard. Each order is two bottles for 24.00.

const { shop, check, finish, approved, paymentOf, fault, heal } = await newPayPalCheckout('Kellerei Zwei Tische')

afterEach(async () => {
  await heal()
  expect(await check()).toEqual([])
})

type Paid = { answer: Answer; id: string; order: Json; uuid: string }

const paid = async (): Promise<Paid> => {
  const { answer, request, id } = await approved()
  const { data, payment } = (await finish(request)).json
  return { answer, id, order: data, uuid: payment.uuid }
}

const bottle = ({ order }: Paid, refund: string): Promise<Answer> =>
  shop.call('orders/credit', { id: order.id, refund, positions: [{ id: order.positions[0].id, quantity: 1 }] })
const rest = ({ order }: Paid, refund: string): Promise<Answer> => shop.call('orders/credit', { id: order.id, refund })
const decide = ({ uuid }: Paid, more: object): Promise<Answer> => shop.call('payments/decide', { uuid, ...more })
const advance = ({ order }: Paid, event: string): Promise<Answer> =>
  shop.call('orders/advance', { id: order.id, event })
const look = ({ uuid }: Paid) => reconcilePayment(shop.id, uuid, { actor: 'webhook' })
const dashboard = ({ id }: Paid, value: string) =>
  atPayPal(id, { deed: 'refund', amount: { currency_code: 'EUR', value } })
const backAtPayPal = async ({ id }: Paid): Promise<number> => (await payPalOrder(id)).refundedCents
const wordOf = ({ status, json }: Answer): unknown[] => [status, json.error]
const isOpen = async ({ uuid }: Paid): Promise<Json> =>
  (await shop.call('payments/getOpen')).json.data.find((one: Json) => one.uuid === uuid)

describe('a refund in the dashboard', () => {
  test('is not paid again by a credit, which waits for the decision', async () => {
    const one = await paid()
    await dashboard(one, '12.00')
    expect(wordOf(await bottle(one, 'provider'))).toEqual([409, 'payment_refunded'])
    expect(await backAtPayPal(one)).toBe(1200)
    expect((await decide(one, { decision: 'accept' })).json.data).toMatchObject({ review: 0, refunded: '12.00' })
    expect((await bottle(one, 'none')).status).toBe(200)
    expect(await backAtPayPal(one)).toBe(1200)
  })

  test('is noticed after a credit by hand, of any amount', async () => {
    const one = await paid()
    await bottle(one, 'by_hand')
    await dashboard(one, '12.00')
    expect(await look(one)).toBe('review')
    expect(await paymentOf(one.answer)).toMatchObject({ returned: 'undecided', refunded: 2400 })
    expect(wordOf(await advance(one, 'ship'))).toEqual([409, 'payment_refunded'])
  })

  test('is accepted as the refund of a credit by hand, which then counts once', async () => {
    const one = await paid()
    const { json } = await bottle(one, 'by_hand')
    await dashboard(one, '12.00')
    await look(one)
    expect(wordOf(await decide(one, { decision: 'accept', credit: 4711 }))).toEqual([409, 'not_in_this_status'])
    const answer = await decide(one, { decision: 'accept', credit: json.credit.id })
    expect(answer.json.data).toMatchObject({ refunded: '12.00', review: 0, status: 'refunded_in_part' })
    expect((await rest(one, 'provider')).json.refund).toMatchObject({ amount: '-12.00' })
    expect(await backAtPayPal(one)).toBe(2400)
  })

  test('is seen before the goods leave, without a webhook', async () => {
    const one = await paid()
    await dashboard(one, '12.00')
    expect(wordOf(await advance(one, 'ship'))).toEqual([409, 'payment_refunded'])
  })

  test('does not keep goods back while the provider cannot be asked', async () => {
    const one = await paid()
    await fault({ kind: 'down', order: one.id })
    expect((await advance(one, 'ship')).json.data.status).toBe('in_delivery')
  })
})

describe('a credit that the merchant refunds at the provider', () => {
  test('is over when the provider reports it, and needs no decision', async () => {
    const one = await paid()
    const { json } = await bottle(one, 'at_provider')
    expect(json.refund).toEqual({ uuid: one.uuid, amount: '-12.00', state: 'at_provider' })
    expect(await look(one)).toBe('paid')
    await dashboard(one, '12.00')
    expect(await look(one)).toBe('paid')
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'refunded' }] })
    const { data } = (await shop.call('orders/history', { id: one.order.id })).json
    expect(data.at(-1)).toMatchObject({ event: 'refunded', payment: { amount: '-12.00', state: 'refunded' } })
  })

  test('is over when the merchant says that a refund noticed before was it', async () => {
    const one = await paid()
    await dashboard(one, '12.00')
    await look(one)
    const { json } = await bottle(one, 'at_provider')
    await decide(one, { decision: 'accept', credit: json.credit.id })
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'refunded' }] })
    expect((await rest(one, 'provider')).json.refund).toMatchObject({ amount: '-12.00' })
    expect(await backAtPayPal(one)).toBe(2400)
  })

  test('leaves what others refund besides to a decision', async () => {
    const one = await paid()
    await bottle(one, 'at_provider')
    await dashboard(one, '15.00')
    expect(await look(one)).toBe('review')
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1500, refunds: [{ state: 'refunded' }] })
    const { data } = (await shop.call('orders/history', { id: one.order.id })).json
    const back = data.slice(-2).map(({ event, payment }: Json) => [event, payment.amount])
    expect(back).toEqual([
      ['refunded', '-12.00'],
      ['payment_returned', '-3.00'],
    ])
  })

  test('is open until it is reported, also after the order is cancelled', async () => {
    const one = await paid()
    await rest(one, 'at_provider')
    expect(await look(one)).toBe('paid')
    expect(await isOpen(one)).toMatchObject({ status: 'captured', review: 0 })
    await dashboard(one, '24.00')
    expect(await look(one)).toBe('refunded')
    expect(await isOpen(one)).toBeUndefined()
  })

  test('is over when all of the money went back in other amounts', async () => {
    const one = await paid()
    await rest(one, 'at_provider')
    for (const value of ['10.00', '14.00']) {
      await dashboard(one, value)
      await look(one)
    }
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunds: [{ state: 'refunded' }] })
    expect(await isOpen(one)).toBeUndefined()
  })

  test('is not reported yet: a smaller refund is by others', async () => {
    const one = await paid()
    await bottle(one, 'at_provider')
    await dashboard(one, '5.00')
    expect(await look(one)).toBe('review')
    expect(await paymentOf(one.answer)).toMatchObject({ refunds: [{ state: 'expected' }], refunded: 500 })
  })
})

describe('a decision to refund', () => {
  test('gives back what a credit has left, and cancels the order', async () => {
    const one = await paid()
    await bottle(one, 'provider')
    expect((await decide(one, { decision: 'refund' })).json.data).toMatchObject({
      status: 'refunded',
      refunded: '24.00',
    })
    expect(await backAtPayPal(one)).toBe(2400)
    expect((await shop.call('orders/get', { id: one.order.id })).json.data.status).toBe('cancelled')
    expect((await decide(one, { decision: 'refund' })).status).toBe(200)
    expect(await backAtPayPal(one)).toBe(2400)
  })

  test('is refused where nothing is left, with a sentence', async () => {
    const one = await paid()
    await atPayPal(one.id, { deed: 'reverse' })
    await look(one)
    await decide(one, { decision: 'accept' })
    const { status, json } = await decide(one, { decision: 'refund' })
    expect([status, json.error, json.details]).toEqual([
      409,
      'not_in_this_status',
      'nothing of the payment is left to give back',
    ])
  })

  test('to accept is refused where nothing is to be decided', async () => {
    const one = await paid()
    expect(wordOf(await decide(one, { decision: 'accept' }))).toEqual([409, 'not_in_this_status'])
  })
})

describe('money that a credit of the whole order left', () => {
  const left = async (): Promise<Paid> => {
    const one = await paid()
    await bottle(one, 'none')
    await rest(one, 'provider')
    return one
  }

  test('waits for a decision, and is given back by it', async () => {
    const one = await left()
    expect(await isOpen(one)).toMatchObject({ reason: 'MONEY_LEFT', review: 1, refunded: '12.00' })
    expect((await decide(one, { decision: 'refund' })).json.data).toMatchObject({ status: 'refunded', review: 0 })
    expect(await backAtPayPal(one)).toBe(2400)
    expect(await isOpen(one)).toBeUndefined()
  })

  test('of a shipped order is given back as well', async () => {
    const one = await paid()
    await advance(one, 'ship')
    await rest(one, 'none')
    expect((await decide(one, { decision: 'refund' })).json.data).toMatchObject({ status: 'refunded', review: 0 })
    expect(await backAtPayPal(one)).toBe(2400)
  })

  test('is kept by a decision, once and for all', async () => {
    const one = await left()
    for (let n = 0; n < 2; n++)
      expect((await decide(one, { decision: 'accept' })).json.data).toMatchObject({ review: 0, refunded: '12.00' })
    expect(await isOpen(one)).toBeUndefined()
    expect(await backAtPayPal(one)).toBe(1200)
  })

  test('is given back by hand as a step of the order', async () => {
    const one = await left()
    await decide(one, { decision: 'refund', by_hand: 1 })
    const { data } = (await shop.call('orders/history', { id: one.order.id })).json
    expect(data.at(-1)).toMatchObject({ event: 'refunded', payment: { amount: '-12.00', state: 'by_hand' } })
    expect(await backAtPayPal(one)).toBe(1200)
  })
})

describe('a refund of a credit that the merchant announced and did not make', () => {
  test.each([
    ['at the provider', {}, 2400, '24.00'],
    ['by hand', { by_hand: 1 }, 0, '24.00'],
  ])('is given back by a decision: %s', async (_, how, back, refunded) => {
    const one = await paid()
    await rest(one, 'at_provider')
    const { json } = await decide(one, { decision: 'refund', ...how })
    expect(json.data).toMatchObject({ status: 'refunded', refunded, review: 0 })
    expect(await backAtPayPal(one)).toBe(back)
    expect(await isOpen(one)).toBeUndefined()
  })

  test('is not given back twice where the provider reports it at last', async () => {
    const one = await paid()
    await rest(one, 'at_provider')
    await dashboard(one, '24.00')
    expect((await decide(one, { decision: 'refund' })).json.data).toMatchObject({ status: 'refunded', review: 0 })
    expect(await backAtPayPal(one)).toBe(2400)
  })

  test('stays announced while a decision gives back the rest of the order', async () => {
    const one = await paid()
    await bottle(one, 'at_provider')
    await decide(one, { decision: 'refund' })
    expect([await backAtPayPal(one), (await isOpen(one)).refunded]).toEqual([1200, '12.00'])
    await dashboard(one, '12.00')
    expect(await look(one)).toBe('refunded')
  })
})

describe('parts of a credit that the merchant refunds at the provider', () => {
  test('are together what was announced', async () => {
    const one = await paid()
    await bottle(one, 'at_provider')
    await dashboard(one, '5.00')
    expect(await look(one)).toBe('review')
    await dashboard(one, '7.00')
    expect(await look(one)).toBe('paid')
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'refunded' }] })
    expect((await advance(one, 'ship')).status).toBe(200)
  })

  test.each(['at_provider', 'by_hand'])('are taken from a credit %s that the merchant names', async how => {
    const one = await paid()
    const { json } = await bottle(one, how)
    await dashboard(one, '5.00')
    await look(one)
    await decide(one, { decision: 'accept', credit: json.credit.id })
    const state = how === 'by_hand' ? 'by_hand' : 'expected'
    expect(await paymentOf(one.answer)).toMatchObject({
      refunds: [
        { state: 'refunded', amount: 500 },
        { state, amount: 700 },
      ],
    })
    expect((await rest(one, 'provider')).json.refund).toMatchObject({ amount: '-12.00' })
  })
})

describe('money that is given back by hand and at the provider', () => {
  test('is in question, also after the order is cancelled, as soon as it is more than was taken', async () => {
    const one = await paid()
    const { json } = await rest(one, 'by_hand')
    await dashboard(one, '10.00')
    expect(await look(one)).toBe('review')
    expect(await isOpen(one)).toMatchObject({ review: 1, refunded: '34.00' })
    expect((await decide(one, { decision: 'refund' })).json.details).toBe('nothing of the payment is left to give back')
    const { data } = (await decide(one, { decision: 'accept', credit: json.credit.id })).json
    expect(data).toMatchObject({ review: 0, refunded: '24.00' })
  })
})

describe('several questions about one payment', () => {
  /** A shipped order of which 5.00 went back, and whose whole credit left the money with the merchant. */
  const returnedAndLeft = async (): Promise<Paid> => {
    const one = await paid()
    await advance(one, 'ship')
    await dashboard(one, '5.00')
    await look(one)
    await rest(one, 'none')
    return one
  }

  test.each([
    ['accept', 500, '5.00'],
    ['refund', 2400, '24.00'],
  ])('are answered by one decision to %s, which is repeated without effect', async (decision, back, refunded) => {
    const one = await returnedAndLeft()
    for (let n = 0; n < 2; n++)
      expect((await decide(one, { decision })).json.data).toMatchObject({ review: 0, refunded })
    expect(await backAtPayPal(one)).toBe(back)
    expect(await isOpen(one)).toBeUndefined()
  })

  test('money that was left is no question any more when it is back', async () => {
    const one = await paid()
    await rest(one, 'none')
    await dashboard(one, '24.00')
    await look(one)
    expect(await isOpen(one)).toBeUndefined()
  })
})

describe('a refund that the provider refused', () => {
  const refused = async (): Promise<Paid> => {
    const one = await paid()
    await atPayPal(one.id, { deed: 'refunding', status: 'FAILED' })
    await bottle(one, 'provider')
    for (let n = 0; n < 2; n++) await look(one)
    await atPayPal(one.id, { deed: 'refunding', status: 'COMPLETED' })
    return one
  }

  test('is over when the merchant makes it in the dashboard', async () => {
    const one = await refused()
    await dashboard(one, '12.00')
    expect(await look(one)).toBe('paid')
    expect(await isOpen(one)).toBeUndefined()
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'refunded' }] })
  })

  test('waits until other money that went back is accepted, so that no decision cancels the order by mistake', async () => {
    const one = await refused()
    await dashboard(one, '5.00')
    await look(one)
    expect(wordOf(await decide(one, { decision: 'refund' }))).toEqual([409, 'not_in_this_status'])
    for (let n = 0; n < 2; n++) expect((await decide(one, { decision: 'accept' })).json.data.review).toBe(1)
    expect((await decide(one, { decision: 'refund' })).json.data).toMatchObject({ refunded: '17.00', review: 0 })
    expect((await shop.call('orders/get', { id: one.order.id })).json.data.status).toBe('need_package')
  })

  test('is not made again by a decision after the merchant made it in the dashboard', async () => {
    const one = await refused()
    await dashboard(one, '12.00')
    expect(wordOf(await decide(one, { decision: 'refund' }))).toEqual([409, 'not_in_this_status'])
    expect(await backAtPayPal(one)).toBe(1200)
    expect((await shop.call('orders/get', { id: one.order.id })).json.data.status).toBe('need_package')
  })

  test('is smaller by the part that the merchant accepts as its refund', async () => {
    const one = await refused()
    await dashboard(one, '5.00')
    await look(one)
    const credit = (await paymentOf(one.answer))?.refunds?.[0]?.credit
    await decide(one, { decision: 'accept', credit })
    expect((await decide(one, { decision: 'refund' })).json.data).toMatchObject({ refunded: '12.00', review: 0 })
    expect(await backAtPayPal(one)).toBe(1200)
  })

  test('is decided once: what else is left is credited', async () => {
    const one = await refused()
    await decide(one, { decision: 'refund' })
    const { status, json } = await decide(one, { decision: 'refund' })
    expect([status, json.details]).toEqual([
      409,
      'the refund that was decided is made: orders/credit gives back what else is left',
    ])
    expect((await rest(one, 'provider')).json.refund).toMatchObject({ amount: '-12.00' })
  })

  test('does not hide from the shipping desk that all of the money went back', async () => {
    const one = await refused()
    await atPayPal(one.id, { deed: 'reverse' })
    expect(wordOf(await advance(one, 'ship'))).toEqual([409, 'payment_refunded'])
  })
})

test('money is accepted once, for one credit', async () => {
  const one = await paid()
  const { json } = await bottle(one, 'by_hand')
  await dashboard(one, '12.00')
  await look(one)
  await decide(one, { decision: 'accept' })
  const { status, json: answer } = await decide(one, { decision: 'accept', credit: json.credit.id })
  expect([status, answer.details]).toEqual([
    409,
    `the money was accepted before, and not as the refund of credit advice ${json.credit.id}`,
  ])
})

test('payments of paid orders are watched, but not open', async () => {
  const one = await paid()
  expect(await isOpen(one)).toBeUndefined()
  expect(await sweepMerchant(shop.id)).toMatchObject({ paid: 0, failures: [] })
})
