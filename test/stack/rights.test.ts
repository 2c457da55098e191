import type { ItemKind } from '../../shared/contract/item-kinds.ts'
import { fallback } from '../../shared/contract/routes/index.ts'
import { keyTable } from '../../shared/platform/table/keys.ts'
import { type Deployed, deployedIn, integrationsOf } from '../support/deployed.ts'
import { ofType, onlyOne, type Properties, referred, templateOf } from '../support/synthesized.ts'

const { resources } = templateOf('dev')
const { id: table } = onlyOne(resources, 'AWS::DynamoDB::Table')
const { id: bus } = onlyOne(resources, 'AWS::Events::EventBus')
const { id: bucket } = onlyOne(resources, 'AWS::S3::Bucket')

const tableArn = { 'Fn::GetAtt': [table, 'Arn'] }
const indexArn = { 'Fn::Join': ['', [tableArn, '/index/lsi1']] }
const objectsBelow = (prefix: string) => ({ 'Fn::Join': ['', [{ 'Fn::GetAtt': [bucket, 'Arn'] }, `/${prefix}/*`]] })

const here = (name: string) => ({ Ref: `AWS::${name}` })
const secretsOfStage = {
  'Fn::Join': [
    '',
    ['arn:', here('Partition'), ':ssm:', here('Region'), ':', here('AccountId'), ':parameter/weinkontor/dev/paypal/*'],
  ],
}

// The meaning of a route's permissions in IAM, repeated here on purpose.
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
  readDocuments: ['s3:GetObject', objectsBelow('documents')],
  writeDocuments: ['s3:PutObject', objectsBelow('documents')],
  readDrafts: ['s3:GetObject', objectsBelow('drafts')],
  writeDrafts: ['s3:PutObject', objectsBelow('drafts')],
  readPictures: ['s3:GetObject', objectsBelow('pictures')],
  writePictures: ['s3:PutObject', objectsBelow('pictures')],
  readUploads: ['s3:GetObject', objectsBelow('uploads')],
  writeUploads: ['s3:PutObject', objectsBelow('uploads')],
  removeUploads: ['s3:DeleteObject', objectsBelow('uploads')],
  readSnapshots: ['s3:GetObject', objectsBelow('snapshots')],
  writeSnapshots: ['s3:PutObject', objectsBelow('snapshots')],
  removeSnapshots: ['s3:DeleteObject', objectsBelow('snapshots')],
  secrets: ['ssm:GetParameter', secretsOfStage],
  events: ['events:PutEvents', { 'Fn::GetAtt': [bus, 'Arn'] }],
}

type Right = { action: string; resource: unknown; keys: string }
type Statement = {
  Effect: string
  Action: string | string[]
  Resource: unknown
  Condition?: {
    'ForAllValues:StringLike'?: { 'dynamodb:LeadingKeys'?: string | string[] }
    StringLike?: { 's3:prefix': string }
  }
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value])

const patternOf = (kind: string) => keyTable[kind as ItemKind].pk.replace(/\{[a-z]+\}/gi, '*')

// Without it S3 answers 403 for a missing object, as without a permission.
const listing = (prefix: string): Right => ({
  action: 's3:ListBucket',
  resource: { 'Fn::GetAtt': [bucket, 'Arn'] },
  keys: `${prefix}/*`,
})

const right = (word: string, keys = ''): Right => {
  const [action, resource] = meaning[word] ?? ['', '']
  return { action, resource, keys }
}

const starting = (id: string): Right => ({
  action: 'lambda:InvokeFunction',
  resource: { 'Fn::GetAtt': [id, 'Arn'] },
  keys: '',
})

const { id: queue } = onlyOne(resources, 'AWS::SQS::Queue')

// Lambda sends failed stream batches with the rights of the function.
const toDeadLetters: Right = { action: 'sqs:SendMessage', resource: { 'Fn::GetAtt': [queue, 'Arn'] }, keys: '' }

const declared = ({ permissions, files, secrets, events, starts, trigger }: Deployed): Right[] => [
  ...permissions.map(([kind, verb]) => right(verb, patternOf(kind))),
  ...files.map(one => right(one)),
  ...files.filter(one => one.startsWith('read')).map(one => listing(one.slice(4).toLowerCase())),
  ...(secrets ? [right('secrets')] : []),
  ...(events ? [right('events')] : []),
  ...(starts ? [starting(starts)] : []),
  ...(trigger && 'follows' in trigger ? [toDeadLetters] : []),
]

type Document = { Statement: Statement[] }

const policies = [
  ...ofType(resources, 'AWS::IAM::Policy').map(({ Properties: { Roles, PolicyDocument } }) => ({
    roles: (Roles as unknown[]).map(referred),
    statements: (PolicyDocument as Document).Statement,
  })),
  ...ofType(resources, 'AWS::IAM::Role').map(({ id, Properties: { Policies = [] } }) => ({
    roles: [id],
    statements: (Policies as { PolicyDocument: Document }[]).flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  })),
]

const roleOf = ({ id }: Deployed): string => referred(resources[id]?.Properties.Role)

const statementsOf = (one: Deployed): Statement[] =>
  policies.filter(({ roles }) => roles.includes(roleOf(one))).flatMap(({ statements }) => statements)

const actionsOf = ({ Action }: Statement) => list(Action)
const isLogging = (statement: Statement) => actionsOf(statement).every(action => action.startsWith('logs:'))
const isFollowing = (statement: Statement) =>
  actionsOf(statement).some(action => /^dynamodb:.*(Stream|GetRecords|Shard)/.test(action))

const granted = (one: Deployed): Right[] =>
  statementsOf(one)
    .filter(statement => !isLogging(statement) && !isFollowing(statement))
    .flatMap(({ Action, Resource, Condition }) => {
      const prefix = Condition?.StringLike?.['s3:prefix'] ?? ''
      const keys = list(Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? prefix)
      return list(Action).flatMap(action =>
        list(Resource).flatMap(resource => keys.map(one => ({ action, resource, keys: one }))),
      )
    })

const texts = (rights: readonly Right[]) => [...new Set(rights.map(one => JSON.stringify(one)))].sort()

const all = deployedIn(resources).map(one => [one.name, one] as const)

test.each(all)('%s has the permissions that it declares, and no others', (_, one) => {
  expect(texts(granted(one))).toEqual(texts(declared(one)))
})

const named = (name: string): Deployed => all.find(([one]) => one === name)?.[1] as Deployed

// Without one of these the sweep as deployed would do nothing.
test('the sweep may list the merchants, query due payments, delete queued orders, start the sweep of a merchant, and nothing else', () => {
  const waiting = 'm#*#queued-orders'
  const rights = [
    right('query', 'merchants'),
    right('queryIndex', 'm#*#payments'),
    right('query', waiting),
    right('delete', waiting),
  ]
  expect(texts(granted(named('jobs/sweep')))).toEqual(texts([...rights, starting(named('jobs/sweepMerchant').id)]))
})

test('the sweep of a merchant finds payments by the index, and starts nothing', () => {
  const rights = granted(named('jobs/sweepMerchant'))
  expect(texts(rights)).toContain(JSON.stringify(right('queryIndex', 'm#*#payments')))
  expect(rights.filter(({ action }) => action.startsWith('lambda:'))).toEqual([])
})

// The part of a pattern before its first wildcard must part ways with the prefix.
const canMeet = (pattern: string, prefix: string): boolean => {
  const [literal = ''] = pattern.split(/[*?]/)
  return literal.startsWith(prefix) || prefix.startsWith(literal)
}

test('public items are written by the jobs that publish only', () => {
  const isWriting = ({ action }: Right) => /PutItem|UpdateItem|DeleteItem/.test(action)
  const writers = all.filter(([, one]) => granted(one).some(one => isWriting(one) && canMeet(one.keys, 'public')))
  expect(writers.map(([name]) => name).sort()).toEqual(['jobs/publish', 'jobs/publishMissed'])
})

test('only the job of events publishes to the bus', () => {
  const tellers = all.filter(([, one]) => granted(one).some(({ action }) => action.startsWith('events:')))
  expect(tellers.map(([name]) => name)).toEqual(['jobs/events'])
  expect(texts(granted(named('jobs/events')))).toContain(JSON.stringify(right('events')))
})

test('only the sweep, publishing and a rebuild of snapshots may start a function', () => {
  const starters = all.filter(([, one]) => granted(one).some(({ action }) => action.startsWith('lambda:')))
  expect(starters.map(([name]) => name).sort()).toEqual(['jobs/publish', 'jobs/rebuildSnapshots', 'jobs/sweep'])
})

test.each(all)('%s writes its own log and no other', (_, one) => {
  const { LogGroup } = resources[one.id]?.Properties.LoggingConfig as Properties
  expect(statementsOf(one).filter(isLogging)).toEqual([
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [referred(LogGroup), 'Arn'] },
    },
  ])
})

test.each(all)('%s may read the stream if and only if it follows the table', (_, one) => {
  const stream = { 'Fn::GetAtt': [table, 'StreamArn'] }
  const following = [
    {
      Effect: 'Allow',
      Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      Resource: stream,
    },
    // The one action that knows no narrower resource.
    { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: '*' },
  ]
  expect(statementsOf(one).filter(isFollowing)).toEqual(one.trigger && 'follows' in one.trigger ? following : [])
})

test('each function has a role of its own, assumed by Lambda only, without managed policies; one more role is the API’s', () => {
  const byApi = referred(integrationsOf(resources).get('$default')?.credentials)
  const every = ofType(resources, 'AWS::IAM::Role')
  const roles = every.filter(({ id }) => id !== byApi)
  expect(roles.map(({ id }) => id).sort()).toEqual(all.map(([, one]) => roleOf(one)).sort())
  expect([...new Set(policies.flatMap(one => one.roles))].sort()).toEqual(every.map(({ id }) => id).sort())
  for (const { Properties } of roles) {
    expect(Properties.ManagedPolicyArns).toBeUndefined()
    expect(Properties.Policies).toHaveLength(1)
    expect((Properties.AssumeRolePolicyDocument as { Statement: unknown }).Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
    ])
  }
})

const statements = policies.flatMap(one => one.statements)

test('every permission on items names its partitions', () => {
  const onItems = statements.filter(one => /dynamodb:/.test(`${one.Action}`) && !isFollowing(one))
  expect(onItems.length).toBeGreaterThan(0)
  for (const { Effect, Condition = {} } of onItems) {
    expect(Effect).toBe('Allow')
    expect(Object.keys(Condition)).toEqual(['ForAllValues:StringLike'])
    const patterns = list(Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [])
    expect(patterns.length).toBeGreaterThan(0)
    expect(patterns).not.toContain('*')
  }
})

test('no policy has a wildcard action, a scan, PartiQL, or all resources', () => {
  const actions = [...new Set(statements.flatMap(actionsOf))]
  expect(actions.filter(action => /\*|Scan|PartiQL/.test(action))).toEqual([])
  const everywhere = statements.filter(({ Resource }) => list(Resource).includes('*'))
  expect([...new Set(everywhere.flatMap(actionsOf))]).toEqual(['dynamodb:ListStreams'])
})

const itemRights = (one: Deployed) => granted(one).filter(({ action }) => action.startsWith('dynamodb:'))

const withoutSession = all.filter(([, { kind }]) => kind === 'public' || kind === 'open')

// The first request for a wine's sheet or drawn picture makes it, from the wine and the records that the wine names.
const sheetRights = [
  right('get', 'm#*#wines'),
  right('batchGet', 'm#*#wines'),
  right('put', 'm#*#wines'),
  right('batchGet', 'm#*#catalogue'),
  right('update', 'm#*#catalogue'),
  right('get', 'm#*#merchant'),
  right('batchGet', 'm#*#grapes'),
  right('get', 'm#*#facts'),
  right('check', 'm#*#facts'),
  right('put', 'm#*#sheet-leases'),
  right('delete', 'm#*#sheet-leases'),
]
// The price that is shown depends on the merchant's tax_free.
const makers: Record<string, Right[]> = {
  '/wines/getAll': [right('batchGet', 'm#*#merchant')],
  '/wines/search': [right('batchGet', 'm#*#merchant')],
  '/wines/getPublic': [right('get', 'm#*#merchant')],
  '/PDF/{id}/{file}': sheetRights,
  '/wines/downloadExpertise': sheetRights,
  '/Images/{kind}/{id}/{file}': [right('get', 'm#*#wines')],
}

test.each(withoutSession)('%s has access to no partition of a merchant, except items that it writes', (name, one) => {
  expect(texts(itemRights(one).filter(({ keys }) => canMeet(keys, 'm#')))).toEqual(texts(makers[name] ?? []))
})

test('the function of unknown paths may only write its log', () => {
  const [, unknown] = all.find(([name]) => name === fallback.path) ?? []
  expect(granted(unknown as Deployed)).toEqual([])
})

test('only sign-in may write sessions, only signing out may delete them, and only sign-in and the session check access credentials', () => {
  const touching = (prefix: string, actions: RegExp) =>
    all
      .filter(([, one]) => itemRights(one).some(({ action, keys }) => canMeet(keys, prefix) && actions.test(action)))
      .map(([path]) => path)
  expect(touching('session#', /Put|Update/)).toEqual(['/service/login'])
  expect(touching('session#', /Delete/)).toEqual(['/service/logout'])
  expect(touching('credential#', /Put|Update|Delete/)).toEqual([])
  expect(touching('credential#', /:GetItem/)).toEqual(['/service/login'])
})

test('only a client’s sign-in opens its sessions, and only routes that verify a mail, or the client itself, write accounts', () => {
  const writing = (kind: ItemKind) =>
    all
      .filter(([, one]) =>
        itemRights(one).some(({ action, keys }) => keys === patternOf(kind) && /Put|Update|Delete/.test(action)),
      )
      .map(([path]) => path.replace('/service/clients/', ''))
      .toSorted()
  expect(writing('clientSession')).toEqual(['edit', 'login', 'logout'])
  expect(writing('clientAccess')).toEqual(['activate', 'edit', 'resetPassword'])
  expect(writing('clientHash')).toEqual(['activate', 'getPasswordHash', 'register', 'resetPassword'])
})

test('a permission on one kind of item is none on another kind of the same merchant', () => {
  const own = Object.values(keyTable)
    .map(({ pk }) => pk as string)
    .filter(pk => pk.startsWith('m#'))
  for (const pk of own) {
    const pattern = new RegExp(`^${pk.replace(/\{\w+\}/g, '.*')}$`)
    const covered = own.filter(other => pattern.test(other.replace(/\{\w+\}/g, '7')))
    expect(new Set(covered)).toEqual(new Set([pk]))
  }
})
