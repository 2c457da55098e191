import { Address } from '../../shared/contract/records/address.ts'
import type { Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { signedIn as anotherSignIn, newAccount } from '../support/client-account.ts'
import { clientHeader } from '../support/client-header.ts'
import { type Answer, call, newShop, type Options, twin } from '../support/harness.ts'
import { runsAllCases, sampleUnlessAll } from '../support/sampling.ts'

const shop = await newShop()
const client = await newAccount(shop)

const ofLevel = (...levels: Route['level'][]) => routes.filter(({ level }) => levels.includes(level))
const pathsOf = (some: readonly Route[]) => some.map(({ path }) => path)
/** Every fourth path, all in a long run: the routes share the code. */
const sample = (some: readonly Route[]) => sampleUnlessAll(pathsOf(some), 4)
const post = routes.filter(({ methods }) => methods.includes('POST'))
const urlOf = (path: string) => path.replace('{id}', '1').replace('{file}', 'a.pdf').replace('{path+}', 'de/tastes')
const routeAt = (path: string): Route => routes.find(route => route.path === path) as Route

/** The token of a session; one of its own for the route that ends it. */
const sessionFor = async (path: string): Promise<string> => {
  if (path !== '/service/logout') return shop.token
  return (await call('/service/login', { authid: shop.authid, token: shop.apiToken })).json.token
}

/** Calls a route in its own method, signed in where that is needed. */
const send = async (path: string, options: Options = {}): Promise<Answer> => {
  const { level, methods } = routeAt(path)
  const method = methods.includes('POST') ? 'POST' : 'GET'
  // A sign-out ends the token that it is sent with.
  const { token } = path === '/service/clients/logout' ? await anotherSignIn(shop, client) : client
  const headers = { ...clientHeader(path, token), ...options.headers }
  const signedIn = level === 'service' && { token: await sessionFor(path) }
  return call(urlOf(path), {}, { method, ...signedIn, ...options, headers })
}

test.each(pathsOf(routes))('%s is reached', async path => {
  expect((await send(path)).json?.error).not.toBe('route_not_found')
})

test.each(pathsOf(ofLevel('service')))('%s needs a credential', async path => {
  const { status, json, headers } = await call(path)
  expect([status, json.error, headers.get('www-authenticate')]).toEqual([401, 'token_missing', 'Bearer'])
})

test.each(pathsOf(ofLevel('public', 'open', 'webhook')))('%s needs no credential', async path => {
  expect((await send(path)).status).not.toBe(401)
})

describe('methods', () => {
  test.each(sample(routes))('%s refuses unknown methods, signed in or not', async path => {
    const { methods } = routeAt(path)
    const answered = new Set<string>([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (answered.has(method)) continue
      for (const token of [shop.token, undefined]) {
        const { status, json, headers } = await call(urlOf(path), {}, { method, ...(token && { token }) })
        expect([method, status, headers.get('allow')]).toEqual([method, 405, methods.join(', ')])
        if (method !== 'HEAD') expect(json.error).toBe('method_not_allowed')
      }
    }
  })
})

describe('browsers', () => {
  const origin = { origin: 'https://shop.example' }
  const asked = { ...origin, 'access-control-request-method': 'POST' }
  const corsOf = ({ headers }: Answer) => [...headers.keys()].filter(name => name.startsWith('access-control'))

  test.each(sample(ofLevel('public')))('%s answers preflights and any origin', async path => {
    const preflight = await send(path, { method: 'OPTIONS', headers: asked })
    expect([preflight.status, preflight.text]).toEqual([204, ''])
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toBe(routeAt(path).methods.join(', '))
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
    expect((await send(path, { headers: origin })).headers.get('access-control-allow-origin')).toBe('*')
    const refused = await send(path, { method: 'DELETE', headers: origin })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(sample(ofLevel('service', 'open', 'webhook')))('%s sends no CORS headers', async path => {
    const preflight = await send(path, { method: 'OPTIONS', headers: asked })
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([405, 'POST'])
    expect(corsOf(preflight)).toEqual([])
    expect(corsOf(await send(path, { headers: origin }))).toEqual([])
  })
})

/**
 * Pairs of routes and cases: each route with all cases. The short version tests the first route with all and each other
 * route with the next case, because they share the code.
 */
const tries = <T>(paths: readonly string[], all: readonly T[]): (readonly [path: string, tried: T])[] =>
  paths.flatMap((path, n) =>
    (n === 0 || runsAllCases ? all : all.slice(n % all.length).slice(0, 1)).map(one => [path, one] as const),
  )

describe('bodies', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const tooLarge = `{"a":"${'x'.repeat(256 * 1024)}"}`

  test.each([
    ['400 validation_failed', ['"nope"', '1', '-0', 'null', 'true', '[1]', '[[]]', '[null]', '[{}]', '""']],
    ['400 invalid_json', ['nope', '{', '{"a":}', '{"a":1}}', '{"a":1}{"b":2}', "{'a':1}", '{"a":1,}', 'NaN', '\u0000']],
    ['400 json_too_deep', [nested(33), '['.repeat(20_000), '{"a":'.repeat(20_000)]],
    ['413 payload_too_large', [tooLarge]],
  ])('a refusal is %s on every route', async (expected, bodies) => {
    for (const [path, raw] of tries(sample(post), bodies)) {
      const { status, json } = await send(path, { raw })
      expect([path, raw.slice(0, 20), `${status} ${json.error}`]).toEqual([path, raw.slice(0, 20), expected])
    }
  })

  test('of other types are refused on every route', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json-patch+json',
      'text/json',
    ]
    for (const [path, type] of tries(sample(post), types)) {
      const { status, json } = await send(path, { raw: '{}', headers: { 'content-type': type } })
      expect([path, type, status, json.error]).toEqual([path, type, 415, 'unsupported_media_type'])
    }
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset="UTF-8"',
  ])('of type %s are read', async type => {
    const { status } = await send('/service/check/login', { raw: '{}', headers: { 'content-type': type } })
    expect(status).toBe(200)
  })

  test.each([
    '',
    ' \r\n\t',
    '[]',
    ' [ ] ',
    '{}',
    '\ufeff{}',
    nested(32),
    '{"__proto__":{"id":1}}',
    '{"a":1e400}',
  ])('like %j count as empty if no field is required', async raw => {
    for (const path of ['/service/check/login', '/service/addresses/getAll', '/service/orders/getAll']) {
      const { status } = await send(path, { raw })
      expect([path, status]).toEqual([path, 200])
    }
  })

  test('without a type are read if they are UTF-8', async () => {
    const bytes = (body: Uint8Array<ArrayBuffer>) =>
      fetch(`${twin.url}/service/check/login`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.token}` },
        body,
      })
    expect((await bytes(new TextEncoder().encode('{"a":"ä"}'))).status).toBe(200)
    const refused = await bytes(new Uint8Array([123, 255, 125]))
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([400, 'invalid_json'])
  })

  test('of 256 KB are read, those of one byte more are not', async () => {
    const ofSize = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    expect((await send('/service/check/login', { raw: ofSize(256 * 1024) })).status).toBe(200)
    expect((await send('/service/check/login', { raw: ofSize(256 * 1024 + 1) })).status).toBe(413)
  })
})

describe('unknown paths', () => {
  const paths = [
    '/',
    '/service',
    '/service/orders',
    '/service/orders/get/',
    '/service/orders/get/1',
    '/Service/orders/get',
    '/service/orders/GET',
    '/service/unknown',
    '/unknown',
    '/orders/get',
    '/wines',
    '/wines/get',
    '/PDF/1',
    '/PDF/1/a/b.pdf',
    '/favicon.ico',
    '/__proto__',
    '/service/constructor',
    '/.env',
  ]
  test.each(paths)('%s is no route, with any method', async path => {
    // The demo shop answers GET; without the demo this is no route either.
    const reading = path === '/' ? [] : ['GET']
    for (const method of [...reading, 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, json, headers } = await call(path, {}, { method, token: shop.token })
      expect([method, status, json.error]).toEqual([method, 404, 'route_not_found'])
      expect(headers.get('x-request-id')).toBe(json.request_id)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('every answer', () => {
  test.each(sample(routes))('of %s has the common headers', async path => {
    for (const options of [{}, { token: '' }, { method: 'DELETE' }, { raw: 'nope' }]) {
      const { status, headers } = await send(path, options)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      if (routeAt(path).level !== 'public' || status >= 400) expect(headers.get('cache-control')).toBe('no-store')
      if (status >= 400) expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test.each(sample(routes))("of %s repeats the caller's request id if that is valid", async path => {
    const id = 'Shop-1.order_2'
    const echoed = await send(path, { method: 'DELETE', headers: { 'x-request-id': id } })
    expect([echoed.headers.get('x-request-id'), echoed.json.request_id]).toEqual([id, id])
  })

  test('has a request id of its own if the caller’s is invalid', async () => {
    for (const [path, bad] of tries(sample(routes), ['a b', '<b>', 'x'.repeat(65), 'a,b', '"'])) {
      const made = await send(path, { method: 'DELETE', headers: { 'x-request-id': bad } })
      expect([path, bad, made.json.request_id]).toEqual([
        path,
        bad,
        expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ])
      expect(made.headers.get('x-request-id')).toBe(made.json.request_id)
    }
  })

  test('has a request id of its own if the caller sends none', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await call('/unknown')).headers.get('x-request-id')))
    expect(new Set(ids).size).toBe(3)
  })

  test('that is a refusal has the one error shape and no other field', async () => {
    const { json } = await call('/service/login', { token: 1 })
    expect(json).toEqual({
      info: 'error',
      code: 400,
      error: 'validation_failed',
      details: expect.any(String),
      fields: [
        { path: 'token', rule: expect.any(String), expected: expect.any(String) },
        { path: 'authid', rule: expect.any(String), expected: expect.any(String) },
      ],
      request_id: expect.any(String),
    })
  })

  test('has the fields of a stored record in one order, though the table has none', async () => {
    const home = { last_name: 'Lindemann', address: 'Elbchaussee 12', zip: '22765', city: 'Hamburg', countrycode: 'de' }
    const add = () => shop.call('addresses/add', { data: home })
    const ids = (await Promise.all(Array.from({ length: 8 }, add))).map(({ json }) => json.data.id)
    const read = await Promise.all(ids.map(id => shop.call('addresses/get', { id })))
    const listed = (await shop.call('addresses/getAll')).json.data
    for (const address of [...read.map(({ json }) => json.data), ...listed])
      expect(Object.keys(address)).toEqual(Object.keys(Address.entries))
  })
})
