import fc from 'fast-check'
import {
  call,
  echo,
  good,
  json,
  openRoute,
  openToy,
  publicToy,
  refuseWith,
  type Sent,
  serve,
  serveMerchant,
  serviceRoute,
  throwing,
} from '../support/serve-harness.ts'

describe('the request id', () => {
  test.each(['a', 'A-z_0.9', '0f8fad5b-d9cb-469f-a165-70867728950e', 'a'.repeat(64)])('%s is used', async given => {
    const headers = { 'x-request-id': given }
    expect((await call(openToy, { ...good, headers })).headers).toMatchObject(headers)
    const failed = await call(openToy, { body: '{', headers })
    expect([failed.headers?.['x-request-id'], json(failed).request_id]).toEqual([given, given])
  })

  test.each([
    '',
    ' ',
    'a b',
    'a\n',
    'a\r\nset-cookie: x',
    'ü',
    'a/b',
    '<b>',
    'a'.repeat(65),
    undefined,
  ])('%j is replaced by a new id', async given => {
    const replies = await Promise.all(
      [1, 2].map(() => call(openToy, { body: '{', headers: { 'x-request-id': given } })),
    )
    const [one, other] = replies.map(reply => reply.headers?.['x-request-id'])
    expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(other).not.toBe(one)
    expect(replies.map(reply => json(reply).request_id)).toEqual([one, other])
  })
})

describe('the base of links', () => {
  const links = serve(openRoute, async ({ baseUrl }) => ({ id: 1, name: baseUrl }))
  const forged = { host: 'evil.example', 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'evil.example' }
  const nameIn = async () => json(await call(links, { ...good, headers: { ...good.headers, ...forged } })).data

  afterEach(() => {
    delete process.env.BASE_URL
  })

  test('is the domain name from the gateway, for any Host header', async () => {
    expect(await nameIn()).toEqual({ id: 1, name: 'https://api.example' })
  })

  test('is the configured one, if there is one', async () => {
    process.env.BASE_URL = 'https://wine.example'
    expect(await nameIn()).toEqual({ id: 1, name: 'https://wine.example' })
  })
})

describe('methods', () => {
  test.each([
    'GET',
    'HEAD',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'post',
    'TRACE',
  ])('%s is refused where only POST is answered', async method => {
    const reply = await call(openToy, { ...good, method })
    expect(reply).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } })
    expect(json(reply)).toMatchObject({ error: 'method_not_allowed', details: '/toy supports only POST.' })
  })

  test('Allow contains every supported method', async () => {
    const reply = await call(publicToy, { ...good, method: 'DELETE' })
    expect(reply).toMatchObject({
      statusCode: 405,
      headers: { allow: 'GET, POST', 'access-control-allow-origin': '*' },
    })
  })

  test('a wrong method is refused before the sign-in and before the body', async () => {
    expect(await call(serveMerchant(serviceRoute, echo), { method: 'GET' })).toMatchObject({ statusCode: 405 })
    expect(await call(openToy, { method: 'PUT', body: 'x'.repeat(300_000) })).toMatchObject({ statusCode: 405 })
  })

  test.each(['GET', 'HEAD'])('%s is answered like POST, from its query', async method => {
    const reply = await call(publicToy, { method, query: 'id=7&name=Riesling' })
    expect([reply.statusCode, json(reply)]).toEqual([200, { info: 'success', data: { id: 7, name: 'Riesling' } }])
  })

  test('a public route answers preflights without reading the request', async () => {
    const reply = await call(publicToy, { method: 'OPTIONS', body: '{', headers: { 'x-request-id': 'r1' } })
    expect(reply).toEqual({
      statusCode: 204,
      headers: {
        'x-request-id': 'r1',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'x-request-id',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'content-type, x-request-id',
        'access-control-max-age': '86400',
      },
    })
  })

  test('no other route sends CORS headers, in any answer', async () => {
    for (const toy of [openToy, serveMerchant(serviceRoute, echo), refuseWith(openRoute, 'route_not_found')]) {
      for (const method of ['POST', 'OPTIONS', 'GET']) {
        const reply = await call(toy, { ...good, method, headers: { origin: 'https://shop.example' } })
        expect(Object.keys(reply.headers ?? {}).filter(name => name.startsWith('access-control'))).toEqual([])
        expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      }
    }
  })
})

describe('the refusals before the handler', () => {
  let calls = 0
  const counting = async (given: { body: { id: number; name: string } }) => {
    calls++
    return echo(given)
  }
  const toy = serve(openRoute, counting)

  test.each<[string, Sent, number, string]>([
    ['a body that is too large', { body: 'x'.repeat(262_145) }, 413, 'payload_too_large'],
    ['another content type', { body: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['broken JSON', { body: '{' }, 400, 'invalid_json'],
    ['deep JSON', { body: '['.repeat(33) }, 400, 'json_too_deep'],
    ['JSON that is no object', { body: '[1]' }, 400, 'validation_failed'],
    ['bad fields', { body: '{"id":"12abc"}' }, 400, 'validation_failed'],
    ['no body', {}, 400, 'validation_failed'],
  ])('%s', async (_, sent, status, word) => {
    const reply = await call(toy, sent)
    expect(reply.statusCode).toBe(status)
    expect(json(reply)).toMatchObject({ info: 'error', code: status, error: word })
    expect(calls).toBe(0)
  })

  test('a missing or malformed credential, before the body is checked', async () => {
    const service = serveMerchant(serviceRoute, counting)
    for (const [authorization, word, scheme] of [
      [undefined, 'token_missing', 'Bearer'],
      ['Bearer CANARY', 'token_malformed', 'Bearer error="invalid_token"'],
      ['Bearer CANARY,Bearer CANARY', 'token_malformed', 'Bearer error="invalid_token"'],
      ['Basic CANARY', 'token_malformed', 'Bearer error="invalid_token"'],
    ] as const) {
      const reply = await call(service, { body: 'x'.repeat(262_145), headers: { authorization } })
      expect(reply).toMatchObject({ statusCode: 401, headers: { 'www-authenticate': scheme } })
      expect(json(reply).error).toBe(word)
      expect(reply.body).not.toContain('CANARY')
    }
    expect(calls).toBe(0)
  })
})

test('every request gets a well-formed answer', async () => {
  const method = fc.oneof(fc.constantFrom('POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'), fc.string())
  const value = fc.oneof(fc.constantFrom('application/json', 'text/plain', 'Bearer x'), fc.string({ unit: 'binary' }))
  const name = fc.constantFrom('content-type', 'x-request-id', 'authorization', 'content-length', '__proto__', 'origin')
  const sent = fc.record(
    {
      ...{
        method,
        headers: fc.dictionary(name, value),
        isBase64Encoded: fc.boolean(),
        query: fc.string({ unit: 'binary' }),
      },
      body: fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('{"id":1}', '[]', '{"id":1,"name":"\\ud800"}'),
      ),
    },
    { requiredKeys: [] },
  )
  const toys = fc.constantFrom<unknown>(
    publicToy,
    openToy,
    serveMerchant(serviceRoute, echo),
    throwing(new Error('SECRET')),
  )
  await fc.assert(
    fc.asyncProperty(toys, sent, async (toy, one) => {
      const reply = await call(toy, one)
      expect(reply.headers?.['x-request-id']).toMatch(/^[\w.-]{1,64}$/)
      expect(reply.headers?.['x-content-type-options']).toBe('nosniff')
      if (reply.statusCode === 204) return
      const answered = json(reply)
      if (reply.statusCode === 200)
        return expect(answered).toMatchObject({ info: 'success', data: { id: expect.any(Number) } })
      expect([400, 401, 405, 413, 415, 500]).toContain(reply.statusCode)
      expect(reply.body).not.toContain('SECRET')
      expect(answered).toMatchObject({
        info: 'error',
        code: reply.statusCode,
        error: expect.stringMatching(/^[a-z_]+$/),
        details: expect.any(String),
        request_id: reply.headers?.['x-request-id'],
      })
    }),
  )
})
