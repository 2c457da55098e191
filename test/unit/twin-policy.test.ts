import fc from 'fast-check'
import { isAllowed, matches, type RequestedAction, type Statement } from '../../lib/twin/iam/policy.ts'

const table = 'arn:aws:dynamodb:eu-central-1:000000000000:table/toy'
const allow = (more: Partial<Statement> = {}): Statement => ({
  effect: 'Allow',
  actions: ['dynamodb:GetItem'],
  resources: [table],
  conditions: {},
  ...more,
})
const deny = (more: Partial<Statement> = {}): Statement => allow({ effect: 'Deny', ...more })
const requested = (more: Partial<RequestedAction> = {}): RequestedAction => ({
  action: 'dynamodb:GetItem',
  resource: table,
  context: {},
  ...more,
})

describe('patterns', () => {
  test.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'anything at all\nover lines', true],
    ['a*', 'a', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abcd', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'abbc', false],
    ['a?c', 'a\nc', true],
    ['**', 'abc', true],
    ['m#*#orders', 'm#7#orders', true],
    ['m#*#orders', 'm##orders', true],
    ['m#*#orders', 'm#7#order-items', false],
    ['m#*#orders', 'xm#7#orders', false],
    ['m#*#orders', 'm#7#ordersx', false],
    ['ABC', 'abc', false],
  ])('%j on %j: %p', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  test.each([
    'a.c',
    'a+',
    '(a)',
    '[a]',
    'a|b',
    '^a$',
    'a{2}',
    'a\\d',
    '$&',
    'a/b',
  ])('in %s every character is literal', pattern => {
    expect(matches(pattern, pattern)).toBe(true)
    for (const text of ['abc', 'aa', 'a', 'b', 'a1']) expect(matches(pattern, text)).toBe(false)
  })

  test('a text without wildcards matches only itself', () => {
    const literal = fc.string({ unit: 'binary' }).filter(text => !/[*?]/.test(text))
    fc.assert(
      fc.property(literal, literal, (one, other) => {
        expect(matches(one, one)).toBe(true)
        expect(matches(one, other)).toBe(one === other)
      }),
    )
  })

  test('texts before, between and after stars must match', () => {
    const literal = fc.stringMatching(/^[a-c.+#]{0,4}$/)
    fc.assert(
      fc.property(
        fc.array(literal, { minLength: 2, maxLength: 4 }),
        fc.array(fc.string(), { minLength: 3 }),
        (parts, fillings) => {
          const text = parts
            .map((part, n) => (n === 0 ? part : `${fillings[(n - 1) % fillings.length]}${part}`))
            .join('')
          expect(matches(parts.join('*'), text)).toBe(true)
        },
      ),
    )
  })
})

describe('the decision', () => {
  test('nothing is allowed without a statement', () => {
    expect(isAllowed([], requested())).toBe(false)
    expect(isAllowed([deny()], requested())).toBe(false)
    expect(isAllowed([allow()], requested())).toBe(true)
  })

  test('a denial takes precedence over any number of allowances, in any order', () => {
    const statements = fc.array(fc.constantFrom(allow(), allow({ actions: ['*'], resources: ['*'] })), { maxLength: 4 })
    fc.assert(
      fc.property(statements, statements, (before, after) => {
        expect(isAllowed([...before, deny(), ...after], requested())).toBe(false)
        expect(isAllowed([...before, ...after], requested())).toBe(before.length + after.length > 0)
      }),
    )
  })

  test('a denial of something else denies nothing', () => {
    expect(isAllowed([allow(), deny({ actions: ['dynamodb:PutItem'] })], requested())).toBe(true)
    expect(isAllowed([allow(), deny({ resources: [`${table}/index/*`] })], requested())).toBe(true)
    expect(isAllowed([allow(), deny({ conditions: { StringEquals: { key: 'x' } } })], requested())).toBe(true)
  })

  test('one of several actions and resources is enough', () => {
    const several = allow({ actions: ['dynamodb:PutItem', 'dynamodb:Get*'], resources: ['x', `${table}*`] })
    expect(isAllowed([several], requested())).toBe(true)
    expect(isAllowed([several], requested({ resource: `${table}/index/lsi1` }))).toBe(true)
    expect(isAllowed([several], requested({ action: 'dynamodb:Query' }))).toBe(false)
  })

  test('action and resource must be allowed by the same statement', () => {
    const apart = [allow({ resources: ['other'] }), allow({ actions: ['dynamodb:Query'] })]
    expect(isAllowed(apart, requested())).toBe(false)
  })

  test('actions are compared without regard to case, resources with it', () => {
    expect(isAllowed([allow({ actions: ['DynamoDB:getitem'] })], requested())).toBe(true)
    expect(isAllowed([allow({ resources: [table.toUpperCase()] })], requested())).toBe(false)
  })

  test('the permission for a table does not include its index', () => {
    expect(isAllowed([allow()], requested({ resource: `${table}/index/lsi1` }))).toBe(false)
  })
})

describe('conditions', () => {
  const holds = (conditions: Statement['conditions'], context: RequestedAction['context']) =>
    isAllowed([allow({ conditions })], requested({ context }))
  const keys = (...values: string[]) => ({ 'dynamodb:LeadingKeys': values })
  const leading = (...patterns: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } })

  test('ForAllValues is true if every value matches some pattern', () => {
    expect(holds(leading('m#*#orders', 'm#*#wines'), keys('m#7#orders', 'm#7#wines'))).toBe(true)
    expect(holds(leading('m#*#orders'), keys('m#7#orders', 'm#7#wines'))).toBe(false)
    expect(holds(leading('m#*#orders'), keys('m#7#orders', ''))).toBe(false)
  })

  test('ForAllValues is true without a value, as in IAM', () => {
    expect(holds(leading('m#*#orders'), keys())).toBe(true)
    expect(holds(leading('m#*#orders'), {})).toBe(true)
    expect(holds(leading(), keys())).toBe(true)
    expect(holds(leading(), keys('m#7#orders'))).toBe(false)
  })

  test.each([
    ['StringEquals', 'a', 'a', true],
    ['StringEquals', ['b', 'a'], 'a', true],
    ['StringEquals', 'a*', 'abc', false],
    ['StringEquals', 'a', 'A', false],
    ['StringLike', 'a*', 'abc', true],
    ['StringLike', ['x', 'a?'], 'ab', true],
    ['StringLike', 'a?', 'abc', false],
    ['Bool', 'true', 'true', true],
    ['Bool', 'false', 'true', false],
    ['NumericGreaterThan', '600000', '600001', true],
    ['NumericGreaterThan', '600000', '600000', false],
    ['NumericGreaterThan', '9', '10', true],
    ['NumericGreaterThan', '9', 'x', false],
  ])('%s of %j on %j: %p', (operator, wanted, present, expected) => {
    expect(holds({ [operator]: { key: wanted } }, { key: present })).toBe(expected)
  })

  test.each([
    'StringEquals',
    'StringLike',
    'Bool',
    'NumericGreaterThan',
  ])('%s is false for a key that the request lacks', operator => {
    expect(holds({ [operator]: { key: '0' } }, {})).toBe(false)
  })

  test('all operators and all keys must match', () => {
    const both = { StringEquals: { a: '1', b: '2' }, Bool: { c: 'true' } }
    const right = { a: '1', b: '2', c: 'true' }
    expect(holds(both, right)).toBe(true)
    for (const key of ['a', 'b', 'c']) expect(holds(both, { ...right, [key]: 'x' })).toBe(false)
  })

  test.each([
    'StringNotEquals',
    'StringEqualsIfExists',
    'ForAnyValue:StringLike',
    'stringequals',
    'ArnLike',
  ])('the operator %s is unknown: the twin stops instead of deciding', operator => {
    expect(() => holds({ [operator]: { key: 'a' } }, { key: 'a' })).toThrow(`condition operator ${operator}`)
  })

  test('an unknown operator of a denial stops the twin as well', () => {
    const statements = [allow(), deny({ conditions: { StringNotEquals: { key: 'a' } } })]
    expect(() => isAllowed(statements, requested())).toThrow('StringNotEquals')
  })
})
