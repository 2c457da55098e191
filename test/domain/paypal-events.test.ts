import { randomUUID } from 'node:crypto'
import { makeSigner } from '../../lib/twin/sandbox/certificate.ts'
import { Problem } from '../../shared/contract/errors.ts'
import { readPayment } from '../../shared/payments/record.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { setMerchant } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { startParameters } from '../support/parameters.ts'
import { readShown } from '../support/payment-fixtures.ts'
import { captured, order, orderId, startPayPal } from '../support/paypal/scripted.ts'
import { hookedTable, silent } from '../support/table-hook.ts'
import { type Signing, signedHeaders, startCertificates } from '../support/webhook-events.ts'

const webhookId = '0EH40505U7160970P'
const paypal = await startPayPal()
const front = await startCertificates(paypal.url)
Object.assign(process.env, (await startParameters()).environment)
afterAll(async () => {
  await front.close()
  await paypal.close()
})

const { handlePayPalEvent } = await import('../../shared/orders/checkout/paypal-event.ts')
const { newPayer } = await import('../support/payer.ts')
const { givePayPal } = await import('../support/paypal/account.ts')
const { cancelById } = await import('../../shared/orders/checkout/cancel.ts')

const signer = makeSigner()
const certificateUrl = front.serve('CERT', signer.certificate)
const { shop, place, check } = await newPayer('Kellerei Nachricht')
const merchant = shop.id
await givePayPal(shop, front.origin, webhookId)
await setMerchant(shop, { payment_provider: 'paypal' })
const now = Math.floor(Date.now() / 1000) * 1000
const clock = useFakeClock(now)
const table = hookedTable()

const amount = { currency_code: 'EUR', value: '24.00' }
const seenAs = (custom_id: string, status: string, captures?: object[]) =>
  order(status, [], { purchase_units: [{ amount, custom_id, ...(captures && { payments: { captures } }) }] })

/** An order that waits for its payer, who has approved it at PayPal by now. */
const waiting = async () => {
  clock.now = now
  paypal.answers({})
  const { data, payment } = await place()
  const uuid = payment?.uuid ?? ''
  const paid = seenAs(uuid, 'COMPLETED', [captured('COMPLETED', { amount, custom_id: uuid })])
  const answers = { look: [seenAs(uuid, 'APPROVED')], capture: [paid] }
  paypal.answers(answers)
  return { id: data.id, uuid, answers }
}

const stored = (uuid: string) => readShown(merchant, uuid)
const noted = (event: string) => getItem(key('webhookEvent', { merchant, event }))
const note = (event: string, lease: number) =>
  putItem(key('webhookEvent', { merchant, event }), { lease, expires: 1e10 })
const done = { lease: Number.MAX_SAFE_INTEGER, expires: Math.floor(now / 1000) + 432_000 }

const eventOf = (uuid: string, changes: object = {}) => ({
  id: `WH-${randomUUID()}`,
  event_type: 'CHECKOUT.ORDER.APPROVED',
  resource: { id: orderId, purchase_units: [{ custom_id: uuid }] } as unknown,
  ...changes,
})

/** Delivers an event, signed like PayPal's. Returns the result. */
const take = async (event: ReturnType<typeof eventOf>, signing: Partial<Signing> = {}): Promise<unknown> => {
  const text = JSON.stringify(event)
  const headers = signedHeaders(text, { signer, webhookId, certificateUrl, time: clock.now, ...signing })
  try {
    return await handlePayPalEvent(event, { headers, body: Buffer.from(text) })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { word: error.word, ...error.headers }
  }
}

test('an approved payment is captured in the name of the event, which is recorded as done for five days', async () => {
  const { uuid, id } = await waiting()
  const event = eventOf(uuid)
  expect(await take(event)).toBe(true)
  expect(await stored(uuid)).toMatchObject({ status: 'captured' })
  const { history } = JSON.parse((await getItem(key('order', { merchant, id })))?.doc ?? '{}')
  expect(history.at(-1)).toMatchObject({ event: 'payment_completed', actor: 'webhook' })
  expect(await noted(event.id)).toEqual(done)
  expect(clock.now).toBe(now)
})

test.each([
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
])('%s makes the service check the payment', async event_type => {
  const { uuid } = await waiting()
  expect(await take(eventOf(uuid, { event_type }))).toBe(true)
  expect(paypal.seen('look')).toHaveLength(1)
})

describe('an event without a payment of the service', () => {
  test.each<[string, (uuid: string) => object]>([
    ['another type of event', () => ({ event_type: 'CHECKOUT.ORDER.COMPLETED' })],
    ['an unknown payment', () => ({ resource: { custom_id: randomUUID() } })],
    ['a custom id of another shop', () => ({ resource: { custom_id: 'order 1', purchase_units: [] } })],
    ['no resource', () => ({ resource: null })],
    ['a resource without units', () => ({ resource: { purchase_units: 'none' } })],
    ['a second unit', uuid => ({ resource: { purchase_units: [{ custom_id: null }, { custom_id: uuid }] } })],
  ])('%s', async (_, changes) => {
    const { uuid } = await waiting()
    const event = eventOf(uuid, changes(uuid))
    expect(await take(event)).toBe(false)
    expect([paypal.seen('look'), await noted(event.id)]).toEqual([[], undefined])
  })
})

test('a payment that is not visible yet is busy, so that PayPal sends the event again', async () => {
  const { uuid, id } = await waiting()
  await cancelById(merchant, id, { event: 'cancel', actor: 'test' })
  const payments = key('payment', { merchant, uuid })
  const payment = await readPayment(merchant, uuid)
  await deleteItem(payments)
  await expect(take(eventOf(uuid))).rejects.toThrow(Unavailable)
  if (payment) await putItem(payments, payment)
})

test('a capture contains the id of its payment', async () => {
  const { uuid } = await waiting()
  const resource = { custom_id: uuid, purchase_units: [{ custom_id: randomUUID() }] }
  expect(await take(eventOf(uuid, { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource }))).toBe(true)
})

test('a forged event is refused, and not recorded', async () => {
  const { uuid } = await waiting()
  const event = eventOf(uuid)
  expect(await take(event, { webhookId: 'another' })).toEqual({ word: 'webhook_signature_invalid' })
  expect([paypal.seen('look'), await noted(event.id)]).toEqual([[], undefined])
})

test('an event for an account without a known webhook is refused', async () => {
  const other = await newPayer('Kellerei Ohne Bote')
  await givePayPal(other.shop, front.origin)
  await setMerchant(other.shop, { payment_provider: 'paypal' })
  paypal.answers({})
  const { payment } = await other.place()
  expect(await take(eventOf(payment?.uuid ?? ''))).toEqual({ word: 'webhook_signature_invalid' })
})

describe('a repeated event', () => {
  test('calls no provider once it is done', async () => {
    const { uuid } = await waiting()
    const event = eventOf(uuid)
    await take(event)
    paypal.answers({})
    expect(await take(event)).toBe(true)
    expect([paypal.seen(), await noted(event.id), clock.now]).toEqual([[], done, now])
  })

  test('is processed if PayPal failed the first time', async () => {
    const { uuid, answers } = await waiting()
    const event = eventOf(uuid)
    paypal.answers({ look: [{ status: 500, body: {} }] })
    expect(await take(event)).toEqual({ word: 'payment_provider_error' })
    expect((await noted(event.id))?.lease).toBe(0)
    paypal.answers(answers)
    expect(await take(event)).toBe(true)
    expect(await stored(uuid)).toMatchObject({ status: 'captured' })
  })

  test('waits for a concurrent equal one, and is requested again if that takes long', async () => {
    const { uuid } = await waiting()
    const event = eventOf(uuid)
    await note(event.id, now + 60_000)
    expect(await take(event)).toEqual({ word: 'temporarily_unavailable', 'retry-after': '60' })
    expect([clock.now - now, paypal.seen('look')]).toEqual([7750, []])
    expect(await noted(event.id)).toEqual({ lease: now + 60_000, expires: 1e10 })
  })

  test.each([
    ['given back', 0, 0],
    ['just over', now, 0],
    ['over in three seconds', now + 3000, 3750],
  ])('is processed once the time of the one before is over: %s', async (_, lease, wait) => {
    const { uuid } = await waiting()
    const event = eventOf(uuid)
    await note(event.id, lease)
    expect(await take(event)).toBe(true)
    expect(await stored(uuid)).toMatchObject({ status: 'captured' })
    expect(clock.now - now).toBe(wait)
  })

  test('is not processed while the table does not answer', async () => {
    const { uuid } = await waiting()
    table.hook = name => {
      if (name === 'PutItemCommand') silent()
    }
    await expect(take(eventOf(uuid))).rejects.toThrow(Unavailable)
    expect(paypal.seen('look')).toEqual([])
  })

  test('has half a minute', async () => {
    const { uuid } = await waiting()
    const event = eventOf(uuid)
    let held: number | undefined
    // Read during the call of PayPal.
    paypal.answers({ look: [{ status: 500, body: {}, wait: 200 }] })
    const taking = take(event)
    while (held === undefined) held = (await noted(event.id))?.lease
    await taking
    expect(held).toBe(now + 30_000)
  })
})

test('an event waits for the end of a concurrent finish of the buyer', async () => {
  const { uuid } = await waiting()
  const event = eventOf(uuid)
  await updateItem(key('payment', { merchant, uuid }), { set: { status: 'capturing', lease: now + 5000 } })
  expect(await take(event)).toBe(true)
  expect([await stored(uuid), clock.now - now]).toMatchObject([{ status: 'captured' }, 7750])
  const other = await waiting()
  await updateItem(key('payment', { merchant, uuid: other.uuid }), {
    set: { status: 'capturing', lease: now + 50_000 },
  })
  const another = eventOf(other.uuid)
  expect(await take(another)).toEqual({ word: 'temporarily_unavailable', 'retry-after': '60' })
  expect((await noted(another.id))?.lease).toBe(0)
})

test('an event whose order refuses is done, not failed', async () => {
  const { uuid, id } = await waiting()
  const { doc = '{}' } = (await getItem(key('order', { merchant, id }))) ?? {}
  const { header, ...rest } = JSON.parse(doc)
  await updateItem(key('order', { merchant, id }), {
    set: { doc: JSON.stringify({ ...rest, header: { ...header, paid: true } }) },
  })
  const event = eventOf(uuid)
  expect(await take(event)).toBe(true)
  expect(await noted(event.id)).toEqual(done)
  expect(await stored(uuid)).toMatchObject({ status: 'refund_due' })
  await updateItem(key('order', { merchant, id }), { set: { doc } })
})

test('all records are consistent, except the order that was changed manually', async () => {
  expect(await check()).toEqual([expect.stringMatching(/is new, its payment unused$/)])
})
