import { randomUUID } from 'node:crypto'
import { makeSigner } from '../../lib/twin/sandbox/certificate.ts'
import { startTwin } from '../../lib/twin/twin.ts'
import { eventually } from '../support/eventually.ts'
import type { Answer as PayPalAnswer } from '../support/paypal/answers.ts'
import { captured, order, orderId, startPayPal, type Verb } from '../support/paypal/scripted.ts'
import { seedBuild } from '../support/running-twin.ts'
import { crowd, repetitions } from '../support/sampling.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Signing, signedHeaders, startCertificates } from '../support/webhook-events.ts'

const webhookId = '0EH40505U7160970P'
const folder = temporaryFolder('webhook')
const paypal = await startPayPal()
const front = await startCertificates(paypal.url)
await seedBuild(folder)
// A twin with more instances than others; npm run test:long has 64.
const maxInstances = repetitions('TEST_INSTANCES', 4)
const twin = await startTwin({ port: 0, folder, maxInstances, maxAllInstances: 500 })
const { TEST_TWIN } = process.env
process.env.TEST_TWIN = folder
const { call } = await import('../support/harness.ts')
const { finishing, newCheckout, setMerchant, visit } = await import('../support/checkout.ts')
const { givePayPal } = await import('../support/paypal/account.ts')

// Where the refusals that were seen are noted.
process.env.TEST_TWIN = TEST_TWIN

afterAll(async () => {
  await twin.close()
  await front.close()
  await paypal.close()
})

type Answer = Awaited<ReturnType<typeof call>>
type Json = Answer['json']

const signer = makeSigner()
const certificateUrl = front.serve('CERT-of-the-test', signer.certificate)
const route = '/payments/paypal/webhook'

/** An event with what an order at PayPal shows of the payment. */
const eventOf = (uuid: string, type = 'CHECKOUT.ORDER.APPROVED', changes: object = {}) => ({
  id: `WH-${randomUUID()}`,
  event_version: '1.0',
  resource_type: 'checkout-order',
  event_type: type,
  summary: 'An order has been approved by the buyer Müller',
  resource: { id: orderId, purchase_units: [{ reference_id: 'default', custom_id: uuid }], status: 'APPROVED' },
  ...changes,
})

/** Sends an event as PayPal does, signed for the webhook of the twin unless it says otherwise. */
const send = (event: object, signing: Partial<Signing> = {}, headers: Record<string, string> = {}): Promise<Answer> => {
  const raw = JSON.stringify(event)
  const signed = signedHeaders(raw, { signer, webhookId, certificateUrl, ...signing })
  return call(route, {}, { raw, headers: { ...signed, ...headers } })
}

const outcome = ({ status, json }: Answer): [number, unknown] => [status, json.error ?? json.handled]

const amount = { currency_code: 'EUR', value: '24.00' }

/** PayPal's answers about an order of 24.00, before and after its capture. */
const approvedOrder = (custom_id: string, status = 'APPROVED') =>
  order(status, [], { purchase_units: [{ amount, custom_id }] })
const paidOrder = (custom_id: string, status = 'COMPLETED') =>
  order('COMPLETED', [], {
    purchase_units: [{ amount, custom_id, payments: { captures: [captured(status, { amount, custom_id })] } }],
  })

const bank = await newCheckout('Kellerei Bote')
await givePayPal(bank.shop, front.origin, webhookId)
await setMerchant(bank.shop, { payment_provider: 'paypal' })
const shown = async (of: typeof bank, { json }: Answer): Promise<Json> =>
  (await of.shop.call('orders/get', { uuid: json.data.uuid, include: 'documents' })).json.data

/** An order that waits for its payer at PayPal; PayPal then answers by a script, or as for one that is approved. */
const waiting = async (script?: (uuid: string) => Partial<Record<Verb, PayPalAnswer[]>>) => {
  paypal.answers({})
  const answer = await bank.add()
  expect(answer.json.payment).toMatchObject({ status: 'open', external_id: orderId })
  const uuid: string = answer.json.payment.uuid
  paypal.answers(script?.(uuid) ?? { look: [approvedOrder(uuid)], capture: [paidOrder(uuid)] })
  return { answer, uuid }
}

const paid = { status: 'need_package', paid: true, documents: { payments: [{ amount: '24.00' }] } }
const unpaid = { status: 'new', paid: false, documents: { payments: [], invoices: [] } }

describe('an event of PayPal', () => {
  afterAll(async () => {
    expect(await bank.check()).toEqual([])
  })

  test('for an approval captures the payment without a finish', async () => {
    const { answer, uuid } = await waiting()
    expect(outcome(await send(eventOf(uuid)))).toEqual([200, true])
    expect(await shown(bank, answer)).toMatchObject(paid)
    expect(paypal.seen('capture')).toHaveLength(1)
  })

  test('only starts a check: its contents are not trusted', async () => {
    const { answer, uuid } = await waiting(one => ({ look: [approvedOrder(one, 'PAYER_ACTION_REQUIRED')] }))
    const says = { id: 'X', status: 'COMPLETED', amount, custom_id: uuid, final_capture: true }
    const event = eventOf(uuid, 'PAYMENT.CAPTURE.COMPLETED', { resource: says })
    expect(outcome(await send(event))).toEqual([200, true])
    expect(await shown(bank, answer)).toMatchObject(unpaid)
    expect(paypal.seen('capture')).toHaveLength(0)
  })

  test(`that arrives ${crowd} times concurrently captures once`, async () => {
    const { answer, uuid } = await waiting()
    const inParallel = (one: object) => Promise.all(Array.from({ length: crowd }, () => send(one)))
    // Instances that are still starting would take the events one after another.
    await inParallel(eventOf(uuid, 'CHECKOUT.ORDER.COMPLETED'))
    const event = eventOf(uuid)
    const answers = await inParallel(event)
    // One does the work; a request that waits for it too long gets a 503.
    const words = new Set(answers.map(one => outcome(one).join(' ')))
    expect([...words].toSorted().filter(one => one !== '503 temporarily_unavailable')).toEqual(['200 true'])
    expect(outcome(await send(event))).toEqual([200, true])
    const looks = paypal.seen('look').length
    expect(outcome(await send(event))).toEqual([200, true])
    expect([looks, paypal.seen('look').length]).toEqual([1, 1])
    expect(paypal.seen('capture')).toHaveLength(1)
    const { documents } = await shown(bank, answer)
    expect([documents.payments.length, documents.invoices.length, documents.deliveryNotes.length]).toEqual([1, 1, 1])
  })

  test('and a concurrent finish of the buyer capture once, and both succeed', async () => {
    const { answer, uuid } = await waiting()
    const back = new URL(`https://shop.example/?PayerID=QYR5Z8XDVJNXQ`)
    const finish = () => bank.shop.call('orders/checkout/finish', finishing(answer, back))
    const [reply, finished] = await Promise.all([send(eventOf(uuid)), finish()])
    expect(outcome(reply)).toEqual([200, true])
    if (finished.status !== 200) expect(finished.json.error).toBe('payment_in_progress')
    expect((await finish()).json.data).toMatchObject({ status: 'need_package', paid: true })
    expect(paypal.seen('capture')).toHaveLength(1)
  })

  test('during a failure of PayPal is refused with it, so that PayPal sends it again', async () => {
    const { answer, uuid } = await waiting(() => ({ look: [{ status: 500, body: {} }] }))
    const event = eventOf(uuid)
    expect(outcome(await send(event))).toEqual([502, 'payment_provider_error'])
    // PayPal is still busy with an equal request.
    paypal.answers({ look: [{ status: 409, body: {} }] })
    expect(outcome(await send(event))).toEqual([504, 'payment_provider_timeout'])
    paypal.answers({ look: [approvedOrder(uuid)], capture: [paidOrder(uuid)] })
    expect(outcome(await send(event))).toEqual([200, true])
    expect(await shown(bank, answer)).toMatchObject(paid)
  })

  test('is verified by its bytes, also if the gateway passes them in base64', async () => {
    const { answer, uuid } = await waiting()
    const raw = `\ufeff ${JSON.stringify(eventOf(uuid), null, 1)}\n`
    const { 'content-type': _, ...headers } = signedHeaders(raw, { signer, webhookId, certificateUrl })
    const response = await fetch(twin.connection.url + route, { method: 'POST', headers, body: Buffer.from(raw) })
    expect([response.status, await response.json()]).toEqual([200, { info: 'success', handled: true }])
    expect(await shown(bank, answer)).toMatchObject(paid)
  })
})

describe('an event that is not PayPal’s', () => {
  const refused = [400, 'webhook_signature_invalid']

  test('is refused, whatever part is forged, without a call of the provider', async () => {
    const { answer, uuid } = await waiting()
    const event = eventOf(uuid)
    const evil = await startCertificates()
    const stranger = makeSigner()
    const elsewhere = evil.serve('CERT-of-the-test', stranger.certificate)
    const raw = JSON.stringify(event)
    const headers = signedHeaders(raw, { signer, webhookId, certificateUrl })
    const fetched = front.asked.length
    const answers = [
      await call(route, event),
      await send(event, { signer: stranger }),
      await send(event, { signer: stranger, certificateUrl: elsewhere }),
      await send(event, { webhookId: 'SANDBOX' }),
      await send(event, { time: Date.now() - 5 * 24 * 3_600_000 }),
      await send(event, {}, { 'paypal-auth-algo': 'SHA1withRSA' }),
      await send(event, {}, { 'paypal-transmission-id': randomUUID() }),
      await call(route, {}, { raw: raw.replace('WH-', 'WH_'), headers }),
      await call(route, {}, { raw: `${raw} `, headers }),
      await send(event, { certificateUrl: certificateUrl.replace('/v1/', '/v1/../v1/') }),
    ]
    expect(answers.map(outcome)).toEqual(answers.map(() => refused))
    expect(paypal.seen()).toEqual([])
    expect(evil.asked).toEqual([])
    expect(front.asked.length).toBe(fetched)
    expect(await shown(bank, answer)).toMatchObject(unpaid)
    await evil.close()
  })

  test('but of another merchant’s provider is refused', async () => {
    const other = await newCheckout('Kellerei Gegenüber')
    const { json } = await other.add()
    await visit(json.targetUrl)
    expect(outcome(await send(eventOf(json.payment.uuid)))).toEqual(refused)
    expect((await other.shop.call('orders/get', { uuid: json.data.uuid })).json.data.status).toBe('new')
    expect(await other.check()).toEqual([])
  })
})

describe('the sandbox', () => {
  test('sends an event for an approval: the order is paid without a finish', async () => {
    const cellar = await newCheckout('Kellerei Sandkasten')
    const answer = await cellar.add()
    const quiet = await cellar.add()
    await visit(quiet.json.targetUrl)
    await visit(answer.json.targetUrl, 'approve', 'prompt', 'sent')
    expect(await eventually(async () => (await shown(cellar, answer)).paid)).toBe(true)
    expect(await shown(cellar, answer)).toMatchObject(paid)
    expect(await shown(cellar, quiet)).toMatchObject({ status: 'new', paid: false })
    expect(await cellar.check()).toEqual([])
  })

  test('sends events for money that arrived late, and for a failed payment', async () => {
    const cellar = await newCheckout('Kellerei Scheck')
    const pending = async () => {
      const answer = await cellar.add()
      const request = finishing(answer, await visit(answer.json.targetUrl, 'approve', 'pending'))
      expect((await cellar.shop.call('orders/checkout/finish', request)).json.data.status).toBe('need_payment')
      return answer
    }
    const [settled, failed] = [await pending(), await pending()]
    await visit(settled.json.targetUrl, 'settle', 'prompt', 'sent')
    await visit(failed.json.targetUrl, 'fail', 'prompt', 'sent')
    expect(await eventually(async () => (await shown(cellar, settled)).paid)).toBe(true)
    expect(await eventually(async () => (await shown(cellar, failed)).status === 'cancelled')).toBe(true)
    expect(await shown(cellar, failed)).toMatchObject({ paid: false, documents: { payments: [] } })
    expect(await cellar.check()).toEqual([])
  })
})
