import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import fc from 'fast-check'
import type { Problem } from '../../shared/contract/errors.ts'
import { checkPayload, requestFields } from '../../shared/http/request.ts'
import { problemIn } from '../support/bad-values.ts'

type Sent = {
  method?: string
  body?: string
  isBase64Encoded?: boolean
  type?: string
  query?: string
  path?: Record<string, string>
}

const eventOf = ({ method = 'POST', body, isBase64Encoded = false, type, query = '', path }: Sent) =>
  ({
    headers: type === undefined ? {} : { 'content-type': type },
    rawQueryString: query,
    pathParameters: path,
    requestContext: { http: { method } },
    body,
    isBase64Encoded,
  }) as unknown as APIGatewayProxyEventV2

const posted = (body: string) => requestFields(eventOf({ body }))
const postedBytes = (...bytes: number[]) =>
  requestFields(eventOf({ body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true }))
const got = (query: string, more: Sent = {}) => requestFields(eventOf({ method: 'GET', query, ...more }))

const wordOf = (work: () => unknown) => problemIn(work).word

describe('the payload', () => {
  const limit = 256 * 1024
  const check = (sent: Sent) => checkPayload(eventOf(sent))

  test('256 KB is the limit, counted in bytes', () => {
    check({ body: 'a'.repeat(limit) })
    check({ body: 'ü'.repeat(limit / 2) })
    expect(wordOf(() => check({ body: 'a'.repeat(limit + 1) }))).toBe('payload_too_large')
    expect(wordOf(() => check({ body: 'ü'.repeat(limit / 2 + 1) }))).toBe('payload_too_large')
  })

  test('a body in base64 is measured by its decoded bytes', () => {
    check({ body: Buffer.alloc(limit).toString('base64'), isBase64Encoded: true })
    const over = Buffer.alloc(limit + 1).toString('base64')
    expect(wordOf(() => check({ body: over, isBase64Encoded: true }))).toBe('payload_too_large')
  })

  test('a body that is too large is refused as such, with any content type', () => {
    expect(wordOf(() => check({ body: 'a'.repeat(limit + 1), type: 'text/plain' }))).toBe('payload_too_large')
  })

  test.each([
    ...'application/json | application/json; charset=utf-8 | application/json;charset=UTF-8 | Application/JSON'.split(
      ' | ',
    ),
    ...[undefined, '', ' application/json ; charset=utf-8'],
  ])('the content type %j is accepted', type => {
    check({ body: '{}', type })
  })

  test.each([
    ...'text/plain text/json application/x-www-form-urlencoded application/xml application/jsonp json */*'.split(' '),
    ...['application/problem+json', 'multipart/form-data; boundary=x', 'application/json, text/plain'],
  ])('the content type %j is refused', type => {
    expect(wordOf(() => check({ body: '{}', type }))).toBe('unsupported_media_type')
  })

  test.each([undefined, ''])('no body needs no content type (%j)', body => {
    check({ body, type: 'text/plain' })
  })
})

describe('the body of a POST', () => {
  test.each([
    undefined,
    '',
    ' ',
    '\r\n\t',
    '[]',
    ' [ ] ',
    '{}',
    '\ufeff',
    '\ufeff{}',
    '\ufeff[]',
  ])('%j has no fields', body => {
    expect(requestFields(eventOf({ body }))).toEqual({})
  })

  test('has the fields of its JSON object, with and without a byte order mark', () => {
    expect(posted('{"id":"12","data":{"a":[1,null]}}')).toEqual({ id: '12', data: { a: [1, null] } })
    expect(posted('\ufeff{"id":1}')).toEqual({ id: 1 })
    expect(postedBytes(0xef, 0xbb, 0xbf, ...Buffer.from('{"id":1}'))).toEqual({ id: 1 })
  })

  test.each(
    '[1] [[]] [{}] "text" "" 5 0 null true false'.split(' '),
  )('%s is refused as JSON that is not an object', body => {
    const problem = problemIn(() => posted(body))
    expect([problem.word, problem.status]).toEqual(['validation_failed', 400])
  })

  test.each([
    ...'{ } {"a"} {a:1} {"a":1,} {"a":1}{} {"a":01} {"a":.5} {"a":NaN} {"a":0x10} {"a":"\\x"} {"a":"\\u12"} undefined'.split(
      ' ',
    ),
    ...["{'a':1}", 'a=1&b=2', '<a/>', '// {}', '{"a":"\n"}', '{"a":"\u0000"}', '{"a":1}\u0000', '\ufeff\ufeff{}x'],
  ])('%j is refused as invalid JSON', body => {
    expect(wordOf(() => posted(body))).toBe('invalid_json')
  })

  test.each([
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['a cut sequence', [0x7b, 0xe2, 0x82]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['Latin-1', [...Buffer.from('{"name":"Müller"}', 'latin1')]],
    ['UTF-16', [...Buffer.from('\ufeff{}', 'utf16le')]],
  ])('%s is refused as invalid UTF-8', (_, bytes) => {
    expect(wordOf(() => postedBytes(...bytes))).toBe('invalid_json')
  })

  test('the gateway’s replacement character for invalid UTF-8 is refused unless it is escaped', () => {
    expect(wordOf(() => posted('{"name":"M\ufffdller"}'))).toBe('invalid_json')
    expect(posted('{"name":"\\ufffd"}')).toEqual({ name: '\ufffd' })
  })

  test('an escaped lone surrogate is valid JSON, for the field’s validation to refuse', () => {
    expect(posted('{"name":"\\ud800"}')).toEqual({ name: '\ud800' })
  })

  test('the last of several equal names is used, as in JSON', () => {
    expect(posted('{"id":1,"id":2}')).toEqual({ id: 2 })
  })

  test('prototype keys are own keys', () => {
    const fields = posted('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor'])
    expect(Reflect.get(fields, 'polluted')).toBe(undefined)
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })

  test('the query string of a POST is ignored', () => {
    expect(requestFields(eventOf({ body: '{"id":1}', query: 'id=2&page=3' }))).toEqual({ id: 1 })
  })

  test('a body is read the same as text and in base64', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 })), value => {
        const body = JSON.stringify(value)
        fc.pre(!body.includes('\ufffd'))
        expect(posted(body)).toEqual(JSON.parse(body))
        expect(postedBytes(...Buffer.from(body))).toEqual(JSON.parse(body))
      }),
    )
  })

  test('any body results in fields or a 400', () => {
    const hostile = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[[\]{}",:\\ 0-9eE.+-]{0,40}$/))
    fc.assert(
      fc.property(hostile, fc.boolean(), (body, isBase64Encoded) => {
        try {
          expect(typeof requestFields(eventOf({ body, isBase64Encoded }))).toBe('object')
        } catch (error) {
          expect((error as Problem).status).toBe(400)
        }
      }),
    )
  })
})

describe('the depth of JSON', () => {
  const nested = (levels: string, inside = '1') =>
    [...levels].reduceRight((inner, sign) => (sign === '[' ? `[${inner}]` : `{"a":${inner}}`), inside)

  test('32 levels are the limit', () => {
    expect(posted(nested('{'.repeat(32)))).toHaveProperty('a')
    expect(wordOf(() => posted(nested('{'.repeat(33))))).toBe('json_too_deep')
  })

  test('is measured before parsing, for any depth and any invalid JSON', () => {
    for (const body of ['['.repeat(200_000), `{"a":${'['.repeat(200_000)}`, '{"a":'.repeat(40_000)]) {
      expect(wordOf(() => posted(body))).toBe('json_too_deep')
    }
  })

  test('brackets in text do not count', () => {
    const brackets = JSON.stringify('[{"\\'.repeat(100))
    expect(posted(`{${brackets}:${brackets}}`)).toHaveProperty([JSON.parse(brackets)])
  })

  test('is that of the deepest branch, not the number of branches', () => {
    expect(posted(`{"a":[${Array(1000).fill('[]').join(',')}]}`)).toHaveProperty('a')
  })

  test('a body is refused for its depth exactly beyond 32 levels', () => {
    const levels = fc.stringMatching(/^[[{]{0,40}$/)
    fc.assert(
      fc.property(levels, fc.string(), (inner, inside) => {
        const body = nested(`{${inner}`, JSON.stringify(inside))
        if (inner.length > 31) expect(wordOf(() => posted(body))).toBe('json_too_deep')
        else expect(posted(body)).toEqual(JSON.parse(body))
      }),
    )
  })
})

describe('the query of a GET', () => {
  test('has texts as values', () => {
    expect(got('page=2&query=Wei%C3%9Fburgunder+trocken&bio=1&empty=&name')).toEqual({
      page: '2',
      query: 'Weißburgunder trocken',
      bio: '1',
      empty: '',
      name: '',
    })
  })

  test('has lists and objects as JSON texts', () => {
    const filter = encodeURIComponent('{"type":["red","white"],"bio":1}')
    expect(got(`filter=${filter}&query=${encodeURIComponent('{"name":"Riesling"}')}&list=[]`)).toEqual({
      filter: { type: ['red', 'white'], bio: 1 },
      query: { name: 'Riesling' },
      list: [],
    })
  })

  test('keeps a text that only begins like JSON, or is nested too deep', () => {
    expect(got('query=[x].pdf')).toEqual({ query: '[x].pdf' })
    expect(got('query={')).toEqual({ query: '{' })
    const deep = `${'['.repeat(33)}${']'.repeat(33)}`
    expect(got(`filter=${deep}`)).toEqual({ filter: deep })
  })

  test('keeps numbers, words and quoted texts unchanged', () => {
    expect(got('a=null&b=true&c=1e3&d="x"')).toEqual({ a: 'null', b: 'true', c: '1e3', d: '"x"' })
  })

  test('uses the first of several equal names', () => {
    expect(got('id=1&id=2&empty=&empty=3')).toEqual({ id: '1', empty: '' })
  })

  test('is overridden by parameters of the path', () => {
    expect(got('id=1&page=2', { path: { id: '7', file: 'a.pdf' } })).toEqual({ id: '7', file: 'a.pdf', page: '2' })
  })

  test('a body is not read', () => {
    expect(got('id=1', { body: '{"id":2}' })).toEqual({ id: '1' })
    expect(got('', { body: '{' })).toEqual({})
  })

  test('HEAD is read like GET', () => {
    expect(requestFields(eventOf({ method: 'HEAD', query: 'id=1', body: '{"id":2}' }))).toEqual({ id: '1' })
  })

  test('may contain prototype keys and invalid escapes', () => {
    const fields = got('__proto__=1&constructor=2&toString=3&q=%ff%zz%')
    expect(Object.entries(fields)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
      ['q', '\ufffd%zz%'],
    ])
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
  })
})
