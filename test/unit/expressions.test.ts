import fc from 'fast-check'
import {
  absent,
  type Change,
  type Clause,
  conditionExpression,
  equals,
  equalsAnyOf,
  Placeholders,
  present,
  updateExpression,
} from '../../shared/platform/table/expressions.ts'

type Item = Record<string, unknown>

const conditioned = (...clauses: Clause<Item>[]) => {
  const places = new Placeholders()
  return { expression: conditionExpression(clauses, places), ...places.parameters() }
}

const changed = (change: Change<Item>) => {
  const places = new Placeholders()
  return { expression: updateExpression(change, places), ...places.parameters() }
}

describe('placeholders', () => {
  test('an attribute has one placeholder, each value has its own', () => {
    const places = new Placeholders()
    expect(['pk', 'sk', 'pk'].map(name => places.name(name))).toEqual(['#n0', '#n1', '#n0'])
    expect(['a', 'a', undefined].map(value => places.value(value))).toEqual([':v0', ':v1', ':v2'])
    expect(places.parameters()).toEqual({
      ExpressionAttributeNames: { '#n0': 'pk', '#n1': 'sk' },
      ExpressionAttributeValues: { ':v0': 'a', ':v1': 'a', ':v2': undefined },
    })
  })

  test('empty maps are left out, because DynamoDB refuses them', () => {
    const places = new Placeholders()
    expect(places.parameters()).toEqual({})
    places.name('pk')
    expect(Object.keys(places.parameters())).toEqual(['ExpressionAttributeNames'])
  })

  test('attributes may have the names of members of every object', () => {
    const places = new Placeholders()
    const attributes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']
    expect(attributes.map(name => places.name(name))).toEqual(['#n0', '#n1', '#n2', '#n3', '#n4'])
    expect(Object.values(places.names)).toEqual(attributes)
  })
})

describe('conditions', () => {
  test('without clauses there is no condition', () => {
    expect(conditioned()).toEqual({ expression: undefined })
  })

  test.each(['=', '<>', '<', '<=', '>', '>='] as const)('an attribute is compared by %s', is => {
    expect(conditioned({ attribute: 'version', is, value: 3 })).toEqual({
      expression: `#n0 ${is} :v0`,
      ExpressionAttributeNames: { '#n0': 'version' },
      ExpressionAttributeValues: { ':v0': 3 },
    })
  })

  test('an item exists if its partition key does', () => {
    expect(conditioned(present)).toEqual({
      expression: 'attribute_exists(#n0)',
      ExpressionAttributeNames: { '#n0': 'pk' },
    })
    expect(conditioned(absent)).toMatchObject({ expression: 'attribute_not_exists(#n0)' })
  })

  test('an attribute may be required to be text', () => {
    expect(conditioned({ attribute: 'pdf', is: 'text' })).toEqual({
      expression: 'attribute_type(#n0, :v0)',
      ExpressionAttributeNames: { '#n0': 'pdf' },
      ExpressionAttributeValues: { ':v0': 'S' },
    })
  })

  test('an undefined value is compared, not left out', () => {
    expect(conditioned(equals('payment', undefined)).expression).toBe('#n0 = :v0')
    expect(conditioned(equals('payment', null)).ExpressionAttributeValues).toEqual({ ':v0': null })
  })

  test('all clauses must be true; alternatives are in brackets', () => {
    const over: Clause<Item> = { anyOf: [absent, { attribute: 'expires', is: '<=', value: 5 }] }
    expect(conditioned(equals('status', 'new'), over, equals('pk', 'a'))).toEqual({
      expression: '#n0 = :v0 AND (attribute_not_exists(#n1) OR #n2 <= :v1) AND #n1 = :v2',
      ExpressionAttributeNames: { '#n0': 'status', '#n1': 'pk', '#n2': 'expires' },
      ExpressionAttributeValues: { ':v0': 'new', ':v1': 5, ':v2': 'a' },
    })
  })

  test('oneOf a list is an alternative for each value', () => {
    expect(conditioned(equalsAnyOf('status', ['open', 'pending']))).toEqual({
      expression: '(#n0 = :v0 OR #n0 = :v1)',
      ExpressionAttributeNames: { '#n0': 'status' },
      ExpressionAttributeValues: { ':v0': 'open', ':v1': 'pending' },
    })
  })

  test('alternatives may be nested', () => {
    expect(conditioned({ anyOf: [present, { anyOf: [absent, equals('a', 1)] }] }).expression).toBe(
      '(attribute_exists(#n0) OR (attribute_not_exists(#n0) OR #n1 = :v0))',
    )
  })
})

describe('changes', () => {
  test('each verb is written once, with its terms', () => {
    const change = { set: { name: 'a', city: 'b' }, remove: ['phone', 'mail'], add: { version: 1, count: -2 } }
    expect(changed(change)).toEqual({
      expression: 'SET #n0 = :v0, #n1 = :v1 REMOVE #n2, #n3 ADD #n4 :v2, #n5 :v3',
      ExpressionAttributeNames: {
        '#n0': 'name',
        '#n1': 'city',
        '#n2': 'phone',
        '#n3': 'mail',
        '#n4': 'version',
        '#n5': 'count',
      },
      ExpressionAttributeValues: { ':v0': 'a', ':v1': 'b', ':v2': 1, ':v3': -2 },
    })
  })

  test.each<[Change<Item>, string]>([
    [{}, ''],
    [{ set: {}, remove: [], add: {} }, ''],
    [{ set: { a: null } }, 'SET #n0 = :v0'],
    [{ set: { a: undefined, b: 1 }, add: { c: undefined as never } }, 'SET #n0 = :v0'],
    [{ remove: ['a'] }, 'REMOVE #n0'],
    [{ add: { a: 0 } }, 'ADD #n0 :v0'],
    [{ set: { a: 1 }, add: { b: 1 } }, 'SET #n0 = :v0 ADD #n1 :v1'],
  ])('%j is "%s"', (change, expression) => {
    expect(changed(change).expression).toBe(expression)
  })

  test('an item gets its index keys, loses them, or keeps them', () => {
    const placed = changed({ set: { a: 1 }, index: 'due#5' })
    expect(placed).toEqual({
      expression: 'SET #n0 = :v0, #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'a', '#n1': 'lsi1sk' },
      ExpressionAttributeValues: { ':v0': 1, ':v1': 'due#5' },
    })
    const taken = changed({ remove: ['a'], index: null })
    expect(taken).toEqual({ expression: 'REMOVE #n0, #n1', ExpressionAttributeNames: { '#n0': 'a', '#n1': 'lsi1sk' } })
    expect(changed({ set: { a: 1 } }).ExpressionAttributeNames).toEqual({ '#n0': 'a' })
  })

  test('a condition of the same request shares its names, and its values are numbered after the others', () => {
    const places = new Placeholders()
    expect(updateExpression({ set: { status: 'new' } }, places)).toBe('SET #n0 = :v0')
    expect(conditionExpression([equals('status', 'old'), present], places)).toBe('#n0 = :v1 AND attribute_exists(#n1)')
    expect(places.values).toEqual({ ':v0': 'new', ':v1': 'old' })
  })
})

describe('for any attributes and values', () => {
  const attribute = fc.oneof(
    fc.string(),
    fc.constantFrom('pk', '__proto__', 'a OR b', '#n0', ':v0', 'x) OR (1 = 1', 'SET'),
  )
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(':v0', 'x OR true'))
  const plain = fc.oneof(
    fc.record({ attribute, is: fc.constantFrom('=', '<>', '<', '<=', '>', '>='), value }),
    fc.record({ attribute, is: fc.constantFrom('present', 'absent', 'text') }),
  ) as fc.Arbitrary<Clause>
  const clause = fc.oneof(plain, fc.record({ anyOf: fc.array(plain, { minLength: 1, maxLength: 3 }) }))
  const parts = {
    set: fc.dictionary(attribute, value),
    remove: fc.array(attribute),
    add: fc.dictionary(attribute, fc.integer()),
  }

  const used = (expression: string, sign: '#n' | ':v') => new Set(expression.match(new RegExp(`${sign}\\d+`, 'g')))

  test('none of them is in an expression as text, and each placeholder in it is defined and used', () => {
    const known = /^(#n\d+|:v\d+|SET|REMOVE|ADD|AND|OR|attribute_(not_exists|exists|type)|<>|<=|>=|[=<>(), ])*$/
    fc.assert(
      fc.property(fc.record(parts), fc.array(clause, { maxLength: 4 }), (change, clauses) => {
        const places = new Placeholders()
        const expression = `${updateExpression(change, places)} ${conditionExpression(clauses, places) ?? ''}`
        expect(expression).toMatch(known)
        expect(used(expression, '#n')).toEqual(new Set(Object.keys(places.names)))
        expect(used(expression, ':v')).toEqual(new Set(Object.keys(places.values)))
        expect(new Set(Object.values(places.names)).size).toBe(Object.keys(places.names).length)
      }),
    )
  })
})
