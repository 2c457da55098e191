import { isApiUrl } from '../../shared/payments/paypal/hosts.ts'
import { fresh, paid, request, server, verbs, wordOf } from '../support/paypal-harness.ts'
import { captureId, created, order, orderId, payment, refund, refusal } from '../support/paypal-server.ts'

describe('opening a payment', () => {
  test('sends amount, ids and addresses, and answers where the payer approves', async () => {
    server.answers({})
    expect(await verbs.open()).toEqual({
      externalId: orderId,
      targetUrl: `https://www.sandbox.paypal.com/checkoutnow?token=${orderId}`,
    })
    const [sent] = server.seen('create')
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer A21AAFs9YK-token',
      'paypal-request-id': request.requestId,
      'content-type': 'application/json',
    })
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: request.order.uuid,
          custom_id: payment,
          invoice_id: '1-6f0c2e91ab47',
          amount: { currency_code: 'EUR', value: '25.19' },
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            brand_name: 'Weingut Elbufer',
            shipping_preference: 'NO_SHIPPING',
            user_action: 'PAY_NOW',
            return_url: request.returnUrl,
            cancel_url: request.cancelUrl,
          },
        },
      },
    })
  })

  test('takes the older link to approve, and the answer to a repeat', async () => {
    server.answers({ create: [{ ...created('approve'), status: 200 }] })
    expect(await verbs.open()).toMatchObject({ externalId: orderId })
  })

  test.each([
    ['https://www.paypal.com/checkoutnow?token=5O', true],
    ['https://paypal.com/checkoutnow', true],
    [`${server.url}/checkoutnow`, true],
    ['http://www.paypal.com/checkoutnow', false],
    ['https://paypal.com.evil.example/checkoutnow', false],
    ['https://evilpaypal.com/checkoutnow', false],
    ['https://www.paypal.com@evil.example/', false],
    ['https://user@www.paypal.com/', false],
    ['https://www.paypal.com:8443/', false],
    ['https:\\\\evil.example\\.paypal.com/', false],
    ['https://evil.example\t/.paypal.com', false],
    ['http://169.254.169.254/latest/meta-data', false],
    ['http://127.0.0.1:1/', false],
    ['javascript:alert(1)//www.paypal.com', false],
    ['', false],
  ])('sends no payer to a page that is not the provider’s: %j', async (href, isRight) => {
    server.answers({ create: [created('payer-action', href)] })
    expect(await wordOf(verbs.open())).toEqual(isRight ? expect.anything() : 'payment_provider_error')
    if (isRight) expect(await verbs.open()).toMatchObject({ targetUrl: href })
    expect(server.seen('look')).toEqual([])
  })

  test.each([
    ['no links', { id: orderId, status: 'CREATED' }],
    ['no approve link', { id: orderId, status: 'CREATED', links: [{ rel: 'self', href: 'https://paypal.com/' }] }],
    ['an id that leads elsewhere', { ...(created().body as object), id: '../../v1/identity' }],
  ])('fails on an answer with %s', async (_, body) => {
    server.answers({ create: [{ status: 201, body }] })
    expect(await wordOf(verbs.open())).toBe('payment_provider_error')
  })

  test('fails when the invoice id is taken, and is not repeated', async () => {
    server.answers({ create: [refusal('DUPLICATE_INVOICE_ID')] })
    expect(await wordOf(verbs.open())).toBe('payment_provider_error')
    expect(server.seen('create')).toHaveLength(1)
  })
})

describe('looking a payment up', () => {
  test.each([
    ['CREATED', 'open'],
    ['SAVED', 'open'],
    ['PAYER_ACTION_REQUIRED', 'open'],
    ['APPROVED', 'approved'],
    ['VOIDED', 'cancelled'],
    ['COMPLETED', 'pending'],
    ['SOMETHING_NEW', 'pending'],
  ])('an order that is %s, without captures, counts as %s', async (status, state) => {
    server.answers({ look: [order(status)] })
    expect(await verbs.inspect()).toEqual({ ...paid, state, captureId: null })
  })

  test('an order that is forgotten counts as cancelled', async () => {
    server.answers({ look: [refusal('INVALID_RESOURCE_ID', 404, 'RESOURCE_NOT_FOUND')] })
    expect(await verbs.inspect()).toMatchObject({ state: 'cancelled', amount: null })
  })

  test('an address that is not found says nothing of the order', async () => {
    server.answers({ look: [{ status: 404, raw: 'no such page' }] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
  })

  test('an id that leads elsewhere is not asked for', async () => {
    server.answers({})
    for (const id of ['..', '.', 'a/b', 'a?b', '', '%2e%2e', 'x'.repeat(65)]) {
      expect(await wordOf(fresh().inspect(id))).toBe('payment_provider_error')
    }
    expect(server.seen()).toEqual([])
  })
})

describe('paying back', () => {
  test('refunds that amount of the capture, with the given request id', async () => {
    server.answers({})
    expect(await verbs.refund()).toEqual({ state: 'refunded', refundId: '1JU08902781691411' })
    const [{ path, headers, body } = {}] = server.seen('refund')
    expect(path).toBe(`/v2/payments/captures/${captureId}/refund`)
    expect(headers).toMatchObject({ 'paypal-request-id': `${payment}:refund` })
    expect(JSON.parse(body ?? '')).toEqual({ amount: { currency_code: 'EUR', value: '25.19' } })
  })

  test('tells a refund that is under way, and one that was made before', async () => {
    server.answers({ refund: [refund('PENDING')] })
    expect(await verbs.refund()).toMatchObject({ state: 'pending' })
    server.answers({ refund: [refusal('CAPTURE_FULLY_REFUNDED')] })
    expect(await verbs.refund()).toMatchObject({ state: 'refunded' })
  })

  test.each([
    ['failed', refund('FAILED')],
    ['of another amount', refund('COMPLETED', '25.18')],
    ['refused', refusal('REFUND_AMOUNT_EXCEEDED')],
  ])('a refund that is %s is a failure', async (_, answer) => {
    server.answers({ refund: [answer] })
    expect(await wordOf(verbs.refund())).toBe('payment_provider_error')
  })
})

test.each([
  ['https://api-m.paypal.com', true],
  ['https://api-m.sandbox.paypal.com', true],
  ['https://api-m.paypal.com/', true],
  ['http://api-m.paypal.com', false],
  ['https://api-m.paypal.com:444', false],
  ['https://api-m.paypal.com/x', false],
  ['https://user@api-m.paypal.com', false],
  ['https://api-m.paypal.com.evil.example', false],
  ['https://www.paypal.com', false],
  ['', false],
])('the API is asked at PayPal only: %j', (url, isRight) => {
  expect(isApiUrl(url, false)).toBe(isRight)
  expect(isApiUrl('http://127.0.0.1:8080', false)).toBe(false)
  expect(isApiUrl('http://127.0.0.1:8080', true)).toBe(true)
})
