import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { fileHeaders, responseHeaders, route } from '../../shared/contract/route.ts'
import type { Reply } from '../../shared/http/middleware.ts'
import { both, call, good, type Sent, serve } from '../support/serve-harness.ts'

const long = 'Riesling vom Schiefer. '.repeat(100)
const noise = randomBytes(3000).toString('base64')
const texts: Record<string, string> = { long, noise }
const answer = async ({ body: { id, name } }: { body: { id: number; name: string } }) => ({
  id,
  name: texts[name] ?? name,
})
const kept = serve(route({ ...both, level: 'public', headers: responseHeaders }), answer)
const plain = serve(route({ ...both, level: 'public' }), answer)
const raw = (reply: Reply, more: object = {}) =>
  serve(
    route({
      ...both,
      level: 'public',
      envelope: 'raw',
      response: v.unknown(),
      mediaTypes: { 200: 'text/plain' },
      ...more,
    }),
    async () => reply,
  )

const asked = (name: string, headers: Sent['headers'] = {}): Sent => ({
  body: JSON.stringify({ id: 7, name }),
  headers: { 'content-type': 'application/json', ...headers },
})
const got = (name: string, headers: Sent['headers'] = {}): Sent => ({
  method: 'GET',
  query: `id=7&name=${encodeURIComponent(name)}`,
  headers,
})

/** The text of a reply, and true if it was compressed. */
const textOf = ({ body = '', isBase64Encoded, headers }: Reply): [string, boolean] => {
  const isGzip = headers?.['content-encoding'] === 'gzip'
  expect(isBase64Encoded ?? false).toBe(isGzip)
  return [isGzip ? gunzipSync(Buffer.from(body, 'base64')).toString() : body, isGzip]
}

describe('a long answer', () => {
  test('is compressed for clients that accept gzip, with Vary', async () => {
    const [small, large] = await Promise.all([
      call(plain, asked('long', { 'accept-encoding': 'br, gzip' })),
      call(plain, asked('long')),
    ])
    const [text, isGzip] = textOf(small)
    expect([isGzip, textOf(large)]).toEqual([true, [text, false]])
    expect(small.body?.length).toBeLessThan((large.body?.length ?? 0) / 2)
    expect([small, large].map(({ headers }) => headers?.vary)).toEqual(['accept-encoding', 'accept-encoding'])
  })

  test.each(['identity', 'gzip;q=0', 'br', ''])('is not compressed for Accept-Encoding %j', async accepted => {
    expect(textOf(await call(plain, asked('long', { 'accept-encoding': accepted })))[1]).toBe(false)
  })

  test('is not compressed if that makes it larger', async () => {
    expect(textOf(await call(plain, asked('noise', { 'accept-encoding': 'gzip' })))[1]).toBe(false)
  })

  test('that is binary, or compressed already, is sent as it is', async () => {
    const accepting = { ...good, headers: { ...good.headers, 'accept-encoding': 'gzip' } }
    for (const reply of [
      { statusCode: 200, body: 'QUJD'.repeat(1000), isBase64Encoded: true },
      { statusCode: 200, body: 'x'.repeat(5000), headers: { 'content-encoding': 'identity' } },
    ])
      expect(await call(raw(reply), accepting)).toMatchObject(reply)
  })

  test('that is a refusal is compressed as well', async () => {
    const fields = Array.from({ length: 50 }, (_, n) => ({ path: `field${n}`, rule: 'required', expected: 'anything' }))
    const refusing = serve(route({ ...both, level: 'public' }), () =>
      Promise.reject(new Problem('validation_failed', { fields })),
    )
    const reply = await call(refusing, asked('x', { 'accept-encoding': 'gzip' }))
    const [text, isGzip] = textOf(reply)
    expect([reply.statusCode, isGzip, JSON.parse(text).fields]).toEqual([400, true, fields])
  })
})

test('a long answer that depends on the language says so beside its encoding', async () => {
  const translated = raw({ statusCode: 200, headers: { vary: 'accept-language' }, body: long })
  for (const accepted of ['gzip', 'identity'])
    expect((await call(translated, asked('x', { 'accept-encoding': accepted }))).headers?.vary).toBe(
      'accept-language, accept-encoding',
    )
})

test('a short answer is never compressed', async () => {
  const reply = await call(plain, asked('Riesling', { 'accept-encoding': 'gzip' }))
  expect([textOf(reply)[1], reply.headers?.vary]).toEqual([false, undefined])
})

describe('a cacheable answer to GET', () => {
  test('has an ETag, and is not sent again to a client that has it', async () => {
    const first = await call(kept, got('long', { 'accept-encoding': 'gzip' }))
    expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=5', etag: expect.stringMatching(/^W\/"/) })
    const { etag = '' } = first.headers as Record<string, string>
    const again = await call(kept, got('long', { 'if-none-match': etag }))
    expect(again).toMatchObject({
      statusCode: 304,
      // The same headers as with the full answer: RFC 9110, 15.4.5.
      headers: { etag, 'cache-control': 'public, max-age=5', vary: 'accept-encoding' },
    })
    expect([again.body, again.headers?.['content-type']]).toEqual([undefined, undefined])
  })

  test.each(['%', 'W/"x", %', '*', ' "x" ,%'])('is not sent again for If-None-Match %j', async known => {
    const { etag = '' } = (await call(kept, got('one'))).headers as Record<string, string>
    for (const form of [etag, etag.slice(2)])
      expect(await call(kept, got('one', { 'if-none-match': known.replace('%', form) }))).toMatchObject({
        statusCode: 304,
      })
    expect(await call(kept, got('one', { 'if-none-match': etag.slice(0, -2) }))).toMatchObject({ statusCode: 200 })
  })

  test('is sent if it has changed', async () => {
    const { headers } = await call(kept, got('one'))
    const { etag = '' } = headers as Record<string, string>
    expect(await call(kept, got('two', { 'if-none-match': etag }))).toMatchObject({ statusCode: 200 })
  })

  test.each<[string, unknown, Sent]>([
    ['to POST', kept, asked('one')],
    ['that refuses', kept, { method: 'GET', query: 'id=x' }],
    ['of a route that says nothing of it', plain, got('one')],
  ])('is not one %s', async (_, handler, sent) => {
    const { headers = {} } = await call(handler, sent)
    expect(headers.etag).toBeUndefined()
    expect(headers['cache-control'] ?? 'no-store').toBe('no-store')
  })

  test('is not that of a route with its own cache-control', async () => {
    const headers = { etag: '"own"', 'cache-control': 'public, max-age=86400' }
    const file = raw({ statusCode: 200, headers, body: 'bytes' }, { headers: fileHeaders, methods: ['GET'] })
    expect(await call(file, got('one', { 'if-none-match': '*' }))).toMatchObject({ statusCode: 200, headers })
  })
})
