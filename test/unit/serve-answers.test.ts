import * as v from 'valibot'
import { type ErrorWord, errors, Problem } from '../../shared/contract/errors.ts'
import { route } from '../../shared/contract/route.ts'
import type { Page } from '../../shared/contract/schema/lists.ts'
import { paging } from '../../shared/contract/schema/wire.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { captureLog } from '../support/captured-log.ts'
import {
  both,
  call,
  echo,
  good,
  json,
  openRoute,
  openToy,
  post,
  publicToy,
  refuseWith,
  serve,
  throwing,
} from '../support/serve-harness.ts'

const { lines } = captureLog()

test('a strict body reports twenty unknown keys, each cut to 100 characters', async () => {
  const toy = serve(route({ ...post, level: 'open', body: v.strictObject({ id: v.number() }) }), echo as never)
  const keys = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}${'x'.repeat(5000)}`, 1]))
  const reply = await call(toy, { body: JSON.stringify({ id: 1, ...keys }) })
  const { error, fields } = json(reply) as { error: string; fields: { path: string }[] }
  expect(error).toBe('field_not_writable')
  expect(fields.map(({ path }) => path.length)).toEqual(Array(20).fill(100))
  expect(reply.body?.length).toBeLessThan(5000)
})

describe('envelopes', () => {
  const schema = { ...both, level: 'public', body: v.object(paging) } as const
  const page: Page<{ id: number; name: string }> = {
    data: [{ id: 1, name: 'a' }],
    totalCount: 17,
    pages: { current: 2, total: 2, size: 16 },
  }

  test('an answer has its data', async () => {
    const reply = await call(openToy, good)
    expect(reply).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } })
    expect(json(reply)).toEqual({ info: 'success', data: { id: 7, name: 'toy' } })
  })

  test('an answer repeats its data under an alias', async () => {
    const toy = serve(route({ ...post, level: 'open', aliases: { wine: 'data' } }), echo)
    expect(json(await call(toy, good))).toEqual({
      info: 'success',
      data: { id: 7, name: 'toy' },
      wine: { id: 7, name: 'toy' },
    })
  })

  test('a list is repeated under an alias', async () => {
    const toy = serve(route({ ...schema, envelope: 'list', aliases: { wines: 'data' } }), async () => page)
    expect(json(await call(toy))).toEqual({ info: 'success', ...page, wines: page.data })
  })

  test('a bare answer has its fields at the top level', async () => {
    const toy = serve(route({ ...schema, envelope: 'bare' }), async () => ({ id: 1, name: 'a' }))
    expect(json(await call(toy))).toEqual({ info: 'success', id: 1, name: 'a' })
  })

  test('a raw answer is the handler’s own', async () => {
    const toy = serve(route({ ...schema, envelope: 'raw' }), async () => ({
      statusCode: 302,
      headers: { location: '/a.pdf' },
    }))
    const reply = await call(toy, { headers: { 'x-request-id': 'r1' } })
    expect(reply).toMatchObject({ statusCode: 302, headers: { location: '/a.pdf', 'x-request-id': 'r1' } })
    expect(reply.body).toBe(undefined)
  })

  test('a deprecated route has the header Deprecation in every answer', async () => {
    const toy = serve(route({ ...both, level: 'public', deprecated: 1_735_689_600 }), echo)
    for (const sent of [good, {}, { method: 'PUT' }, { method: 'OPTIONS' }]) {
      expect((await call(toy, sent)).headers).toMatchObject({ deprecation: '@1735689600' })
    }
    expect((await call(publicToy, good)).headers).not.toHaveProperty('deprecation')
  })

  test('a header that the handler sets is sent only with a success', async () => {
    let fails = false
    const toy = serve(openRoute, async ({ setHeader, body: { id, name } }) => {
      setHeader('idempotency-replayed', 'true')
      if (fails) throw new Problem('order_not_found')
      return { id, name }
    })
    expect((await call(toy, good)).headers).toMatchObject({ 'idempotency-replayed': 'true' })
    fails = true
    expect((await call(toy, good)).headers).not.toHaveProperty('idempotency-replayed')
    expect((await call(openToy, good)).headers).not.toHaveProperty('idempotency-replayed')
  })
})

describe('an error in the handler', () => {
  // reply.test has the other kinds of errors.
  test.each<[unknown]>([[new Error('SECRET')], [undefined]])('%p is a 500 without internals', async error => {
    const reply = await call(throwing(error), { ...good, headers: { 'x-request-id': 'r1' } })
    expect(reply.statusCode).toBe(500)
    expect(json(reply)).toEqual({
      info: 'error',
      code: 500,
      error: 'internal_error',
      details: errors.internal_error[1],
      request_id: 'r1',
    })
  })

  test('Unavailable is a 503 with retry-after', async () => {
    const error = new Unavailable('SECRET')
    const reply = await call(throwing(error), good)
    expect(reply).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } })
    expect(json(reply).error).toBe('temporarily_unavailable')
    expect(reply.body).not.toContain('SECRET')
  })

  test('a handler that does not finish before the timeout is a 503', async () => {
    const hanging = serve(openRoute, () => new Promise<never>(() => {}))
    const reply = await call(hanging, good, 500)
    expect(reply).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } })
  })

  test('a Problem keeps its status, headers and fields', async () => {
    const fields = [{ path: 'data.gross', rule: 'mismatch', expected: '25.19' }]
    const reply = await call(throwing(new Problem('price_mismatch', { fields, headers: { 'retry-after': '9' } })), good)
    expect(reply).toMatchObject({ statusCode: 422, headers: { 'retry-after': '9', 'cache-control': 'no-store' } })
    expect(json(reply)).toMatchObject({ error: 'price_mismatch', fields })
  })

  test('an answer that is too large is a 413', async () => {
    const reply = await call(
      serve(openRoute, async () => ({ id: 1, name: '"'.repeat(1_600_000) })),
      good,
    )
    expect([reply.statusCode, json(reply).error]).toEqual([413, 'payload_too_large'])
  })

  test('an unknown route is refused', async () => {
    expect(json(await call(refuseWith(openRoute, 'route_not_found'), { method: 'PUT', body: '{' }))).toMatchObject({
      code: 404,
    })
  })
})

describe('a refusal is logged with its reason', () => {
  test.each(Object.keys(errors) as ErrorWord[])('%s, and the answer does not contain that', async word => {
    const reply = await call(throwing(new Problem(word, { because: 'REASON' })), good)
    expect(lines()).toContainEqual(expect.objectContaining({ error: word, because: 'REASON' }))
    expect(JSON.stringify(reply)).not.toContain('REASON')
  })

  test('else with the rules that its fields break, or its details', () => {
    const fields = ['required', 'money', 'money'].map(rule => ({ path: 'PATH', rule, expected: 'given' }))
    expect(new Problem('validation_failed', { fields, details: 'PATH' }).because).toBe('required, money')
    expect(new Problem('file_invalid', { details: 'The file is empty.' }).because).toBe('The file is empty.')
    expect(new Problem('order_not_found').because).toBeUndefined()
  })
})

test('the log contains no values of the request except its id', async () => {
  const secret = {
    authorization: 'Bearer CANARY',
    'content-type': 'application/json',
    cookie: 'CANARY',
    'x-request-id': 'r1',
  }
  await call(openToy, { body: '{"id":1,"name":"CANARY"}', headers: secret, query: 'q=CANARY' })
  await call(openToy, { body: '{"id":"CANARY"}', headers: secret })
  await call(throwing(new Error('broken')), { body: '{"id":1,"name":"CANARY"}', headers: secret })
  const always = {
    _aws: expect.anything(),
    ...{ kind: 'read', route: '/toy', request_id: 'r1', gateway_request_id: 'g1', Latency: expect.any(Number) },
  }
  const stack = expect.stringMatching(/^Error: broken\n/)
  expect(lines()).toEqual([
    { ...always, status: 200 },
    { ...always, status: 400, error: 'validation_failed', because: 'id', ClientErrors: 1 },
    { ...always, status: 500, error: 'internal_error', ServerErrors: 1 },
    {
      ...{ level: 'ERROR', timestamp: expect.any(String), message: 'failed', route: '/toy', request_id: 'r1' },
      error: { name: 'Error', message: 'broken', stack },
    },
  ])
  expect(JSON.stringify(lines())).not.toContain('CANARY')
})
