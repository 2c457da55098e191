import fc from 'fast-check'
import * as v from 'valibot'
import { type BadField, type ErrorWord, errors, Problem, validationProblem } from '../../shared/contract/errors.ts'
import { AddressChange, addressesEdit, addressesGetAll } from '../../shared/contract/routes/addresses.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { ordersGet } from '../../shared/contract/routes/order-reads.ts'
import { productsGetAll } from '../../shared/contract/routes/products.ts'
import { winesGetAll } from '../../shared/contract/routes/wine-lists.ts'
import {
  Flag,
  filled,
  Id,
  list,
  Money,
  must,
  text,
  Uuid,
  wholeBetween,
  word,
} from '../../shared/contract/schema/wire.ts'
import { validate } from '../../shared/http/request.ts'
import { problemOf } from '../support/bad-values.ts'
import { runsAllCases } from '../support/sampling.ts'

const bad = (path: string, rule = 'type', expected = 'text'): BadField => ({ path, rule, expected })

describe('a refusal over bad fields', () => {
  test.each([
    [bad('id', 'required', 'given'), '`id` is required.'],
    [bad('data.id', 'not_writable', 'left out'), '`data.id` cannot be set.'],
    [bad('data.items.0.quantity', 'min_value', '1'), '`data.items.0.quantity` must be at least 1.'],
    [bad('quantity', 'max_value', '9999'), '`quantity` must be at most 9999.'],
    [bad('items', 'min_items', '1'), '`items` must have at least 1 element.'],
    [bad('items', 'max_items', '50'), '`items` must have at most 50 elements.'],
    [bad('type', 'one_of', 'a, b'), '`type` must be one of a, b.'],
    [bad('id', 'id', 'a positive whole number'), '`id` must be a positive whole number.'],
    [bad('', 'type', 'an object'), 'The body must be an object.'],
    [bad('data', 'named', 'given a name'), '`data` must have a name, last_name or company.'],
    [bad('data.note', 'max_bytes', 'at most 100 KB'), '`data.note` is too long: a record can have at most 100 KB.'],
  ])('of %j has the sentence "%s"', (field, sentence) => {
    const problem = validationProblem([field])
    expect(problem.message).toBe(sentence)
    expect(problem.fields).toEqual([field])
  })

  test('has the word field_not_writable if a field is protected, else validation_failed', () => {
    expect(validationProblem([bad('a'), bad('b')]).word).toBe('validation_failed')
    expect(validationProblem([bad('a'), bad('b', 'not_writable')]).word).toBe('field_not_writable')
    expect(validationProblem([]).word).toBe('validation_failed')
  })

  test('has a sentence with the first field and the number of further fields', () => {
    expect(validationProblem([bad('a'), bad('b'), bad('c')]).message).toBe('`a` must be text. `fields` lists 2 more.')
    expect(validationProblem([]).message).toBe(errors.validation_failed[1])
  })

  test('lists at most 20 fields, and its sentence counts those', () => {
    const many = Array.from({ length: 30 }, (_, n) => bad(`f${n}`))
    expect(validationProblem(many).fields).toEqual(many.slice(0, 20))
    expect(validationProblem(many).message).toBe('`f0` must be text. `fields` lists 19 more.')
  })
})

describe('a problem', () => {
  test('has the status and, by default, the sentence of its word', () => {
    for (const [name, [status, sentence]] of Object.entries(errors)) {
      const problem = new Problem(name as ErrorWord)
      expect([problem.status, problem.message, problem.fields, problem.headers]).toEqual([status, sentence, [], {}])
    }
  })

  test('quota_exceeded has two statuses: for too many records, and for too many requests, which only have to wait', () => {
    expect(new Problem('quota_exceeded').status).toBe(422)
    expect(new Problem('quota_exceeded', { status: 429 }).status).toBe(429)
  })

  test('has a status of the contract and a complete sentence', () => {
    const statuses = [400, 401, 403, 404, 405, 409, 410, 413, 415, 416, 422, 429, 500, 502, 503, 504]
    for (const [status, sentence] of Object.values(errors)) {
      expect(statuses).toContain(status)
      expect(sentence).toMatch(/^[A-Za-z].*\.$/)
    }
  })
})

describe('the validation by a schema', () => {
  const schema = v.object({
    id: Id,
    flag: Flag,
    amount: Money,
    uuid: Uuid,
    kind: word(['a', 'b']),
    fixed: v.literal('wine'),
    name: filled(5),
    plain: v.string(),
    count: v.number(),
    yes: v.boolean(),
    quantity: wholeBetween(1, 9),
    inner: v.object({ list: v.pipe(list(v.object({ id: Id }), 2), v.minLength(1)) }),
  })
  const right = {
    ...{
      id: 1,
      flag: 0,
      amount: '1.00',
      uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
      kind: 'a',
      fixed: 'wine',
      name: 'n',
    },
    ...{ plain: '', count: 1, yes: true, quantity: 1, inner: { list: [{ id: 1 }] } },
  }

  test('returns a valid value', () => {
    expect(validate(schema, right)).toEqual({ ...right, amount: 100 })
  })

  test.each([
    ['id', 'x', 'id', 'a positive whole number'],
    ['id', undefined, 'id', 'a positive whole number'],
    ['flag', 2, 'flag', '0 or 1'],
    ['amount', '1', 'money', 'an amount with two decimals such as "12.50"'],
    ['uuid', 'x', 'uuid', 'a UUID'],
    ['kind', 'c', 'one_of', 'a, b'],
    ['fixed', 'beer', 'one_of', 'wine'],
    ['name', ' ', 'required', 'filled in'],
    ['name', 'abcdef', 'max_length', 'at most 5 characters long'],
    ['plain', 5, 'type', 'text'],
    ['plain', null, 'type', 'text'],
    ['count', '5', 'type', 'a number'],
    ['yes', 1, 'type', 'true or false'],
    ['quantity', 0, 'min_value', '1'],
    ['quantity', 10, 'max_value', '9'],
    ['quantity', 'x', 'whole_number', 'a whole number of 0 or more'],
    ['inner', 5, 'type', 'an object'],
    ['inner', { list: 5 }, 'type', 'a list', 'inner.list'],
    ['inner', { list: [] }, 'min_items', '1', 'inner.list'],
    ['inner', { list: [1, 2, 3] }, 'max_items', '2', 'inner.list'],
    ['inner', { list: [{ id: 1 }, { id: 'x' }] }, 'id', 'a positive whole number', 'inner.list.1.id'],
    ['inner', { list: [{}] }, 'required', 'given', 'inner.list.0.id'],
    ['inner', {}, 'required', 'given', 'inner.list'],
  ])('%s: %j breaks the rule %s', (field, value, rule, expected, path: string = field) => {
    expect(problemOf(schema, { ...right, [field]: value }).fields).toEqual([{ path, rule, expected }])
  })

  test.each([undefined, null, 'text', 5, true])('refuses %j, which is not an object', value => {
    expect(problemOf(schema, value).fields).toEqual([{ path: '', rule: 'type', expected: 'an object' }])
  })

  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]))

  test.each([
    [winesGetAll, { query: 'a'.repeat(201) }, '`query` must be at most 200 characters long.'],
    [winesGetAll, { query: keys(11) }, '`query` must have at most 10 fields.'],
    [winesGetAll, { filter: keys(21) }, '`filter` must have at most 20 fields.'],
    [winesGetAll, { orderBy: 'id, name, type, place, gross, net' }, '`orderBy` must name at most 5 fields.'],
    [winesGetAll, { pageSize: 0 }, '`pageSize` must be a whole number of 1 or more.'],
    [addressesGetAll, { page: 'x' }, '`page` must be a whole number of 1 or more.'],
    [ordersGet, { id: 1, include: 7 }, '`include` must be text or a list.'],
    [productsGetAll, { filter: { colour: 1 } }, /^`filter` must be limited to active, .*, tags\.$/],
  ])('reports a limit or a type in words: %#', ({ body }, asked, sentence) => {
    const { message } = problemOf(body, asked)
    expect(message).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))
  })

  test('reports a missing field as missing, of any type', () => {
    const missing = problemOf(schema, {}).fields
    expect(missing).toEqual(Object.keys(right).map(path => ({ path, rule: 'required', expected: 'given' })))
  })

  test('accepts a colon in the expectation of a rule', () => {
    const timed = v.pipe(
      v.string(),
      must<string>('time', 'like: 12:00', () => false),
    )
    expect(problemOf(timed, 'x').fields).toEqual([{ path: '', rule: 'time', expected: 'like: 12:00' }])
  })

  test('reports all fields that cannot be set, also within other objects', () => {
    const problem = problemOf(addressesEdit.body, { id: 0, data: { city: 5, id: 1, crstamp: 2, constructor: 3 } })
    expect(problem.word).toBe('field_not_writable')
    expect(problem.fields.map(({ path }) => path)).toEqual([
      'id',
      'data.city',
      'data.id',
      'data.crstamp',
      'data.constructor',
    ])
  })

  test('checks an optional strict object as well', () => {
    const optional = v.object({ data: v.nullish(v.strictObject({ a: v.optional(text()) })) })
    expect(problemOf(optional, { data: { a: 'a', b: 1, c: 2 } }).fields.map(({ path }) => path)).toEqual([
      'data.b',
      'data.c',
    ])
  })

  test('reports one field that cannot be set for a strict object in a list', () => {
    const strict = v.array(v.strictObject({ a: text() }))
    expect(problemOf(strict, [{ a: 'a', b: 1 }]).fields.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      '0.b not_writable',
    ])
  })

  test('reports at most 20 of a thousand fields that cannot be set', () => {
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, n]))
    expect(problemOf(AddressChange, fields).fields).toHaveLength(20)
  })
})

const names = [
  ...[
    'data',
    'id',
    'uuid',
    'include',
    'page',
    'pageSize',
    'orderBy',
    'path_segment',
    'token',
    'authid',
    'client_id',
    'type',
  ],
  ...[
    'items',
    'item_type',
    'item_id',
    'quantity',
    'name',
    'city',
    'countrycode',
    'gender',
    'billing',
    'billing_id',
    'gross',
  ],
  ...['note', 'filter', 'query', 'version', 'source', 'payment_type', 'stray', '__proto__', 'constructor', 'toString'],
]
const canary = fc.oneof(
  ...[
    fc.constantFrom(
      'CANARY',
      'CANARY: with a colon',
      'CANARY\n',
      '\ud800CANARY',
      '["CANARY"]',
      'CANARY'.repeat(50),
      '-CANARY.00',
    ),
  ],
  ...[
    fc.constantFrom(777777.125, -777777, 7777777777777777, 77777.7e300),
    fc.constantFrom(null, true, 0, 1, '', 'wine', {}, []),
  ],
)
const { tree } = fc.letrec(tie => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    canary,
    fc.dictionary(fc.constantFrom(...names), tie('tree')),
    fc.array(tie('tree'), { maxLength: 60 }),
  ),
}))

test.each(
  routes.map(route => [route.path, route.body] as const),
)('%s refuses any JSON with a Problem of at most 20 fields, without a received value', (_, schema) => {
  fc.assert(
    fc.property(fc.oneof(tree, fc.record({ data: tree, id: tree })), value => {
      try {
        validate(schema, JSON.parse(JSON.stringify(value)))
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
        const { message, fields, headers, status } = error as Problem
        expect(status).toBe(400)
        expect(fields.length).toBeGreaterThan(0)
        expect(fields.length).toBeLessThanOrEqual(20)
        expect(JSON.stringify([message, fields, headers])).not.toMatch(/CANARY|77777/)
      }
    }),
    { numRuns: runsAllCases ? 100 : 25 },
  )
})
