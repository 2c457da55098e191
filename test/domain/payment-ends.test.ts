import * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { duePayments, sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { unsettledPayments } from '../../shared/payments/open.ts'
import type { OpenRequest } from '../../shared/payments/provider.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { finishing, newBasket, newCheckout, returning, visit } from '../support/checkout.ts'
import { type Answer, type Json, refusal, twin } from '../support/harness.ts'
import { shownPayment } from '../support/payment-fixtures.ts'
import { crowd } from '../support/sampling.ts'

// This process calls the sandbox, too.
Object.assign(process.env, { ALLOW_SANDBOX: '1', SANDBOX_URL: twin.url })

const { shop, add, check } = await newCheckout('Kellerei Endlich')
const merchant = shop.id

const finish = (request: Json) => shop.call('orders/checkout/finish', request)
const cancel = (order_id: string) => shop.call('orders/checkout/cancel', { order_id })
const orderOf = async ({ json }: Answer): Promise<Json> =>
  (await shop.call('orders/get', { uuid: json.data.uuid, include: ['documents'] })).json.data
const place = ({ json }: Answer) => key('payment', { merchant, uuid: json.payment.uuid })
const paymentOf = async (answer: Answer) => shownPayment((await getItem(place(answer))) as PaymentItem)
const atProvider = async ({ json }: Answer) => findSandboxPayment(json.payment.external_id)

const approved = async (behaviour: 'prompt' | 'pending' = 'prompt') => {
  const answer = await add()
  return { answer, request: finishing(answer, await visit(answer.json.targetUrl, 'approve', behaviour)) }
}

/** Lets a payment's next look be due, as time would. */
const makeDue = (answer: Answer, set: Partial<PaymentItem> = {}) =>
  updateItem(place(answer), {
    ...(Object.keys(set).length > 0 && { set }),
    index: taskKey('due', Date.now() - 1000),
  })

const takeElsewhere = async (request: Json, amount = 2400) => {
  await updateItem(key('sandboxPayment', { id: request.external_id }), { set: { amount } })
  await sandbox().capture(request.external_id, 'elsewhere')
}

const statusOf = async (answer: Answer) => {
  const { status, paid } = await orderOf(answer)
  return [status, paid, (await paymentOf(answer)).status]
}

afterEach(async () => expect(await check()).toEqual([]))

describe('money that was refunded at the provider', () => {
  test('after the order was paid needs a human decision; the order stays', async () => {
    const { answer, request } = await approved()
    const first = await finish(request)
    await sandbox().refund(`${request.external_id}-C1`, 1000, 'some', request.payment_id ?? '', 'EUR')
    const look = () => reconcilePayment(merchant, request.payment_id, { actor: 'webhook' })
    expect(await look()).toBe('review')
    expect(await paymentOf(answer)).toMatchObject({ status: 'refunded_in_part', refunded: 1000 })
    // The look changes the order, and its positions show when.
    const { documents, ...data } = JSON.parse(first.text, (name, value) =>
      name === 'chstamp' ? undefined : value,
    ).data
    expect((await finish(request)).json.data).toMatchObject({ ...data, documents: { payments: documents.payments } })
    await sandbox().refund(`${request.external_id}-C1`, 1400, 'rest', request.payment_id ?? '', 'EUR')
    expect([await look(), await look()]).toEqual(['review', 'review'])
    expect(await statusOf(answer)).toEqual(['need_package', true, 'refunded'])
    await acceptPayment(merchant, answer.json.data.id, 'person')
    expect(await look()).toBe('refunded')
  })
})

describe('without a repeated request', () => {
  test('a crash between capture and commit is corrected when the claim ends', async () => {
    const { answer, request } = await approved()
    const lease = Date.now() - 1000
    await takeElsewhere(request)
    await makeDue(answer, { status: 'capturing', lease })
    expect(await sweepMerchant(merchant)).toMatchObject({ paid: 1 })
    expect(await statusOf(answer)).toEqual(['need_package', true, 'captured'])
    expect((await atProvider(answer))?.captures).toBe(1)
  })

  test('an approved payment is captured, once, though the window was closed', async () => {
    const { answer } = await approved()
    await makeDue(answer)
    const swept = await Promise.all([sweepMerchant(merchant), sweepMerchant(merchant), sweepMerchant(merchant)])
    expect(swept.flatMap(({ failures }) => failures)).toEqual([])
    expect(await statusOf(answer)).toEqual(['need_package', true, 'captured'])
    expect((await atProvider(answer))?.captures).toBe(1)
  })

  test('a claim lasts minutes at most, and is checked after its end', async () => {
    const { answer, request } = await approved()
    await makeDue(answer, { status: 'capturing', lease: Date.now() + 30_000 })
    const [cancelled, finished] = await Promise.all([cancel(answer.json.data.uuid), finish(request)])
    expect([refusal(cancelled), refusal(finished)]).toEqual(Array(2).fill([409, 'payment_in_progress']))
    expect(await sweepMerchant(merchant)).toMatchObject({ left: 1 })
    expect(await duePayments(merchant)).toBe('waiting')
    expect(await duePayments(merchant, Date.now() + 120_000)).toBe('due')
    await updateItem(place(answer), { set: { lease: 0 } })
    expect((await finish(request)).status).toBe(200)
  })
})

describe('the payer', () => {
  test('is the provider’s also if the sweep captures', async () => {
    const { answer } = await approved()
    await makeDue(answer)
    await sweepMerchant(merchant)
    const { payerId } = (await atProvider(answer)) ?? {}
    expect(payerId).toMatch(/^[0-9A-F]{13}$/)
    expect((await orderOf(answer)).documents.payments).toMatchObject([{ payer_id: payerId }])
  })
})

describe('a payment of another amount', () => {
  const inReview = async () => {
    const { answer, request } = await approved()
    await takeElsewhere(request, 2399)
    const answered = await finish(request)
    expect(refusal(answered)).toEqual([422, 'amount_mismatch'])
    expect(answered.json.details).toMatch(/took 23\.99 EUR; the order costs 24\.00 EUR\. The merchant/)
    return { answer, request, id: answer.json.data.id }
  }

  test('waits for a decision, and is in the list of payments in review', async () => {
    const { answer, request, id } = await inReview()
    await expect(sweepMerchant(merchant, { hours: 0 })).resolves.toMatchObject({ failures: [] })
    expect(refusal(await cancel(answer.json.data.uuid))).toEqual([409, 'order_not_cancellable'])
    const { review } = await unsettledPayments(merchant)
    expect(review).toMatchObject([{ uuid: request.payment_id, reason: 'AMOUNT_MISMATCH', taken: { amount: 2399 } }])
    await refundPayment(merchant, id, 'operator')
  })

  test('can be accepted: the order is paid with the captured amount', async () => {
    const { answer, request, id } = await inReview()
    await acceptPayment(merchant, id, 'operator')
    const order = await orderOf(answer)
    expect(order).toMatchObject({ status: 'need_package', paid: true })
    expect(order.documents.payments).toMatchObject([{ amount: '23.99', currency: 'EUR' }])
    expect((await finish(request)).json.data.paid).toBe(true)
    await expect(acceptPayment(merchant, id, 'operator')).rejects.toThrow('nobody has to decide')
  })

  test('can be refunded: the order is cancelled, and the whole captured amount is refunded', async () => {
    const { answer, id } = await inReview()
    expect(await refundPayment(merchant, id, 'operator')).toBe('refunded')
    expect(await statusOf(answer)).toEqual(['cancelled', false, 'refunded'])
    expect(await atProvider(answer)).toMatchObject({ captures: 1, refunded: 2399 })
    await expect(acceptPayment(merchant, id, 'operator')).rejects.toThrow('nobody has to decide')
  })

  test('can have been refunded manually: the provider is not called', async () => {
    const { answer, id } = await inReview()
    await updateItem(key('sandboxPayment', { id: answer.json.payment.external_id }), { set: { refunded: 2399 } })
    expect(await refundPayment(merchant, id, 'operator', 'by hand')).toBe('refunded')
    expect(await statusOf(answer)).toEqual(['cancelled', false, 'refunded'])
  })
})

test('an order that was paid manually is not captured at the provider as well', async () => {
  const { answer, request } = await approved('pending')
  await finish(request)
  await advanceOrder(merchant, answer.json.data.id, 'money_received', 'operator')
  expect(refusal(await finish(request))).toEqual([409, 'order_paid'])
  await visit(answer.json.targetUrl, 'settle')
  await makeDue(answer)
  expect(await sweepMerchant(merchant)).toMatchObject({ refunded: 1 })
  expect(await statusOf(answer)).toEqual(['payed', true, 'refunded'])
  expect((await atProvider(answer))?.refunded).toBe(2400)
})

describe('a payment that cannot be opened', () => {
  const opening = async (fails: (n: number) => Promise<boolean>, act: () => Promise<void>) => {
    const provider = await providerOf({ id: merchant, payment_provider: 'sandbox' })
    const { open } = provider
    let n = 0
    Object.assign(provider, {
      open: async (asked: OpenRequest) => {
        if (await fails(++n)) throw new Problem('payment_provider_error')
        return open(asked)
      },
    })
    await act().finally(() => Object.assign(provider, { open }))
  }
  const placing = { merchant, user: { id: 1, name: 'test' } }

  const ordering = async (): Promise<{ data: NewOrder; basket: string }> => {
    const basket = await newBasket(shop, shop.wine.secco ?? 0, 2)
    const { billing_id } = (await add()).json.data
    return { data: v.parse(NewOrder, { billing_id, payment_type: 'paypal', basket, ...returning }), basket }
  }

  test('cancels its order immediately: basket and stock are free, and the same key orders again', async () => {
    const { data, basket } = await ordering()
    const request = { data, idempotencyKey: 'again' }
    await opening(
      async () => true,
      async () => {
        await expect(placeOrder(placing, request)).rejects.toMatchObject({ word: 'payment_provider_error' })
      },
    )
    expect((await shop.call('baskets/get', { uuid: basket })).json.data.order_uuid).toBeNull()
    expect(await check()).toEqual([])
    const placed = await placeOrder(placing, request)
    expect([placed.replayed, placed.payment?.status]).toEqual([false, 'open'])
    expect((await placeOrder(placing, request)).replayed).toBe(true)
  })

  const many = (request: Parameters<typeof placeOrder>[1]) =>
    Array.from({ length: crowd }, () => placeOrder(placing, request))

  test('by one of many equal requests is opened if another succeeds', async () => {
    const { data } = await ordering()
    let gotThrough = () => {}
    const through = new Promise<void>(done => {
      gotThrough = done
    })
    await opening(
      async n => {
        if (n % 2 === 1) await through
        return n % 2 === 1
      },
      async () => {
        const all = many({ data, idempotencyKey: 'all at once' })
        await Promise.any(all).then(gotThrough)
        const placed = await Promise.all(all)
        expect(new Set(placed.map(({ payment }) => `${payment?.status} ${payment?.external_id}`)).size).toBe(1)
        expect(placed[0]?.payment?.status).toBe('open')
      },
    )
    expect(await check()).toEqual([])
  })

  test('by half of many equal requests leaves one order at most, and a repeat has its payment', async () => {
    const { data } = await ordering()
    const request = { data, idempotencyKey: 'half of them' }
    await opening(
      async n => n % 2 === 1,
      async () => {
        for (const one of await Promise.allSettled(many(request)))
          if (one.status === 'rejected') expect(one.reason).toMatchObject({ word: 'payment_provider_error' })
      },
    )
    expect((await placeOrder(placing, request)).payment?.status).toBe('open')
    expect(await check()).toEqual([])
  })
})
