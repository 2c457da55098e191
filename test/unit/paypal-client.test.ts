import { Problem } from '../../shared/contract/errors.ts'
import type { Limits, PayPalCall } from '../../shared/payments/paypal/client.ts'
import { paypalClient, refusal, waitIn } from '../../shared/payments/paypal/client.ts'
import { isProviderFailure, ProviderRefusal } from '../../shared/payments/provider-failure.ts'
import { useFakeClock } from '../support/fake-clock.ts'

const credentials = { clientId: 'client-7', clientSecret: 'secret-7', baseUrl: 'https://api-m.sandbox.paypal.com' }
const limits: Limits = { call: 100, verb: 1000, pause: 2 }
const look: PayPalCall = { method: 'GET', path: '/v2/checkout/orders/5O' }
const now = Date.UTC(2026, 0, 1)

type Sent = { url: string; init: RequestInit }
type Answering = (n: number) => Response | Promise<Response>

const tokenAnswer = (expires = 3600) => Response.json({ access_token: 'token-7', expires_in: expires })
const gone = () => Promise.reject(new TypeError('fetch failed'))
const silent = () => Promise.reject(new DOMException('too late', 'TimeoutError'))

const kept = { fetch: globalThis.fetch, timeout: AbortSignal.timeout, now: 0 }
const clock = useFakeClock(now)
beforeEach(() => {
  clock.now = now
})
afterAll(() => {
  globalThis.fetch = kept.fetch
  AbortSignal.timeout = kept.timeout
})

/** A client whose calls a function answers instead of PayPal; the requests without tokens, and the time each call had. */
const clientOf = (answer: Answering, changes: Partial<Limits> = {}, token: Answering = () => tokenAnswer()) => {
  const sent: Sent[] = []
  const tokens: Sent[] = []
  const times: number[] = []
  AbortSignal.timeout = milliseconds => {
    times.push(milliseconds)
    return new AbortController().signal
  }
  globalThis.fetch = async (url, init = {}) => {
    const group = String(url).endsWith('/v1/oauth2/token') ? tokens : sent
    group.push({ url: String(url), init })
    return group === tokens ? token(tokens.length) : answer(sent.length)
  }
  return { sent, tokens, times, begin: paypalClient(credentials, { ...limits, ...changes }).begin }
}

const thrown = (promise: Promise<unknown>): Promise<unknown> => promise.then(value => ({ value })).catch(error => error)

/** The caller's error. */
const problemOf = async (promise: Promise<unknown>): Promise<Pick<Problem, 'word' | 'headers'>> => {
  const { word, headers } = (await thrown(promise)) as Problem
  return { word, headers }
}

describe('a request to PayPal', () => {
  test('for a token contains the credentials and the grant, as a form', async () => {
    const { begin, tokens } = clientOf(() => Response.json({}))
    await begin()(look)
    expect(tokens).toMatchObject([
      {
        url: 'https://api-m.sandbox.paypal.com/v1/oauth2/token',
        init: {
          method: 'POST',
          body: 'grant_type=client_credentials',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      },
    ])
  })

  test('that reads has the token only; one that writes has an id and asks for the full representation', async () => {
    const { begin, sent } = clientOf(() => Response.json({}))
    const ask = begin()
    await ask(look)
    await ask({ method: 'POST', path: '/v2/x', requestId: 'once', body: { a: 1 } })
    const usual = { authorization: 'Bearer token-7', accept: 'application/json' }
    expect(sent[0]?.init).toEqual({ method: 'GET', headers: usual, redirect: 'manual', signal: expect.anything() })
    expect(sent[1]?.init).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: {
        ...usual,
        'content-type': 'application/json',
        prefer: 'return=representation',
        'paypal-request-id': 'once',
      },
    })
  })

  test('is not sent without a valid token', async () => {
    for (const token of [() => new Response('{}', { status: 401 }), () => Response.json({ access_token: 'x' })]) {
      const { begin, sent } = clientOf(() => Response.json({}), {}, token)
      expect(await thrown(begin()(look))).toMatchObject({ word: 'payment_provider_error' })
      expect(sent).toEqual([])
    }
    for (const access_token of [' x', 'x ', 'x\n', 'ü', '', 'x'.repeat(4097)]) {
      const { begin } = clientOf(
        () => Response.json({}),
        {},
        () => Response.json({ access_token, expires_in: 60 }),
      )
      expect(await thrown(begin()(look))).toMatchObject({ word: 'payment_provider_error' })
    }
    const created = () => new Response('{"access_token":"token-7","expires_in":60}', { status: 201 })
    const { begin } = clientOf(() => Response.json({}), {}, created)
    expect(await thrown(begin()(look))).toMatchObject({ word: 'payment_provider_error' })
  })

  test.each([
    [1, 1],
    [0, 2],
  ])('uses a token that ends %d ms after the margin with %d token requests', async (more, count) => {
    const { begin, tokens } = clientOf(
      () => Response.json({}),
      {},
      () => tokenAnswer(60 + more / 1000),
    )
    const ask = begin()
    await ask(look)
    await ask(look)
    expect(tokens).toHaveLength(count)
  })
})

describe('an answer of PayPal', () => {
  test('is at most 64 KB; a larger one is invalid, and not requested again', async () => {
    for (const [size, expected] of [
      [64 * 1024, { status: 200, json: 'a'.repeat(64 * 1024 - 2) }],
      [64 * 1024 + 1, { status: 502, json: undefined }],
    ] as const) {
      const { begin, sent } = clientOf(() => new Response(`"${'a'.repeat(size - 2)}"`))
      expect(await begin()(look)).toEqual(expected)
      expect(sent).toHaveLength(1)
    }
  })

  test('without a body is its status', async () => {
    const { begin, sent } = clientOf(() => new Response(null, { status: 204 }))
    expect(await begin()(look)).toEqual({ status: 204, json: undefined })
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['not at all', gone, 'payment_provider_error'],
    ['not in time', silent, 'payment_provider_timeout'],
  ])('that comes %s is requested three times', async (_, answer, word) => {
    const { begin, sent } = clientOf(answer)
    expect(await problemOf(begin()(look))).toEqual({ word, headers: {} })
    expect(sent).toHaveLength(3)
  })

  test.each([
    ['busy', 500, 'payment_provider_error'],
    ['still at work on an equal request', 409, 'payment_provider_timeout'],
  ])('that is %s is requested three times', async (_, status, word) => {
    const { begin, sent } = clientOf(() => new Response('', { status }))
    expect(await thrown(begin()(look))).toMatchObject({ word })
    expect(sent).toHaveLength(3)
  })
})

describe('the time limit of an operation', () => {
  test.each([
    ['a tenth of a call', 10, 1],
    ['less than that', 9, 0],
  ])('with %s left allows so many calls', async (_, verb, count) => {
    const { begin, tokens } = clientOf(() => Response.json({}), { verb })
    const answer = await problemOf(begin()(look))
    expect(tokens).toHaveLength(count)
    if (count === 0) expect(answer).toEqual({ word: 'payment_provider_timeout', headers: {} })
  })

  test('limits each call to its own time, or to the rest', async () => {
    for (const [verb, time] of [
      [1000, 100],
      [60, 60],
    ]) {
      const { begin, times } = clientOf(() => Response.json({}), { verb })
      await begin()(look)
      expect(times).toEqual([time, time])
    }
  })

  // A call needs 1 ms of its 10 to be worth the wait of 75 ms before it.
  test.each([
    [226, 3, 150],
    [151, 3, 150],
    [150, 2, 75],
    [76, 2, 75],
    [75, 1, 0],
  ])('of %d ms is enough for %d tries, with %d ms between them', async (verb, count, waited) => {
    const { begin, tokens } = clientOf(gone, { call: 10, verb, pause: 100 }, gone)
    expect(await thrown(begin()(look))).toMatchObject({ word: 'payment_provider_error' })
    expect(tokens).toHaveLength(count)
    expect(clock.now - now).toBe(waited)
  })
})

describe('Retry-After of PayPal', () => {
  test.each([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 0],
    ['7', 7000],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['999999999', 86_400_000],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    // The older forms of a date in HTTP end in a number.
    ['Sun, 01 Jan 2023 00:00:00 +0000', 0],
    ['2026-01-01T00:00:05Z', 5000],
  ])('%j is %j ms', (header, wait) => expect(waitIn(header, now)).toBe(wait))
})

test('a failure of the provider is distinguished from other refusals', () => {
  for (const word of ['payment_provider_error', 'payment_provider_timeout'] as const)
    expect(isProviderFailure(new Problem(word))).toBe(true)
  for (const other of [new Problem('payment_declined'), new Problem('order_not_found'), new Error('payment_provider')])
    expect(isProviderFailure(other)).toBe(false)
})

describe('a refusal of PayPal', () => {
  const body = { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'INSTRUMENT_DECLINED' }], debug_id: 'd' }

  test.each([
    [399, body, false],
    [400, body, true],
    [422, body, true],
    [422, { message: 'no name' }, false],
    [422, undefined, false],
  ])('with status %d and %j had no effect: %j', (status, json, isDefinite) => {
    const problem = refusal('capture', { status, json })
    expect(problem instanceof ProviderRefusal).toBe(isDefinite)
    if (!isDefinite) expect(problem.word).toBe('payment_provider_error')
  })
})
