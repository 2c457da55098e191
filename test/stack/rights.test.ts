import { fallback, routes } from '../../shared/contract/index.ts'
import type { Route } from '../../shared/contract/route.ts'
import { sessionCheck } from '../../shared/contract/sign-in.ts'
import { type Shape, shapes } from '../../shared/table/keys.ts'
import { ofType, onlyOne, type Properties, referred, templateOf } from './synthesized.ts'

const { resources } = templateOf('dev')
const { id: table } = onlyOne(resources, 'AWS::DynamoDB::Table')
const { id: bucket } = onlyOne(resources, 'AWS::S3::Bucket')

const tableArn = { 'Fn::GetAtt': [table, 'Arn'] }
const indexArn = { 'Fn::Join': ['', [tableArn, '/index/by-order']] }
const objectsBelow = (prefix: string) => ({ 'Fn::Join': ['', [{ 'Fn::GetAtt': [bucket, 'Arn'] }, `/${prefix}/*`]] })

// What each word of a route means to IAM, said here a second time on purpose.
const meaning: Record<string, [action: string, resource: unknown]> = {
  get: ['dynamodb:GetItem', tableArn],
  batchGet: ['dynamodb:BatchGetItem', tableArn],
  query: ['dynamodb:Query', tableArn],
  queryIndex: ['dynamodb:Query', indexArn],
  put: ['dynamodb:PutItem', tableArn],
  update: ['dynamodb:UpdateItem', tableArn],
  delete: ['dynamodb:DeleteItem', tableArn],
  check: ['dynamodb:ConditionCheckItem', tableArn],
  readExpertise: ['s3:GetObject', objectsBelow('expertise')],
  writeExpertise: ['s3:PutObject', objectsBelow('expertise')],
  readSnapshots: ['s3:GetObject', objectsBelow('snapshots')],
  writeSnapshots: ['s3:PutObject', objectsBelow('snapshots')],
}

type Right = { action: string; resource: unknown; keys: string }
type Statement = {
  Effect: string
  Action: string | string[]
  Resource: unknown
  Condition?: { 'ForAllValues:StringLike'?: { 'dynamodb:LeadingKeys'?: string | string[] } }
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value])

const patternOf = (shape: string) => shapes[shape as Shape].pk.replace(/\{[a-z]+\}/gi, '*')

const right = (word: string, keys = ''): Right => {
  const [action, resource] = meaning[word] ?? ['', '']
  return { action, resource, keys }
}

const declared = ({ touches, files, level }: Route): Right[] => {
  const items = [...Object.entries(touches), ...Object.entries(level === 'service' ? sessionCheck : {})]
  return [
    ...items.flatMap(([shape, verbs]) => verbs.map(verb => right(verb, patternOf(shape)))),
    ...files.map(one => right(one)),
  ]
}

const functionIdOf = (route: Route): string => {
  const key = route === fallback ? '$default' : `ANY ${route.path}`
  const wanted = ofType(resources, 'AWS::ApiGatewayV2::Route').find(({ Properties }) => Properties.RouteKey === key)
  const target = wanted?.Properties.Target as { 'Fn::Join': [string, unknown[]] }
  return referred(resources[referred(target['Fn::Join'][1][1])]?.Properties.IntegrationUri)
}

const policies = ofType(resources, 'AWS::IAM::Policy').map(({ Properties: { Roles, PolicyDocument } }) => ({
  roles: (Roles as unknown[]).map(referred),
  statements: (PolicyDocument as { Statement: Statement[] }).Statement,
}))

const roleOf = (route: Route): string => referred(resources[functionIdOf(route)]?.Properties.Role)

const statementsOf = (route: Route): Statement[] =>
  policies.filter(({ roles }) => roles.includes(roleOf(route))).flatMap(({ statements }) => statements)

const actionsOf = ({ Action }: Statement) => list(Action)
const isLogging = (statement: Statement) => actionsOf(statement).every(action => action.startsWith('logs:'))

const granted = (route: Route): Right[] =>
  statementsOf(route)
    .filter(statement => !isLogging(statement))
    .flatMap(({ Action, Resource, Condition }) => {
      const keys = list(Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? '')
      return list(Action).flatMap(action =>
        list(Resource).flatMap(resource => keys.map(one => ({ action, resource, keys: one }))),
      )
    })

const texts = (rights: readonly Right[]) => [...new Set(rights.map(one => JSON.stringify(one)))].sort()

const all = [...routes, fallback].map(route => [route.path, route] as const)

test.each(all)('%s may do what its route declares, and nothing else', (_, route) => {
  expect(texts(granted(route))).toEqual(texts(declared(route)))
})

test.each(all)('%s writes its own log and no other', (_, route) => {
  const { LogGroup } = resources[functionIdOf(route)]?.Properties.LoggingConfig as Properties
  expect(statementsOf(route).filter(isLogging)).toEqual([
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [referred(LogGroup), 'Arn'] },
    },
  ])
})

test('each function has a role of its own, assumed by Lambda only, without managed policies', () => {
  const roles = ofType(resources, 'AWS::IAM::Role')
  expect(roles.map(({ id }) => id).sort()).toEqual(all.map(([, route]) => roleOf(route)).sort())
  for (const { Properties } of roles) {
    expect(Properties.ManagedPolicyArns).toBeUndefined()
    expect(Properties.Policies).toBeUndefined()
    expect((Properties.AssumeRolePolicyDocument as { Statement: unknown }).Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
    ])
  }
})

test('every right on the table names the partitions it is for', () => {
  for (const statement of policies.flatMap(({ statements }) => statements)) {
    expect(statement.Effect).toBe('Allow')
    if (!actionsOf(statement).some(action => action.startsWith('dynamodb:'))) continue
    expect(Object.keys(statement.Condition ?? {})).toEqual(['ForAllValues:StringLike'])
    const patterns = list(statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [])
    expect(patterns.length).toBeGreaterThan(0)
    expect(patterns).not.toContain('*')
  }
})

test('no policy holds a wildcard action, a scan, PartiQL or a whole resource', () => {
  const actions = new Set(policies.flatMap(({ statements }) => statements.flatMap(actionsOf)))
  const known = new Set(['logs:CreateLogStream', 'logs:PutLogEvents', ...Object.values(meaning).map(([name]) => name)])
  expect([...actions].filter(action => !known.has(action))).toEqual([])
  expect([...actions].filter(action => /\*|Scan|PartiQL/.test(action))).toEqual([])
  for (const { Resource } of policies.flatMap(({ statements }) => statements)) {
    for (const one of list(Resource)) expect(one).toEqual(expect.any(Object))
  }
})

// The part of a pattern before its first wildcard must part ways with the prefix.
const canMeet = (pattern: string, prefix: string): boolean => {
  const [literal = ''] = pattern.split(/[*?]/)
  return literal.startsWith(prefix) || prefix.startsWith(literal)
}

const tableRights = (route: Route) => granted(route).filter(({ action }) => action.startsWith('dynamodb:'))

test.each(all.filter(([, { level }]) => level !== 'service'))('%s reaches no partition of a merchant', (_, route) => {
  expect(tableRights(route).filter(({ keys }) => canMeet(keys, 'm#'))).toEqual([])
})

test('the function of unknown paths may do nothing but write its log', () => {
  expect(granted(fallback)).toEqual([])
})

test('only sign-in may write sessions, and nothing but sign-in and the session check touches credentials', () => {
  const touching = (prefix: string, actions: RegExp) =>
    all
      .filter(([, route]) =>
        tableRights(route).some(({ action, keys }) => canMeet(keys, prefix) && actions.test(action)),
      )
      .map(([path]) => path)
  expect(touching('session#', /Put|Update|Delete/)).toEqual(['/service/login'])
  expect(touching('credential#', /Put|Update|Delete/)).toEqual([])
  expect(touching('credential#', /:GetItem/)).toEqual(['/service/login'])
})

test('a right on one kind of item is none on another kind of the same merchant', () => {
  const own = Object.values(shapes)
    .map(({ pk }) => pk as string)
    .filter(pk => pk.startsWith('m#'))
  for (const pk of own) {
    const pattern = new RegExp(`^${pk.replace(/\{\w+\}/g, '.*')}$`)
    const covered = own.filter(other => pattern.test(other.replace(/\{\w+\}/g, '7')))
    expect(new Set(covered)).toEqual(new Set([pk]))
  }
})
