import fc from 'fast-check'
import { Problem } from '../../shared/contract/errors.ts'
import { formatMoney } from '../../shared/money.ts'
import { isApiUrl } from '../../shared/payments/paypal-hosts.ts'
import type { OpenRequest, PaymentView } from '../../shared/payments/provider.ts'
import {
  type Answer,
  captured,
  captureId,
  created,
  expired,
  order,
  orderId,
  payment,
  refund,
  refusal,
  startPayPal,
  token,
} from './paypal-server.ts'

// The logger reads its level when it is made.
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const { paypal } = await import('../../shared/payments/paypal.ts')
const { log } = await import('../../shared/http/log.ts')

const server = await startPayPal()
afterAll(() => server.close())

const credentials = { clientId: 'client-7', clientSecret: 'secret-7', baseUrl: server.url }
const limits = { call: 5000, verb: 10_500, pause: 10 }

/** A provider that has no token yet. */
const fresh = (changes: Partial<typeof limits> = {}) => paypal(credentials, { ...limits, ...changes })

const request: OpenRequest = {
  payment,
  order: { uuid: 'd9f80740-38f0-11e8-b467-0ed5f89f718b', number: '1' },
  merchantName: 'Weingut Elbufer',
  amount: 2519,
  currency: 'EUR',
  returnUrl: `https://shop.example/danke?pid=${payment}`,
  cancelUrl: 'https://shop.example/korb',
  requestId: `${payment}:create`,
}

const verbs = {
  open: () => fresh().open(request),
  inspect: () => fresh().inspect(orderId),
  capture: () => fresh().capture(orderId, `${payment}:capture`),
  refund: () => fresh().refund(captureId, 2519, `${payment}:refund`),
}

/** The error word a promise is refused with; its value when it is not. */
const wordOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch(error => (error instanceof Problem ? error.word : Promise.reject(error)))

const paid: PaymentView = {
  state: 'captured',
  amount: 2519,
  currency: 'EUR',
  customId: payment,
  payerId: 'QYR5Z8XDVJNXQ',
  captureId,
}

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

describe('taking the money', () => {
  const capture = (...answers: Answer[]) => {
    server.answers({ capture: answers })
    return verbs.capture()
  }
  const asCaptured = (status: string, changes?: object) => ({
    ...order('COMPLETED', [captured(status, changes)]),
    status: 201,
  })

  test('asks with the given request id for the whole order', async () => {
    expect(await capture(asCaptured('COMPLETED'))).toEqual(paid)
    const [{ path, headers, body } = {}] = server.seen('capture')
    expect(path).toBe(`/v2/checkout/orders/${orderId}/capture`)
    expect(headers).toMatchObject({ 'paypal-request-id': `${payment}:capture`, prefer: 'return=representation' })
    expect(body).toBe('{}')
  })

  test.each([
    ['COMPLETED', 'captured'],
    ['PENDING', 'pending'],
    ['DECLINED', 'declined'],
    ['FAILED', 'declined'],
    ['REFUNDED', 'cancelled'],
    ['PARTIALLY_REFUNDED', 'pending'],
    ['SOMETHING_NEW', 'pending'],
  ])('a capture that is %s counts as %s, whatever the order says', async (status, state) => {
    expect(await capture(asCaptured(status))).toEqual({ ...paid, state })
  })

  test('a capture that is not the final one is not paid', async () => {
    expect(await capture(asCaptured('COMPLETED', { final_capture: false }))).toMatchObject({ state: 'pending' })
    expect(await capture(asCaptured('COMPLETED', { final_capture: undefined }))).toMatchObject({ state: 'pending' })
  })

  test('amount, currency and custom id are the capture’s, not the order’s', async () => {
    const changes = { amount: { currency_code: 'USD', value: '0.01' }, custom_id: 'another' }
    const view = { ...paid, amount: 1, currency: 'USD', customId: 'another' }
    expect(await capture(asCaptured('COMPLETED', changes))).toEqual(view)
  })

  test('a completed capture counts more than a declined one before it', async () => {
    const captures = [captured('DECLINED', { id: 'FIRST' }), captured('COMPLETED')]
    expect(await capture({ ...order('COMPLETED', captures), status: 201 })).toEqual(paid)
  })

  test.each([
    ['ORDER_NOT_APPROVED', 'open'],
    ['PAYER_ACTION_REQUIRED', 'open'],
    ['INSTRUMENT_DECLINED', 'declined'],
  ])('the refusal %s means %s', async (issue, state) => {
    expect(await capture(refusal(issue))).toMatchObject({ state, amount: null, captureId: null })
  })

  test('an order that was captured before is looked up', async () => {
    server.answers({
      capture: [refusal('ORDER_ALREADY_CAPTURED')],
      look: [order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: '25.18' } })])],
    })
    expect(await verbs.capture()).toEqual({ ...paid, amount: 2518 })
  })

  test('a completed order without its captures is looked up', async () => {
    server.answers({
      capture: [{ status: 201, body: { id: orderId, status: 'COMPLETED' } }],
      look: [order('COMPLETED', [captured('PENDING')])],
    })
    expect(await verbs.capture()).toEqual({ ...paid, state: 'pending' })
    server.answers({
      capture: [{ status: 201, body: { id: orderId, status: 'COMPLETED' } }],
      look: [order('COMPLETED')],
    })
    expect(await verbs.capture()).toMatchObject({ state: 'pending', captureId: null })
  })

  test('any other refusal is a failure', async () => {
    expect(await wordOf(capture(refusal('COMPLIANCE_VIOLATION')))).toBe('payment_provider_error')
    expect(await wordOf(capture(refusal('PERMISSION_DENIED', 403, 'NOT_AUTHORIZED')))).toBe('payment_provider_error')
    expect(await wordOf(capture({ status: 422, body: null }))).toBe('payment_provider_error')
    expect(await wordOf(capture({ status: 302, raw: '', headers: { location: 'http://169.254.169.254/' } }))).toBe(
      'payment_provider_error',
    )
  })

  test.each([
    ['another order', order('COMPLETED', [captured()], { id: 'ANOTHER' })],
    ['two purchase units', order('COMPLETED', [captured()], { purchase_units: [{}, {}] })],
    [
      'an amount that is none',
      order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: '25,19' } })]),
    ],
    [
      'an amount as a number',
      order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: 25.19 } })]),
    ],
    ['no amount', order('COMPLETED', [captured('COMPLETED', { amount: undefined })])],
    ['no JSON', { status: 200, raw: '<html>busy</html>' }],
    ['no body', { status: 200, raw: '' }],
    [
      'more than 64 KB',
      { status: 200, raw: JSON.stringify({ ...(order('X').body as object), more: 'x'.repeat(70_000) }) },
    ],
  ])('an answer with %s is a failure', async (_, answer) => {
    server.answers({ capture: [answer] })
    expect(await wordOf(verbs.capture())).toBe('payment_provider_error')
    expect(server.seen('capture')).toHaveLength(1)
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

describe('the access token', () => {
  test('is asked for by the credentials, once for many calls', async () => {
    server.answers({})
    const provider = fresh()
    await Promise.all([provider.inspect(orderId), provider.inspect(orderId), provider.inspect(orderId)])
    await provider.capture(orderId, 'capture')
    const [sent, ...others] = server.seen('token')
    expect(others).toEqual([])
    expect(sent?.body).toBe('grant_type=client_credentials')
    expect(sent?.headers.authorization).toBe(`Basic ${Buffer.from('client-7:secret-7').toString('base64')}`)
  })

  test('is renewed before it expires', async () => {
    server.answers({ token: [token('short', 59), token('next')] })
    const provider = fresh()
    await provider.inspect(orderId)
    await provider.inspect(orderId)
    expect(server.seen('look').map(({ headers }) => headers.authorization)).toEqual(['Bearer short', 'Bearer next'])
  })

  test('is renewed once when it is refused', async () => {
    server.answers({ token: [token('old'), token('new')], look: [expired, order('APPROVED')] })
    const provider = fresh()
    expect(await provider.inspect(orderId)).toMatchObject({ state: 'approved' })
    await provider.inspect(orderId)
    expect(server.seen().map(({ verb }) => verb)).toEqual(['token', 'look', 'token', 'look', 'look'])
    server.answers({ look: [expired] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
    expect(server.seen('look')).toHaveLength(2)
  })

  test.each([
    ['refused', { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }],
    ['no JSON', { status: 200, raw: 'busy' }],
    ['one that would break a header', token('a\r\nx: y')],
    ['one without an end', { status: 200, body: { access_token: 'abc' } }],
  ])('fails the call when it is %s', async (_, answer) => {
    server.answers({ token: [answer] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
    expect(server.seen('look')).toEqual([])
  })

  test('is asked for again after it could not be had', async () => {
    server.answers({ token: [{ status: 401, body: {} }, token()] })
    const provider = fresh()
    expect(await wordOf(provider.inspect(orderId))).toBe('payment_provider_error')
    expect(await provider.inspect(orderId)).toMatchObject({ state: 'approved' })
  })
})

describe('failures on the way', () => {
  const busy: Answer = { status: 500, body: { name: 'INTERNAL_SERVER_ERROR' } }
  const throttled: Answer = { status: 429, body: { name: 'RATE_LIMIT_REACHED' } }
  const cut: Answer = { status: 0, cut: true }
  const slow: Answer = { status: 201, body: {}, wait: 20_000 }
  const done = { ...order('COMPLETED', [captured()]), status: 201 }

  test.each([
    ['a failure', [busy, done]],
    ['throttling', [throttled, throttled, done]],
    ['a cut connection', [cut, busy, done]],
    ['a request still at work', [refusal('PREVIOUS_REQUEST_IN_PROGRESS', 409, 'RESOURCE_CONFLICT'), done]],
  ])('after %s the same request is sent again', async (_, answers) => {
    server.answers({ capture: answers })
    expect(await verbs.capture()).toEqual(paid)
    const sent = server.seen('capture')
    expect(sent).toHaveLength(answers.length)
    expect(new Set(sent.map(({ headers }) => headers['paypal-request-id'])).size).toBe(1)
  })

  test('after silence the same request is sent again, as long as there is time for the whole', async () => {
    server.answers({ capture: [slow, done] })
    expect(await fresh({ call: 1000 }).capture(orderId, 'capture')).toEqual(paid)
    expect(server.seen('capture').map(({ headers }) => headers['paypal-request-id'])).toEqual(['capture', 'capture'])
    server.answers({ capture: [slow] })
    expect(await wordOf(fresh({ call: 1000, verb: 2050 }).capture(orderId, 'capture'))).toBe('payment_provider_timeout')
    expect(server.seen('capture')).toHaveLength(2)
  })

  test.each([
    ['failing', [busy], 'payment_provider_error', 3],
    ['throttling', [throttled], 'payment_provider_error', 3],
    ['cutting the connection', [cut], 'payment_provider_error', 3],
    ['working on the first request', [{ status: 409, body: {} }], 'payment_provider_timeout', 3],
  ])('a provider that goes on %s is given up', async (_, answers, word, count) => {
    server.answers({ capture: answers })
    expect(await wordOf(verbs.capture())).toBe(word)
    expect(server.seen('capture')).toHaveLength(count)
  })

  test('a provider that cannot be reached is a failure of every verb', async () => {
    const nowhere = paypal({ ...credentials, baseUrl: 'http://127.0.0.1:1' }, limits)
    expect(await wordOf(nowhere.open(request))).toBe('payment_provider_error')
    expect(await wordOf(nowhere.refund(captureId, 1, 'refund'))).toBe('payment_provider_error')
  })
})

describe('whatever the provider answers', () => {
  const json = fc.jsonValue({ maxDepth: 2 })
  const odd = fc.oneof(
    json,
    fc.constantFrom('COMPLETED', 'PENDING', 'DECLINED', 'APPROVED', '0.01', '1e3', '-25.19', '٢٥.١٩', 'USD', true, -0),
  )

  type Path = (string | number)[]
  const pathsIn = (value: unknown): Path[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]) => [[name], ...pathsIn(inner).map(path => [name, ...path])])

  const changed = (value: unknown, [name, ...rest]: Path, put: unknown, gone: boolean): unknown => {
    if (name === undefined) return put
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
    if (rest.length === 0 && gone) delete copy[name]
    else copy[name] = changed(copy[name], rest, put, gone)
    return copy
  }

  const documented = [
    order('COMPLETED', [captured()]),
    order('COMPLETED', [captured('PENDING')]),
    order('COMPLETED', [captured('DECLINED', { id: 'FIRST' }), captured()]),
    order('APPROVED'),
    created(),
    refund(),
    refusal('INSTRUMENT_DECLINED'),
    refusal('ORDER_ALREADY_CAPTURED'),
  ]

  const read = new Set<unknown>(['status', 'amount', 'value', 'currency_code', 'final_capture', 'id'])

  const mutation = fc.constantFrom(...documented).chain(({ body }) => {
    const paths = pathsIn(body)
    const telling = paths.filter(path => path.includes('captures') && read.has(path.at(-1)))
    // Most of an answer is never read, and changing it shows little.
    const path = fc.oneof(fc.constantFrom(...paths), fc.constantFrom(...(telling.length > 0 ? telling : paths)))
    const change = fc.record({ path, put: odd, gone: fc.boolean() })
    return fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map(changes => changes.reduce((whole, { path, put, gone }) => changed(whole, path, put, gone), body))
  })

  const answered = fc.record({
    status: fc.constantFrom(200, 201, 204, 400, 404, 422),
    raw: fc.oneof(
      { weight: 4, arbitrary: mutation.map(body => JSON.stringify(body)) },
      { weight: 1, arbitrary: json.map(body => JSON.stringify(body)) },
      { weight: 1, arbitrary: fc.string() },
    ),
  })

  /** The completed, final captures that an order's text tells of: id, amount and currency. */
  const capturesIn = (raw: string): unknown[] => {
    const { purchase_units } = JSON.parse(raw)
    return purchase_units[0].payments.captures
      .filter(
        (one: { status: string; final_capture: unknown }) => one.status === 'COMPLETED' && one.final_capture === true,
      )
      .map(({ id, amount }: { id: string; amount: { value: string; currency_code: string } }) => [
        id,
        amount.value,
        amount.currency_code,
      ])
  }

  test('nothing counts as paid but what a completed capture says, and nothing is thrown but a Problem', async () => {
    const provider = fresh()
    await fc.assert(
      fc.asyncProperty(answered, async answer => {
        server.answers({ create: [answer], look: [answer], capture: [answer], refund: [answer] })
        for (const asked of [provider.inspect(orderId), provider.capture(orderId, 'capture')]) {
          const view = (await wordOf(asked)) as PaymentView | string
          if (typeof view === 'string' || view.state !== 'captured') continue
          expect(capturesIn(answer.raw)).toContainEqual([view.captureId, formatMoney(view.amount ?? 0), view.currency])
        }
        await wordOf(provider.open(request))
        const refunded = (await wordOf(provider.refund(captureId, 2519, 'refund'))) as { state?: string }
        if (refunded.state === 'pending') expect(answer.raw).toContain('PENDING')
      }),
      { numRuns: 150 },
    )
  }, 30_000)

  test('neither secret nor token gets into the log or an error', async () => {
    const lines: unknown[] = []
    const spies = (['warn', 'error'] as const).map(level => {
      const original = log[level]
      log[level] = (...line: unknown[]) => void lines.push(line)
      return () => {
        log[level] = original
      }
    })
    const echo = { name: 'A21AAFs9YK-token', details: [{ issue: 'secret-7' }], debug_id: 'secret-7 A21AAFs9YK-token' }
    const errors: unknown[] = []
    for (const answer of [
      { status: 422, body: echo },
      { status: 500, body: echo },
      { status: 200, body: echo },
      expired,
    ]) {
      server.answers({ create: [answer], look: [answer], capture: [answer], refund: [answer] })
      for (const verb of Object.values(verbs)) await verb().catch(error => errors.push(error))
    }
    server.answers({ token: [{ status: 401, body: echo }] })
    await verbs.inspect().catch(error => errors.push(error))
    for (const restore of spies) restore()
    expect(lines).not.toEqual([])
    const all = JSON.stringify([lines, errors.map(error => [error, (error as Error).message, (error as Error).stack])])
    expect(all).not.toMatch(/secret-7|A21AAFs9YK|Bearer|Basic/)
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
