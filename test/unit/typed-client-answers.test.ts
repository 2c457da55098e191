import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type BadField, ConnectionError, createClient, isError, WeinkontorError } from '../../lib/client/index.ts'
import { fakeService, mockTime, type Reply } from '../support/fake-service.ts'

const { passing } = mockTime()

const failing = async (reply: Reply, path: '/wines/search' = '/wines/search') =>
  (await passing(fakeService(() => reply, { retries: 0 }).client.call(path))).error

describe('a refusal', () => {
  const fields: BadField[] = [{ path: 'data.items.0.quantity', rule: 'min_value', expected: '1' }]

  test('contains all fields of the answer', async () => {
    const body = {
      info: 'error',
      code: 422,
      error: 'order_paid',
      details: 'The order is paid.',
      fields,
      request_id: 'r-7',
    }
    const error = await failing({ status: 422, body, headers: { 'retry-after': '12' } })
    expect(error).toBeInstanceOf(WeinkontorError)
    expect(error).toMatchObject({
      ...{ name: 'WeinkontorError', path: '/wines/search', status: 422, word: 'order_paid', fields },
      ...{ details: 'The order is paid.', requestId: 'r-7', retryAfter: 12 },
      message: '/wines/search: The order is paid. (order_paid)',
    })
  })

  test('has no bad fields and no time to wait where the answer names none', async () => {
    const error = await failing({ status: 409, body: { error: 'order_paid', details: 'x' } })
    expect(error).toMatchObject({ fields: [], retryAfter: undefined, requestId: undefined })
  })

  test('of a gateway has no word, details or fields of wrong types', async () => {
    for (const odd of [{ a: 1 }, 7, true, ['x'], null]) {
      const body = { error: odd, details: odd, message: odd, request_id: odd, fields: Array.isArray(odd) ? null : odd }
      expect(await failing({ status: 422, body, headers: { 'x-request-id': 'g-1' } })).toMatchObject({
        ...{ word: undefined, fields: [], requestId: 'g-1' },
        details: 'The answer has the status 422 and is none of the service.',
      })
    }
  })

  test.each<[string, Reply, string]>([
    [
      'of the gateway',
      { status: 404, body: { message: 'Not Found' }, headers: { 'apigw-requestid': 'g-1' } },
      'Not Found',
    ],
    [
      'that is a page',
      { status: 413, text: '<html>', headers: { 'x-request-id': 'g-1' } },
      'The answer has the status 413 and is none of the service.',
    ],
    [
      'that is empty',
      { status: 403, text: '', headers: { 'x-request-id': 'g-1' } },
      'The answer has the status 403 and is none of the service.',
    ],
  ])('%s has no word', async (_, reply, details) => {
    const error = await failing(reply)
    expect(error).toBeInstanceOf(WeinkontorError)
    expect(error).toMatchObject({ word: undefined, details, requestId: 'g-1', fields: [] })
  })

  test.each([
    '',
    'no JSON',
    '"text"',
    'null',
    '12',
    '[]',
    '[{"info":"success"}]',
  ])('is what an answer of 200 with the body %j counts as', async text => {
    expect(await failing({ text })).toMatchObject({ name: 'WeinkontorError', status: 200, word: undefined })
  })
})

describe('isError', () => {
  const paid = { status: 409, body: { error: 'order_paid', details: 'x' } }

  test('knows a refusal by its word', async () => {
    const error = await failing(paid)
    expect([isError(error, 'order_paid'), isError(error, 'order_cancelled', 'order_paid')]).toEqual([true, true])
    expect([isError(error), isError(error, 'order_cancelled')]).toEqual([true, false])
  })

  test('takes nothing else for a refusal', async () => {
    const others = [await failing('lost'), new Error('order_paid'), { word: 'order_paid' }, null, undefined]
    expect(others.map(error => isError(error))).toEqual([false, false, false, false, false])
    expect(isError(await failing({ status: 502, text: '' }), 'order_paid')).toBe(false)
  })
})

test('a lost answer is reported with host and cause', async () => {
  const error = await failing('lost')
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({
    path: '/wines/search',
    host: 'wine.example',
    code: undefined,
    message: '/wines/search: no answer from wine.example (socket hang up)',
  })
  expect((error as Error).cause).toMatchObject({ cause: { message: 'socket hang up' } })
})

describe('the URL of a call', () => {
  test.each(['https://wine.example', 'https://wine.example/'])('begins with %s', async url => {
    const { client, sent } = fakeService(undefined, { url })
    await passing(client.call('/wines/search'))
    expect(sent[0]?.url).toBe('https://wine.example/wines/search')
    expect(client.url('/Images/wine/1/a.png')).toBe('https://wine.example/Images/wine/1/a.png')
  })

  test('may have a path of its own', async () => {
    const { client, sent } = fakeService(undefined, { url: 'https://shop.example/api/' })
    await passing(client.call('/wines/search'))
    expect(sent[0]?.url).toBe('https://shop.example/api/wines/search')
    expect(client.url('/PDF/1/a.pdf')).toBe('https://shop.example/api/PDF/1/a.pdf')
  })

  test('of a GET has its fields in path and query', async () => {
    const { client, sent } = fakeService()
    await passing(client.call('/localization/{path+}', { path: 'de' }))
    // @ts-expect-error of a single table the type of the answer is not known
    await passing(client.call('/localization/{path+}', { path: 'de/tastes' }))
    // @ts-expect-error as above
    await passing(client.call('/localization/{path+}', { path: 'de/a?b#c&d e' }))
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', 'https://wine.example/localization/de', undefined],
      ['GET', 'https://wine.example/localization/de/tastes', undefined],
      ['GET', 'https://wine.example/localization/de/a%3Fb%23c%26d%20e', undefined],
    ])
  })

  test('of a GET needs what its path names', async () => {
    const { client, sent } = fakeService()
    // @ts-expect-error the path is missing
    const { error } = await passing(client.call('/localization/{path+}', {}))
    expect(error).toBeInstanceOf(TypeError)
    expect(sent).toEqual([])
  })

  test('of a GET never leads to another path', async () => {
    const { client, sent } = fakeService(undefined, { url: 'https://shop.example/api' })
    for (const path of ['..', '.', '../openapi.json', 'de/../../x', 'de/.']) {
      expect((await passing(client.call('/localization/{path+}', { path: path as 'de' }))).error).toBeInstanceOf(
        TypeError,
      )
    }
    expect(sent).toEqual([])
    for (const path of ['%2e%2e/x', 'a\\..\\b', '//evil.example/x', 'a?b#c', '...'])
      await passing(client.call('/localization/{path+}', { path: path as 'de' }))
    for (const { url } of sent) expect(url).toMatch(/^https:\/\/shop\.example\/api\/localization\/[^?#]+$/)
  })

  test('is one of a route', async () => {
    const { client, sent } = fakeService()
    for (const path of ['/service/none', '/toString', 'toString', '/PDF/{id}/{file}', '/payments/paypal/webhook']) {
      // @ts-expect-error there is no such route
      expect((await passing(client.call(path))).error).toMatchObject({ message: `there is no route ${path}` })
    }
    expect(sent).toEqual([])
  })
})

test('a link that is a whole URL stays as it is', () => {
  const { client } = fakeService()
  expect(client.url('https://cdn.example/a.png')).toBe('https://cdn.example/a.png')
  expect(client.url('Images/a.png')).toBe('https://wine.example/Images/a.png')
})

test('a connection that is refused is reported with host, port and ECONNREFUSED', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const { error } = await passing(createClient({ url: `http://127.0.0.1:${port}`, retries: 0 }).call('/wines/search'))
  const host = `127.0.0.1:${port}`
  expect(error).toMatchObject({
    ...{ host, code: 'ECONNREFUSED' },
    message: `/wines/search: no answer from ${host} (connect ECONNREFUSED ${host})`,
  })
})

test.each([
  'localhost:3981',
  'wine.example',
  'ftp://wine.example',
])('the URL %j is refused because of its scheme', url => {
  expect(() => createClient({ url })).toThrow(
    `url must begin with http:// or https://, as in http://localhost:3000; it is "${url}"`,
  )
})

test.each(['', '/api', 'http://'])('a client is not made for %j, which is no URL', url => {
  expect(() => createClient({ url })).toThrow(TypeError)
})

test('the fetch of the platform is looked up at each call, so that it may be replaced', async () => {
  const own = globalThis.fetch
  try {
    const client = createClient({ url: 'https://wine.example' })
    globalThis.fetch = async () => new Response('{"info":"success","data":[1]}')
    expect((await passing(client.call('/wines/search'))).value).toEqual({ info: 'success', data: [1] })
  } finally {
    globalThis.fetch = own
  }
})
