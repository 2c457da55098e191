import type { Answer } from '../support/paypal/answers.ts'
import { captured, captureId, expired, order, orderId, refusal, token } from '../support/paypal/scripted.ts'
import { fresh, paid, request, server, verbs, wordOf } from '../support/paypal-harness.ts'

describe('the access token', () => {
  test('is requested with the credentials, once for many calls', async () => {
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

  test('is renewed once if it is refused', async () => {
    server.answers({ token: [token('old'), token('new')], look: [expired, order('APPROVED')] })
    const provider = fresh()
    expect(await provider.inspect(orderId)).toMatchObject({ state: 'approved' })
    await provider.inspect(orderId)
    expect(server.seen().map(({ verb }) => verb)).toEqual(['token', 'look', 'token', 'look', 'look'])
    server.answers({ look: [expired] })
    expect(await wordOf(verbs.inspect())).toBe('payment_provider_error')
    expect(server.seen('look')).toHaveLength(2)
  })

  test('is requested again after a failure', async () => {
    server.answers({ token: [{ status: 401, body: {} }, token()] })
    const provider = fresh()
    expect(await wordOf(provider.inspect(orderId))).toBe('payment_provider_error')
    expect(await provider.inspect(orderId)).toMatchObject({ state: 'approved' })
  })
})

describe('a temporary failure', () => {
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
  ])('after %s the same request is repeated', async (_, answers) => {
    server.answers({ capture: answers })
    expect(await verbs.capture()).toEqual(paid)
    const sent = server.seen('capture')
    expect(sent).toHaveLength(answers.length)
    expect(new Set(sent.map(({ headers }) => headers['paypal-request-id'])).size).toBe(1)
  })

  test('after silence the same request is repeated while there is time for a whole one', async () => {
    server.answers({ capture: [slow, done] })
    expect(await fresh({ call: 1000 }).capture(orderId, 'capture')).toEqual(paid)
    expect(server.seen('capture').map(({ headers }) => headers['paypal-request-id'])).toEqual(['capture', 'capture'])
    server.answers({ capture: [slow] })
    expect(await wordOf(fresh({ call: 2000, verb: 4100 }).capture(orderId, 'capture'))).toBe('payment_provider_timeout')
    expect(server.seen('capture')).toHaveLength(2)
  })

  const throttledFor = (wait: string): Answer => ({ ...throttled, headers: { 'retry-after': wait } })
  const thrown = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'no error').catch(error => error)

  test('with Retry-After is followed by a pause if there is time for it', async () => {
    server.answers({ capture: [throttledFor('1'), done] })
    const begun = Date.now()
    expect(await verbs.capture()).toEqual(paid)
    expect(Date.now() - begun).toBeGreaterThanOrEqual(990)
    expect(server.seen('capture')).toHaveLength(2)
  })

  test.each([
    ['seconds', '30', '30', throttled.status],
    ['a date', new Date(Date.now() + 3600_000).toUTCString(), expect.stringMatching(/^3[56]\d\d$/), throttled.status],
    ['more than a day', '999999999', '86400', throttled.status],
    ['seconds while it is being repaired', '120', '120', 503],
  ])('with a longer Retry-After, by %s, is not repeated; the caller gets the time', async (_, wait, retryAfter, status) => {
    server.answers({ capture: [{ ...throttledFor(wait), status }] })
    expect(await thrown(verbs.capture())).toMatchObject({
      word: 'payment_provider_error',
      headers: { 'retry-after': retryAfter },
    })
    expect(server.seen('capture')).toHaveLength(1)
  })

  test('with Retry-After on a token request reaches the caller, too; a malformed time is ignored', async () => {
    server.answers({ token: [throttledFor('60')] })
    expect(await thrown(verbs.inspect())).toMatchObject({ headers: { 'retry-after': '60' } })
    server.answers({ capture: [throttledFor('soon')] })
    expect(await thrown(verbs.capture())).toMatchObject({ word: 'payment_provider_error', headers: {} })
    expect(server.seen('capture')).toHaveLength(3)
  })

  test('is a failure of every operation if the provider is unreachable', async () => {
    const nowhere = fresh({}, 'http://127.0.0.1:1')
    expect(await wordOf(nowhere.open(request))).toBe('payment_provider_error')
    expect(await wordOf(nowhere.refund(captureId, 1, 'refund', 'p', 'EUR'))).toBe('payment_provider_error')
  })
})
