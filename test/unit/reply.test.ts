import * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { type Envelope, type Level, type Route, route } from '../../shared/contract/route.ts'
import { pageOf, wholeList } from '../../shared/contract/schema/lists.ts'
import { problemOf, problemReply, successReply } from '../../shared/http/envelope.ts'
import { commonHeaders } from '../../shared/http/middleware.ts'
import { ConditionFailed, TooLarge, TransactionRefused, Unavailable } from '../../shared/platform/table/failures.ts'

const routeOf = (
  more: { level?: Level; envelope?: Envelope; aliases?: Route['aliases']; deprecated?: number } = {},
): Route =>
  route({ path: '/toy', level: 'service', body: v.unknown(), response: v.unknown(), summary: 'A toy.', ...more })

const bodyOf = (reply: { body?: string }): unknown => JSON.parse(reply.body ?? '')

describe('the headers of every answer', () => {
  test('allow browsers of other sites and caches for a public route', () => {
    expect(commonHeaders(routeOf({ level: 'public' }), 'r1')).toEqual({
      'x-request-id': 'r1',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-request-id',
    })
  })

  test.each([
    'service',
    'open',
  ] as const)('a route of the level %s is neither for other sites nor for caches', level => {
    expect(commonHeaders(routeOf({ level }), 'r1')).toEqual({
      'x-request-id': 'r1',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  test('include the date of a deprecation, in the form of RFC 9745', () => {
    expect(commonHeaders(routeOf({ deprecated: 1_735_689_600 }), 'r1').deprecation).toBe('@1735689600')
  })
})

describe('a refusal', () => {
  test('has the common error form, with fields only if there are any', () => {
    const reply = problemReply(new Problem('order_not_found'), { 'x-request-id': 'r1' }, 'r1')
    expect(reply.statusCode).toBe(404)
    expect(bodyOf(reply)).toEqual({
      info: 'error',
      code: 404,
      error: 'order_not_found',
      details: 'There is no such order.',
      request_id: 'r1',
    })
  })

  test('lists its invalid fields', () => {
    const fields = [{ path: 'data.gross', rule: 'mismatch', expected: '25.19' }]
    const reply = problemReply(new Problem('price_mismatch', { details: 'Off.', fields }), {}, 'r1')
    expect(bodyOf(reply)).toMatchObject({ code: 422, details: 'Off.', fields })
  })

  test('is JSON, is never cached, and has the headers of the route and of the Problem', () => {
    const problem = new Problem('login_throttled', { headers: { 'retry-after': '60' } })
    expect(problemReply(problem, { 'x-request-id': 'r1', 'cache-control': 'max-age=60' }, 'r1').headers).toEqual({
      'x-request-id': 'r1',
      'cache-control': 'no-store',
      'retry-after': '60',
      'content-type': 'application/json; charset=utf-8',
    })
  })
})

describe('a success', () => {
  test('has a record in `data`', () => {
    const reply = successReply(routeOf(), { id: 1 }, { 'x-request-id': 'r1' })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toEqual({ 'x-request-id': 'r1', 'content-type': 'application/json; charset=utf-8' })
    expect(bodyOf(reply)).toEqual({ info: 'success', data: { id: 1 } })
  })

  test('repeats the data under an alias', () => {
    expect(bodyOf(successReply(routeOf({ aliases: { wine: 'data' } }), { id: 1 }, {}))).toEqual({
      info: 'success',
      data: { id: 1 },
      wine: { id: 1 },
    })
    expect(
      bodyOf(successReply(routeOf({ envelope: 'list', aliases: { wines: 'data' } }), wholeList([1, 2]), {})),
    ).toMatchObject({
      data: [1, 2],
      wines: [1, 2],
    })
  })

  test('has a list with its count and its pages', () => {
    expect(bodyOf(successReply(routeOf({ envelope: 'list' }), pageOf(['a'], 17, 2, 16), {}))).toEqual({
      info: 'success',
      data: ['a'],
      totalCount: 17,
      pages: { current: 2, total: 2, size: 16 },
    })
  })

  test('has the fields of a bare answer at the top level', () => {
    expect(bodyOf(successReply(routeOf({ envelope: 'bare' }), { token: 't' }, {}))).toEqual({
      info: 'success',
      token: 't',
    })
  })

  test('has a raw answer of the handler, with the common headers', () => {
    const raw = { statusCode: 302, headers: { location: 'https://shop.example/', 'cache-control': 'no-store' } }
    expect(
      successReply(routeOf({ envelope: 'raw' }), raw, { 'x-request-id': 'r1', 'cache-control': 'max-age=5' }),
    ).toEqual({
      statusCode: 302,
      headers: { 'x-request-id': 'r1', location: 'https://shop.example/', 'cache-control': 'no-store' },
    })
  })

  test('has prototype keys of a record as they are stored', () => {
    const record = JSON.parse('{"__proto__":1,"constructor":2}')
    expect(successReply(routeOf(), record, {}).body).toBe('{"info":"success","data":{"__proto__":1,"constructor":2}}')
  })

  test.each([
    ['a', 1],
    ['ü', 2],
    ['€', 3],
    ['🍷', 4],
    ['"', 4],
    ['\\', 4],
    ['\n', 3],
    ['\u0001', 7],
    ['\ud800', 7],
    ['\u2028', 3],
  ])('has as many %j as Lambda accepts as JSON in JSON; one more is refused with advice', (sign, bytes) => {
    const headers = { 'x-request-id': 'r1' }
    const around = Buffer.byteLength(JSON.stringify(successReply(routeOf(), '', headers)))
    const most = Math.floor((6 * 1024 * 1024 - around) / bytes)
    const largest = successReply(routeOf(), sign.repeat(most), headers)
    expect(Buffer.byteLength(JSON.stringify(largest))).toBe(around + most * bytes)
    const tooLarge = () => successReply(routeOf(), sign.repeat(most + 1), headers)
    expect(tooLarge).toThrow(/^The response is too large\./)
    expect(tooLarge).toThrow(Problem)
  })
})

describe('pages', () => {
  test.each([
    [0, 16, 1],
    [1, 16, 1],
    [16, 16, 1],
    [17, 16, 2],
    [100, 1, 100],
  ])('%i elements, %i a page, end at page %i', (count, size, total) => {
    expect(pageOf([], count, 1, size).pages).toEqual({ current: 1, total, size })
  })
})

describe('the reply to an error', () => {
  const named = (name: string) => Object.assign(new Error('secret'), { name })

  test('is the refusal of a Problem', () => {
    const problem = new Problem('wine_not_found')
    expect(problemOf(problem)).toBe(problem)
  })

  test.each([
    ['an unreachable table', new Unavailable('secret')],
    ['a refused transaction', new TransactionRefused({ order: 'TransactionConflict' })],
    ['a lost condition', new ConditionFailed()],
    ['a timeout', named('TimeoutError')],
  ])('is a 503 with retry-after for %s', (_, error) => {
    const problem = problemOf(error)
    expect([problem.word, problem.status, problem.headers]).toEqual([
      'temporarily_unavailable',
      503,
      { 'retry-after': '1' },
    ])
    expect(problem.message).not.toContain('secret')
  })

  test('is a 413 with advice for a record that is too large to be stored', () => {
    const problem = problemOf(new TooLarge())
    expect([problem.word, problem.status]).toEqual(['payload_too_large', 413])
    expect(problem.message).toBe('The record is too large to be stored. Shorten its texts.')
  })

  test.each<[string, unknown]>([
    ['an error', new Error('secret')],
    ['an error of another kind', new RangeError('secret')],
    ['an error of the SDK', named('ValidationException')],
    ...['secret', undefined, null, 0, { name: 'TimeoutError', message: 'secret' }].map(
      thrown => [typeof thrown, thrown] as [string, unknown],
    ),
  ])('is a 500 without internals for %s', (_, thrown) => {
    const problem = problemOf(thrown)
    expect([problem.word, problem.status, problem.headers, problem.fields]).toEqual(['internal_error', 500, {}, []])
    expect(problem.message).not.toContain('secret')
  })
})
