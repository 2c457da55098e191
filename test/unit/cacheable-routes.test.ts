import { fileHeaders, isCacheable, type Route, responseHeaders, route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { commonHeaders } from '../../shared/http/middleware.ts'
import { both, call, good, serve } from '../support/serve-harness.ts'

const kept = route({ ...both, level: 'public', headers: responseHeaders })

test('the answers of a public route to GET are cacheable if its headers include cache-control', () => {
  expect(isCacheable(kept)).toBe(true)
  expect(isCacheable({ ...kept, headers: fileHeaders })).toBe(true)
})

test.each<[string, Partial<Route>]>([
  ['of a signed-in merchant', { level: 'service' }],
  ['of a webhook', { level: 'webhook' }],
  ['of a sign-in', { level: 'open' }],
  ['that a signed-in client sees otherwise', { client: 'prices' }],
  ['of a client', { client: 'required' }],
  ['to POST', { methods: ['POST'] }],
  ['without headers', { headers: {} }],
  ['that has a name alone', { headers: { sends: { etag: '' } } }],
])('an answer %s is not cacheable', (_, other) => {
  expect(isCacheable({ ...kept, ...other })).toBe(false)
})

test('cacheable routes read no credential and no cookie', () => {
  const reads = routes.filter(isCacheable).flatMap(({ headers }) => Object.keys(headers?.reads ?? {}))
  const negotiated = ['accept', 'accept-encoding', 'accept-language']
  expect([...new Set(reads)].sort()).toEqual([...negotiated, 'if-none-match', 'range'])
})

// CloudFront caches neither this nor an answer without the header (its default is 0 seconds).
test('an answer of a route that is not public has cache-control no-store', async () => {
  for (const one of routes.filter(({ level }) => level !== 'public'))
    expect([one.path, commonHeaders(one, 'r1')['cache-control']]).toEqual([one.path, 'no-store'])
})

const cacheControlOf = async (handler: unknown, method: string): Promise<unknown> => {
  const sent = method === 'POST' ? good : { query: 'id=7' }
  return (await call(handler, { ...sent, method })).headers?.['cache-control']
}

test('a public answer is cacheable for seconds, but not one to POST and not a refusal', async () => {
  const answering = serve(kept, async () => ({ id: 7, name: 'toy' }))
  const refusing = serve(kept, () => Promise.reject(new Error('it failed')))
  const silent = serve(route({ ...both, level: 'public' }), async () => ({ id: 7, name: 'toy' }))
  expect(await cacheControlOf(answering, 'GET')).toBe('public, max-age=5')
  expect(await cacheControlOf(answering, 'POST')).toBeUndefined()
  expect(await cacheControlOf(silent, 'GET')).toBeUndefined()
  for (const method of ['GET', 'POST']) expect(await cacheControlOf(refusing, method)).toBe('no-store')
})

test('the cache-control of a file is sent unchanged', async () => {
  const headers = { etag: '"1"', 'cache-control': 'public, max-age=60' }
  const sketch = { ...both, envelope: 'raw', headers: fileHeaders, mediaTypes: { 200: 'text/plain' } } as const
  const handler = serve(route({ ...sketch, level: 'public' }), async () => ({ statusCode: 200, headers, body: 'x' }))
  expect((await call(handler, { method: 'GET', query: 'id=7' })).headers).toMatchObject(headers)
})

/** A request that records which of its headers were read. */
const watched = (read: Set<string>): Record<string, string> =>
  new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        read.add(String(name))
        return undefined
      },
    },
  )

test('a cacheable GET reads only the headers of the cache key and the request id', async () => {
  const read = new Set<string>()
  const answering = serve(kept, async () => ({ id: 7, name: 'x'.repeat(5000) }))
  await call(answering, { method: 'GET', query: 'id=7', headers: watched(read) })
  expect([...read].sort()).toEqual(['accept-encoding', 'if-none-match', 'x-request-id'])
})
