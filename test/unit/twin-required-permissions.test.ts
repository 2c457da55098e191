import fc from 'fast-check'
import { isAllowed, type Statement } from '../../lib/twin/iam/policy.ts'
import { type DynamoRequest, requestedActions } from '../../lib/twin/iam/required-permissions.ts'
import { tableArn } from '../../lib/twin/template/resolve.ts'

const toy = tableArn('toy')
const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } })

/** The rights a request needs, one line an action: action, resource, leading keys. */
const needs = (operation: string, request: DynamoRequest) =>
  requestedActions(operation, request, tableArn).map(({ action, resource, context }) => [
    action,
    resource,
    context['dynamodb:LeadingKeys'],
  ])

describe('requests for one item', () => {
  test.each(['GetItem', 'UpdateItem', 'DeleteItem'])('%s needs the permission of its name on the key', operation => {
    expect(needs(operation, { TableName: 'toy', Key: keyOf('m#7#orders') })).toEqual([
      [`dynamodb:${operation}`, toy, ['m#7#orders']],
    ])
  })

  test('PutItem needs it on the key of the item', () => {
    const Item = { ...keyOf('m#7#orders'), name: { S: 'a' } }
    expect(needs('PutItem', { TableName: 'toy', Item })).toEqual([['dynamodb:PutItem', toy, ['m#7#orders']]])
  })

  test('a key without a readable partition counts as the empty one', () => {
    const unreadable = [{}, { sk: { S: 'x' } }, { pk: {} }, { pk: { N: '7' } }] as NonNullable<DynamoRequest['Key']>[]
    for (const Key of unreadable) {
      expect(needs('GetItem', { TableName: 'toy', Key })).toEqual([['dynamodb:GetItem', toy, ['']]])
    }
  })
})

describe('requests for many items', () => {
  test('BatchGetItem is checked as a whole, with all keys of a table', () => {
    const Keys = [keyOf('session#a'), keyOf('credential#b')]
    expect(needs('BatchGetItem', { RequestItems: { toy: { Keys }, other: { Keys: [keyOf('c')] } } })).toEqual([
      ['dynamodb:BatchGetItem', toy, ['session#a', 'credential#b']],
      ['dynamodb:BatchGetItem', tableArn('other'), ['c']],
    ])
  })

  test('BatchWriteItem is checked as a whole, with all puts and deletes', () => {
    const entries = [{ PutRequest: { Item: keyOf('a') } }, { DeleteRequest: { Key: keyOf('b') } }, {}]
    expect(needs('BatchWriteItem', { RequestItems: { toy: entries } })).toEqual([
      ['dynamodb:BatchWriteItem', toy, ['a', 'b', '']],
    ])
  })

  test('a transaction is checked action by action', () => {
    const TransactItems: DynamoRequest['TransactItems'] = [
      { Put: { TableName: 'toy', Item: keyOf('a') } },
      { Update: { TableName: 'toy', Key: keyOf('b') } },
      { Delete: { TableName: 'other', Key: keyOf('c') } },
      { ConditionCheck: { TableName: 'toy', Key: keyOf('d') } },
    ]
    expect(needs('TransactWriteItems', { TransactItems })).toEqual([
      ['dynamodb:PutItem', toy, ['a']],
      ['dynamodb:UpdateItem', toy, ['b']],
      ['dynamodb:DeleteItem', tableArn('other'), ['c']],
      ['dynamodb:ConditionCheckItem', toy, ['d']],
    ])
    expect(needs('TransactGetItems', { TransactItems: [{ Get: { TableName: 'toy', Key: keyOf('e') } }] })).toEqual([
      ['dynamodb:GetItem', toy, ['e']],
    ])
  })

  test('an unknown action needs a permission that no role has', () => {
    expect(needs('TransactWriteItems', { TransactItems: [{ Drop: { TableName: 'toy', Key: keyOf('a') } }] })).toEqual([
      ['dynamodb:Drop', toy, ['a']],
    ])
  })

  test.each([
    'Scan',
    'DescribeTable',
    'DeleteTable',
    'UpdateTable',
  ])('%s needs the permission of its name on the table', operation => {
    expect(needs(operation, { TableName: 'toy' })).toEqual([[`dynamodb:${operation}`, toy, []]])
  })
})

describe('queries', () => {
  const places = {
    ExpressionAttributeNames: { '#n0': 'sk', '#n1': 'pk', '#k': 'pk' },
    ExpressionAttributeValues: { ':v0': { S: 'm#7#orders' }, ':v1': { S: 'm#8#orders' }, ':n': {} },
  }
  const query = (KeyConditionExpression: string | undefined, more: DynamoRequest = {}): DynamoRequest => ({
    TableName: 'toy',
    ...places,
    ...(KeyConditionExpression !== undefined && { KeyConditionExpression }),
    ...more,
  })
  const queried = (expression: string | undefined) => needs('Query', query(expression))[0]?.[2]

  test('a query of an index is checked on the index', () => {
    expect(needs('Query', query('pk = :v0'))).toEqual([['dynamodb:Query', toy, ['m#7#orders']]])
    expect(needs('Query', query('pk = :v0', { IndexName: 'lsi1' }))).toEqual([
      ['dynamodb:Query', `${toy}/index/lsi1`, ['m#7#orders']],
    ])
  })

  test.each([
    'pk = :v0',
    'pk=:v0',
    '#k = :v0',
    '(#n1 = :v0)',
    '#n1 = :v0 AND #n0 > :v1',
    '#n0 = :v1 AND #n1 = :v0',
    '#n0 >= :v1 and #n1 = :v0',
    'begins_with(#n0, :v1) AND pk = :v0',
    'sk BETWEEN :v1 AND :v1 AND #k = :v0',
    '  pk\n =\t:v0 ',
  ])('%j reads the partition of :v0', expression => {
    expect(queried(expression)).toEqual(['m#7#orders'])
  })

  test.each([
    undefined,
    '',
    ':v0 = pk',
    ':v0 = #k',
    'pk > :v0',
    'pk >= :v0',
    'pk <> :v0',
    'begins_with(pk, :v0)',
    'pk BETWEEN :v0 AND :v0',
    'pk IN (:v0)',
    'sk = :v0',
    '#n0 = :v0',
    'xpk = :v0',
    'pkx = :v0',
    '#pk = :v0',
    'PK = :v0',
    'pk = :missing',
    'pk = :n',
    'pk = v0',
    'pk = m#7#orders',
  ])('the partition of %j is unreadable and counts as the empty one', expression => {
    expect(queried(expression)).toEqual([''])
  })

  test('a placeholder is resolved, not read as a name', () => {
    const aliased = { ...places, ExpressionAttributeNames: { pk: 'sk', '#n0': 'pk' } }
    expect(needs('Query', { ...query('pk = :v0'), ...aliased })[0]?.[2]).toEqual([''])
    expect(needs('Query', { ...query('pk = :v1 AND #n0 = :v0'), ...aliased })[0]?.[2]).toEqual(['m#7#orders'])
  })

  test('the legacy form of a key condition is unreadable, too', () => {
    const KeyConditions = { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'm#7#orders' }] } }
    expect(needs('Query', { TableName: 'toy', KeyConditions } as DynamoRequest)).toEqual([
      ['dynamodb:Query', toy, ['']],
    ])
  })

  test('unreadable requests are denied by every leading-keys condition of a merchant', () => {
    const own: Statement = {
      effect: 'Allow',
      actions: ['dynamodb:Query'],
      resources: [toy],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['m#*#orders'] } },
    }
    const allowed = (expression: string) =>
      requestedActions('Query', query(expression), tableArn).every(action => isAllowed([own], action))
    expect(allowed('pk = :v0')).toBe(true)
    expect(allowed(':v0 = pk')).toBe(false)
    expect(allowed('sk = :v0')).toBe(false)
  })

  test('for any condition, the key is a value of the request or the empty text', () => {
    const part = fc.constantFrom(
      'pk',
      '#k',
      '#n0',
      ':v0',
      ':v1',
      ':n',
      ':x',
      '=',
      '>',
      ' AND ',
      '(',
      ')',
      ' ',
      'begins_with',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), parts => {
        expect(queried(parts.join(''))).toHaveLength(1)
        expect(['', 'm#7#orders', 'm#8#orders']).toContain(queried(parts.join(''))?.[0])
      }),
    )
  })
})
