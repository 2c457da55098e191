import { isApiUrl } from '../../shared/payments/paypal/hosts.ts'
import {
  captured,
  captureId,
  created,
  order,
  orderId,
  payment,
  refund,
  refunded,
  refusal,
} from '../support/paypal/scripted.ts'
import { fresh, paid, request, server, verbs, wordOf } from '../support/paypal-harness.ts'

describe('opening a payment', () => {
  test('sends amount, ids and addresses, and returns the URL for the approval', async () => {
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

  test('accepts the older form of the approval link, and the answer to a repeat', async () => {
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
    ['\thttps://www.paypal.com/checkoutnow', false],
    ['https://www.paypal.com/checkoutnow\n', false],
    [`https://www.paypal.com/${'x'.repeat(2000)}`, false],
    ['http://169.254.169.254/latest/meta-data', false],
    ['http://127.0.0.1:1/', false],
    ['javascript:alert(1)//www.paypal.com', false],
    ['', false],
  ])('redirects no payer to a page of another host: %j', async (href, isRight) => {
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

  test('cuts a long name and a long number, and keeps the unique part of the invoice id', async () => {
    server.answers({})
    const long = { ...request, merchantName: '🍷'.repeat(200), order: { ...request.order, number: '9'.repeat(200) } }
    await fresh().open(long)
    const { purchase_units, payment_source } = JSON.parse(server.seen('create')[0]?.body ?? '')
    expect(purchase_units[0].invoice_id).toBe(`${'9'.repeat(114)}-${payment.slice(-12)}`)
    expect(payment_source.paypal.experience_context.brand_name).toBe('🍷'.repeat(127))
  })

  test('fails for good if PayPal reports that it had no effect', async () => {
    server.answers({ create: [refusal('PERMISSION_DENIED', 403, 'NOT_AUTHORIZED')] })
    await expect(verbs.open()).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' })
  })

  test('fails if the invoice id is taken, and is not repeated', async () => {
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
    expect(await verbs.inspect()).toEqual({ ...paid, state, captureId: null, refunded: null })
  })

  test('an unknown order is missing', async () => {
    server.answers({ look: [refusal('INVALID_RESOURCE_ID', 404, 'RESOURCE_NOT_FOUND')] })
    expect(await verbs.inspect()).toMatchObject({ state: 'missing', amount: null })
  })

  test('the payer is the payer of the order, or the account that paid', async () => {
    server.answers({ look: [order('APPROVED', [], { payer: undefined })] })
    expect(await verbs.inspect()).toMatchObject({ payerId: 'QYR5Z8XDVJNXQ' })
    server.answers({ look: [order('APPROVED', [], { payment_source: undefined })] })
    expect(await verbs.inspect()).toMatchObject({ payerId: 'QYR5Z8XDVJNXQ' })
    server.answers({ look: [order('APPROVED', [], { payer: undefined, payment_source: undefined })] })
    expect(await verbs.inspect()).toMatchObject({ payerId: null })
  })

  test.each([
    ['a part', [refunded('10.00')], { state: 'captured', refunded: 1000 }],
    ['two parts', [refunded('10.00'), refunded('5.19')], { state: 'captured', refunded: 1519 }],
    ['a part, and more that is not there yet', [refunded('10.00'), refunded('15.19', 'PENDING')], { refunded: 1000 }],
    ['a part, and more that failed', [refunded('10.00'), refunded('15.19', 'FAILED')], { refunded: 1000 }],
    ['all of it in parts', [refunded('10.00'), refunded('15.19')], { state: 'refunded', refunded: 2519 }],
    ['a part of which it does not say how much', [], { state: 'captured', refunded: null }],
    ['a refund without amount', [{ id: 'R1', status: 'COMPLETED' }], { state: 'captured', refunded: null }],
  ])('the captured amount stays the amount after a refund: %s', async (_, refunds, view) => {
    server.answers({ look: [order('COMPLETED', [captured('PARTIALLY_REFUNDED')], {}, refunds)] })
    expect(await verbs.inspect()).toMatchObject({ ...view, amount: 2519, captureId })
  })

  test('refunds of an earlier capture do not belong to the later one', async () => {
    const captures = [captured('REFUNDED', { id: 'FIRST' }), captured()]
    server.answers({ look: [order('COMPLETED', captures, {}, [refunded('25.19')])] })
    expect(await verbs.inspect()).toEqual(paid)
  })

  test('a refund with an invalid amount is a failure', async () => {
    server.answers({ look: [order('COMPLETED', [captured()], {}, [refunded('25,19')])] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
  })

  test('a refusal other than 404 is a failure, whatever its word', async () => {
    server.answers({ look: [refusal('INVALID_RESOURCE_ID', 422, 'RESOURCE_NOT_FOUND')] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
  })

  test('a 404 of another resource is a failure', async () => {
    server.answers({ look: [{ status: 404, raw: 'no such page' }] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
  })

  test('an id with path characters is not requested', async () => {
    server.answers({})
    for (const id of ['..', '.', 'a/b', 'a?b', '', '%2e%2e', 'x'.repeat(65)]) {
      expect(await wordOf(fresh().inspect(id))).toBe('payment_provider_error')
    }
    expect(server.seen()).toEqual([])
  })
})

describe('refunding', () => {
  test('refunds that amount of the capture, with the given request id', async () => {
    server.answers({})
    expect(await verbs.refund()).toEqual({ state: 'refunded', refundId: '1JU08902781691411' })
    const [{ path, headers, body } = {}] = server.seen('refund')
    expect(path).toBe(`/v2/payments/captures/${captureId}/refund`)
    expect(headers).toMatchObject({ 'paypal-request-id': `${payment}:refund` })
    expect(JSON.parse(body ?? '')).toEqual({
      amount: { currency_code: 'EUR', value: '25.19' },
      custom_id: payment,
    })
  })

  test('uses the currency of the capture', async () => {
    const amount = { currency_code: 'USD', value: '25.19' }
    server.answers({ refund: [{ status: 201, body: { id: '1JU08902781691411', status: 'COMPLETED', amount } }] })
    expect(await fresh().refund(captureId, 2519, 'refund', payment, 'USD')).toMatchObject({ state: 'refunded' })
    expect(JSON.parse(server.seen('refund')[0]?.body ?? '').amount).toEqual(amount)
  })

  test('reports a pending refund, and an earlier one', async () => {
    server.answers({ refund: [refund('PENDING')] })
    expect(await verbs.refund()).toEqual({ state: 'pending', refundId: '1JU08902781691411' })
    server.answers({ refund: [refusal('CAPTURE_FULLY_REFUNDED')] })
    expect(await verbs.refund()).toEqual({ state: 'refunded', refundId: null })
  })

  test.each([
    ['that failed', refund('FAILED'), '1JU08902781691411'],
    ['that was cancelled', refund('CANCELLED'), '1JU08902781691411'],
    ['without money to give', refusal('REFUND_FAILED_INSUFFICIENT_FUNDS'), null],
    ['of money that a bank took back', refusal('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'), null],
    ['that comes too late', refusal('REFUND_TIME_LIMIT_EXCEEDED'), null],
    ['that PayPal does not allow', refusal('REFUND_NOT_ALLOWED'), null],
    ['after too many of them', refusal('MAX_NUMBER_OF_REFUNDS_EXCEEDED'), null],
  ])('reports a refund %s as failed', async (_, answer, refundId) => {
    server.answers({ refund: [answer] })
    expect(await verbs.refund()).toEqual({ state: 'failed', refundId })
    expect(server.seen('refund')).toHaveLength(1)
  })

  test.each([
    ['COMPLETED', 'refunded'],
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'failed'],
    ['SOMETHING_NEW', 'pending'],
  ])('reports a later refund that is %s as %s', async (status, state) => {
    server.answers({ lookRefund: [{ ...refund(status), status: 200 }] })
    expect(await verbs.inspectRefund()).toEqual({ state, refundId: '1JU08902781691411' })
    expect(server.seen('lookRefund')[0]?.path).toBe('/v2/payments/refunds/1JU08902781691411')
  })

  test('fails on a refund that PayPal does not know, or another refund', async () => {
    server.answers({ lookRefund: [refusal('INVALID_RESOURCE_ID', 404, 'RESOURCE_NOT_FOUND')] })
    await expect(verbs.inspectRefund()).rejects.toMatchObject({
      word: 'payment_provider_error',
      reason: 'INVALID_RESOURCE_ID',
    })
    server.answers({ lookRefund: [{ status: 200, body: { id: 'ANOTHER', status: 'COMPLETED' } }] })
    expect(await wordOf(verbs.inspectRefund())).toBe('payment_provider_error')
  })

  test.each([
    ['of another amount', refund('COMPLETED', '25.18')],
    [
      'of another currency',
      { status: 201, body: { ...(refund().body as object), amount: { currency_code: 'USD', value: '25.19' } } },
    ],
    ['refused', refusal('REFUND_AMOUNT_EXCEEDED')],
    ['of money that is not there yet', refusal('PENDING_CAPTURE')],
  ])('fails on a refund that is %s', async (_, answer) => {
    server.answers({ refund: [answer] })
    expect(await wordOf(verbs.refund())).toBe('payment_provider_error')
  })
})

test('an account at PayPal is identified by its client id', () => {
  expect(fresh().account).toBe('client-7')
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
])('only PayPal’s hosts are accepted for the API: %j', (url, isRight) => {
  expect(isApiUrl(url, false)).toBe(isRight)
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(isApiUrl(`http://${host}:8080`, false)).toBe(false)
    expect(isApiUrl(`http://${host}:8080`, true)).toBe(true)
  }
})
