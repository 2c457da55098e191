import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deployedStageOf, stageOf } from '../../lib/stack/stage.ts'
import { snapshotLayout } from '../../shared/catalogue/search/snapshot-envelope.ts'
import { routeKindOf } from '../../shared/contract/route.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { type Deployed, deployedIn, integrationsOf, keyOf } from '../support/deployed.ts'
import {
  everyOption,
  frontVariants,
  newApp,
  ofType,
  onlyOne,
  type Properties,
  type Resource,
  type Resources,
  referred,
  templateOf,
} from '../support/synthesized.ts'

const dev = templateOf('dev')
const prod = templateOf('prod')
const complete = templateOf('dev', everyOption)
const { resources } = dev

const table = onlyOne(resources, 'AWS::DynamoDB::Table')
const bus = onlyOne(resources, 'AWS::Events::EventBus')
const bucket = onlyOne(resources, 'AWS::S3::Bucket')
const deadLetters = onlyOne(resources, 'AWS::SQS::Queue')
const stage = onlyOne(resources, 'AWS::ApiGatewayV2::Stage')
const access = referred((stage.Properties.AccessLogSettings as Properties).DestinationArn)
const functions = ofType(resources, 'AWS::Lambda::Function')
const logGroups = ofType(resources, 'AWS::Logs::LogGroup')

const integrations = integrationsOf(resources)
const deployed = deployedIn(resources).map(one => [one.name, one] as const)
const named = (name: string) => deployed.find(([one]) => one === name)?.[1] as Deployed
const keys = [...routes, fallback].map(keyOf)
test('the API answers every route of the contract, with any method, and all other paths by one function', () => {
  const present = [...integrations.keys()]
  expect(present.sort()).toEqual([...keys].sort())
})

test('every declared function has a Lambda, and there is no other', () => {
  expect(functions.map(({ id }) => id).sort()).toEqual(deployed.map(([, { id }]) => id).sort())
})

test.each(deployed)('%s runs on Node 24 and arm64, with the declared memory and timeout', (_, one) => {
  const { Properties } = resources[one.id] as Resource
  expect(Properties).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
    Timeout: one.timeout,
    MemorySize: one.memory,
    Description: one.description,
  })
  expect(Properties.Environment).toEqual({
    Variables: {
      TABLE_NAME: { Ref: table.id },
      STAGE: 'dev',
      ...(one.events && { EVENT_BUS_NAME: { Ref: bus.id } }),
      ...(one.files.length > 0 && { BUCKET_NAME: { Ref: bucket.id } }),
      ...(one.starts && { STARTED_FUNCTION_NAME: { Ref: one.starts } }),
    },
  })
})

test('links begin with the given base URL, without its last slash; it must be an https origin', () => {
  const origins = ofType(frontVariants.byBaseUrl().service.Resources, 'AWS::Lambda::Function').map(
    ({ Properties }) => (Properties.Environment as { Variables: Properties }).Variables.BASE_URL,
  )
  expect(origins).toEqual(Array(functions.length).fill('https://d1.cloudfront.net'))
  for (const baseUrl of [
    '',
    'http://wine.example',
    'https://wine.example/shop',
    'wine.example',
    'https://me@wine.example',
  ])
    expect(() => newApp('dev', {}, { baseUrl })).toThrow('baseUrl must be an origin')
})

/** The functions in which a property differs with every option on, by name. */
const changedFunctions = (property: string) =>
  Object.fromEntries(
    deployed
      .map(([name, { id }]) => [name, complete.resources[id]?.Properties[property], id] as const)
      .filter(([, value, id]) => value !== resources[id]?.Properties[property])
      .map(([name, value]) => [name, value]),
  )

test('publicSearch sets the memory of the functions that load the index of all public wines, and of no other', () => {
  const searching = ['/wines/getAll', '/wines/getFilters', '/wines/search', 'jobs/rebuildScope', 'jobs/snapshots']
  expect(changedFunctions('MemorySize')).toEqual(Object.fromEntries(searching.map(name => [name, 4096])))
  for (const publicSearch of ['512', '20000', '2048.5', 'opensearch', ''])
    expect(() => newApp('dev', {}, { publicSearch })).toThrow('publicSearch must be MB of memory')
})

test('leadingKeys is apart or together', () => {
  for (const leadingKeys of ['', 'both', 'Together'])
    expect(() => newApp('dev', {}, { leadingKeys })).toThrow('leadingKeys must be apart or together')
})

test('payments by the sandbox are allowed, with permissions, only by a setting', () => {
  const texts = [dev, complete].map(({ template }) => JSON.stringify(template.toJSON()))
  expect(texts.map(text => [text.includes('ALLOW_SANDBOX'), text.includes('"sandbox#*"')])).toEqual([
    [false, false],
    [true, true],
  ])
})

test('the stage of the twin is never deployed, because the sandbox would pay there', () => {
  expect(() => deployedStageOf('twin')).toThrow('the stage twin runs on this machine only')
  expect(deployedStageOf('prod').name).toBe('prod')
})

test.each(keys)('%s is passed to its function in payload format 2.0', key => {
  expect(integrations.get(key)).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST', payloadFormatVersion: '2.0' })
})

test('no function of the API has a longer timeout than the API', () => {
  for (const [, { kind, timeout }] of deployed) expect(kind === 'job' || timeout < 30).toBe(true)
})

const permitted = (id: string) =>
  ofType(resources, 'AWS::Lambda::Permission')
    .map(({ Properties }) => Properties)
    .filter(({ FunctionName }) => referred(FunctionName) === id)

test('the API invokes functions by a role of its own, which may invoke those of its stack, and nothing else', () => {
  const roles = [...new Set(keys.map(key => referred(integrations.get(key)?.credentials)))]
  expect(roles).toHaveLength(1)
  const role = resources[roles[0] ?? '']?.Properties
  expect(role?.AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'apigateway.amazonaws.com' },
        Condition: { StringEqualsIfExists: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ],
  })
  const ofAccount = [{ Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }, ':function:Weinkontor-dev-*']
  expect(role?.Policies).toMatchObject([
    {
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'lambda:InvokeFunction',
            Resource: { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':lambda:', ...ofAccount]] },
          },
        ],
      },
    },
  ])
})

test('a stage name fits into the 24 characters of a stack name in the names of functions', () => {
  const longest = stageOf(`p${'0'.repeat(12)}`).name
  expect(`Weinkontor-${longest}`).toHaveLength(24)
  for (const wrong of [`${longest}0`, 'p', 'Prod', '0prod', 'my-prod'])
    expect(() => stageOf(wrong)).toThrow('stage must be 2 to 13 lower-case letters and digits')
})

test.each(deployed)('%s may be invoked by its trigger only', (_, { id, trigger }) => {
  const byClock = { Action: 'lambda:InvokeFunction', Principal: 'events.amazonaws.com' }
  // The API has a role for it, Lambda itself reads the stream, and another job needs no more than a right of its own.
  if (trigger && 'everyMinutes' in trigger) expect(permitted(id)).toMatchObject([byClock])
  else expect(permitted(id)).toEqual([])
})

test('a job that another job starts belongs to an existing job, which starts no other', () => {
  const starters = deployed.flatMap(([, { trigger }]) =>
    trigger && 'startedBy' in trigger ? (trigger.startedBy ?? []) : [],
  )
  expect(starters.sort()).toEqual(['jobs/publish', 'jobs/rebuildSnapshots', 'jobs/sweep'])
  for (const starter of starters) expect(deployed.map(([name]) => name)).toContain(starter)
})

test('timed and started jobs are retried if the next run is far, and events expire before it', () => {
  const configured = ofType(resources, 'AWS::Lambda::EventInvokeConfig').map(({ Properties }) => Properties)
  const expected = deployed.flatMap(([name, { id, trigger }]) => {
    if (!trigger || 'follows' in trigger || 'deployed' in trigger) return []
    const isFar = ['jobs/publishMissed', 'jobs/events', 'jobs/quotas'].includes(name)
    const [MaximumRetryAttempts, MaximumEventAgeInSeconds] = isFar ? [2, 3600] : [0, 300]
    return [{ FunctionName: { Ref: id }, Qualifier: '$LATEST', MaximumRetryAttempts, MaximumEventAgeInSeconds }]
  })
  const byFunction = (all: readonly Properties[]) =>
    all.toSorted((one, other) => (JSON.stringify(one.FunctionName) < JSON.stringify(other.FunctionName) ? -1 : 1))
  expect(byFunction(configured)).toEqual(byFunction(expected))
})

test('a job that follows the table is started by its keys, retried, and reports failed items instead of failing as a whole', () => {
  expect(table.Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' })
  const expected = deployed.flatMap(([, { id, trigger }]) => {
    if (!trigger || !('follows' in trigger)) return []
    const prefixes = (trigger.prefixes ?? []).map(prefix => ({ prefix }))
    const S = [...trigger.follows, ...prefixes]
    // Deletions start no job.
    const Pattern = JSON.stringify({ eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { sk: { S } } } })
    return [
      expect.objectContaining({
        FunctionName: { Ref: id },
        FilterCriteria: { Filters: [{ Pattern }] },
        EventSourceArn: { 'Fn::GetAtt': [table.id, 'StreamArn'] },
        MaximumBatchingWindowInSeconds: trigger.windowSeconds,
        MaximumRetryAttempts: 3,
        MaximumRecordAgeInSeconds: 3600,
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [deadLetters.id, 'Arn'] } } },
      }),
    ]
  })
  expect(ofType(resources, 'AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)).toEqual(expected)
})

test('two functions follow the stream: AWS recommends no third reader', () => {
  expect(ofType(resources, 'AWS::Lambda::EventSourceMapping')).toHaveLength(2)
})

test('the bus is the service’s own, and its events can be replayed for 90 days', () => {
  const archive = onlyOne(resources, 'AWS::Events::Archive')
  expect(archive.Properties).toMatchObject({
    SourceArn: { 'Fn::GetAtt': [bus.id, 'Arn'] },
    EventPattern: { source: ['weinkontor'] },
    RetentionDays: 90,
  })
  expect(dev.template.toJSON().Outputs.EventBusName.Value).toEqual({ Ref: bus.id })
})

test('a deployment of another layout or table writes the snapshots before functions read them', () => {
  const made = Object.entries(resources).filter(([, { Type }]) => Type.startsWith('Custom::'))
  expect(made).toEqual([
    [
      expect.anything(),
      expect.objectContaining({
        Type: 'Custom::SnapshotLayout',
        Properties: {
          ServiceToken: { 'Fn::GetAtt': [named('jobs/rebuildSnapshots').id, 'Arn'] },
          ServiceTimeout: String(named('jobs/rebuildSnapshots').timeout),
          layout: snapshotLayout,
          table: { Ref: table.id },
        },
      }),
    ],
  ])
  const [[id = ''] = []] = made
  const waiting = deployed.filter(([, one]) => resources[one.id]?.DependsOn?.includes(id)).map(([name]) => name)
  const readers = deployed.filter(([, { files }]) => files.includes('readSnapshots')).map(([name]) => name)
  const first = ['jobs/rebuildSnapshots', 'jobs/rebuildScope']
  expect(waiting).toEqual(readers.filter(name => !first.includes(name)))
  expect(waiting).toContain('/service/wines/search')
})

test('a timed job is started at its interval', () => {
  const expected = deployed.flatMap(([, { id, trigger }]) =>
    trigger && 'everyMinutes' in trigger ? [{ minutes: trigger.everyMinutes, id }] : [],
  )
  const timers = ofType(resources, 'AWS::Events::Rule').map(({ Properties: { ScheduleExpression, Targets } }) => {
    const [, count, unit] = /^rate\((\d+) (minute|hour)s?\)$/.exec(ScheduleExpression as string) ?? []
    const [target] = Targets as { Arn: unknown }[]
    return { minutes: Number(count) * (unit === 'hour' ? 60 : 1), id: referred(target?.Arn) }
  })
  expect(timers).toEqual(expected)
})

test('the table is on demand, recoverable, protected from deletion, and outlives the stack', () => {
  expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  expect(table.Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  })
})

test('the table has the local index lsi1 and no other', () => {
  expect(table.Properties.GlobalSecondaryIndexes).toBeUndefined()
  expect(table.Properties.LocalSecondaryIndexes).toEqual([
    {
      IndexName: 'lsi1',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'lsi1sk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ])
})

test('the bucket is private, encrypted, versioned, and outlives the stack', () => {
  expect(bucket).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  expect(bucket.Properties).toMatchObject({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    VersioningConfiguration: { Status: 'Enabled' },
  })
})

test('former versions are stored for 90 days, but those of snapshots, uploads and drafts for one; uploads and drafts end after a day', () => {
  const { Rules } = bucket.Properties.LifecycleConfiguration as { Rules: Properties[] }
  expect(Rules).toEqual([
    {
      ...{ Status: 'Enabled', Prefix: 'snapshots/', ExpiredObjectDeleteMarker: true },
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    },
    ...['uploads/', 'drafts/'].map(Prefix => ({
      ...{ Status: 'Enabled', Prefix, ExpirationInDays: 1 },
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    })),
    {
      ...{ Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 90 } },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
    },
  ])
})

test('dropped batches of the stream are stored for two weeks in one queue, encrypted, and accessible by TLS only', () => {
  expect(deadLetters.Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true })
  const { Queues, PolicyDocument } = onlyOne(resources, 'AWS::SQS::QueuePolicy').Properties
  expect(Queues).toEqual([{ Ref: deadLetters.id }])
  expect((PolicyDocument as { Statement: Properties[] }).Statement).toEqual([
    expect.objectContaining({
      ...{ Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sqs:*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  ])
})

test('the bucket denies requests without TLS, links older than ten minutes and the removal of documents to all callers', () => {
  const policy = onlyOne(resources, 'AWS::S3::BucketPolicy')
  const { Statement } = policy.Properties.PolicyDocument as { Statement: Properties[] }
  const arn = { 'Fn::GetAtt': [bucket.id, 'Arn'] }
  const objects = { 'Fn::Join': ['', [arn, '/*']] }
  const documents = { 'Fn::Join': ['', [arn, '/documents/*']] }
  const deny = { Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:*' }
  expect(Statement).toEqual([
    { ...deny, Resource: [arn, objects], Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    { ...deny, Resource: objects, Condition: { NumericGreaterThan: { 's3:signatureAge': '600000' } } },
    { ...deny, Action: ['s3:DeleteObject', 's3:DeleteObjectVersion'], Resource: documents },
  ])
})

test.each(deployed)('%s writes JSON, Lambda logs failed runs only, and no metric is filtered out', (_, { id }) => {
  expect(resources[id]?.Properties.LoggingConfig).toEqual({
    LogGroup: expect.anything(),
    LogFormat: 'JSON',
    SystemLogLevel: 'WARN',
    // A line without a level counts as INFO.
    ApplicationLogLevel: 'INFO',
  })
})

test('every function and the API have a log group of their own with a retention', () => {
  const used = functions.map(({ Properties }) => referred((Properties.LoggingConfig as Properties).LogGroup))
  expect([...used, access].sort()).toEqual(logGroups.map(({ id }) => id).sort())
  for (const { Properties } of logGroups) expect(Properties.RetentionInDays).toBe(30)
})

test('production stores its logs for half a year, but addresses of refused sign-ins no longer than a month, also after the stack is deleted', () => {
  const signIn = resources[named('/service/login').id]?.Properties.LoggingConfig as Properties
  const kept = ofType(prod.resources, 'AWS::Logs::LogGroup').map(({ id, Properties, DeletionPolicy }) => {
    expect(DeletionPolicy).toBe('RetainExceptOnCreate')
    return [id, Properties.RetentionInDays]
  })
  expect(kept).toEqual(logGroups.map(({ id }) => [id, id === referred(signIn.LogGroup) ? 30 : 180]))
})

test('a line of the access log is JSON with route and path, the failure and its place, and the id of our own lines, but without the caller’s address', () => {
  const { Format } = stage.Properties.AccessLogSettings as { Format: string }
  const line = JSON.parse(Format) as Record<string, string>
  // HTTP APIs know no resourcePath, and leave a variable that they do not know empty.
  const known =
    /^\$context\.(requestId|requestTime|httpMethod|routeKey|path|protocol|status|responseLength|responseLatency|error\.message|integration\.(requestId|status|latency|error))$/
  for (const variable of Object.values(line)) expect(variable).toMatch(known)
  expect(line).toMatchObject({ request: '$context.requestId', route: '$context.routeKey', path: '$context.path' })
})

test('production is protected from being deleted by one command', () => {
  expect(['prod', 'dev'].map(name => newApp(name).stack.terminationProtection)).toEqual([true, false])
})

test('every feature flag that the CDK recommends to new projects is on: turning one on later may replace deployed resources', () => {
  const recommended: object = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json')
  expect(JSON.parse(readFileSync('cdk.json', 'utf8')).context).toMatchObject(recommended)
})

test.each([
  ['dev', dev, 40, 80],
  ['prod', prod, 200, 400],
])('in %s routes of files have a throttle of their own, and all others the same', (_, { resources }, rate, burst) => {
  const [stage] = ofType(resources, 'AWS::ApiGatewayV2::Stage')
  const { DefaultRouteSettings, RouteSettings } = stage?.Properties as Record<string, Record<string, number>>
  expect(DefaultRouteSettings?.ThrottlingRateLimit).toBeGreaterThanOrEqual(100)
  expect(DefaultRouteSettings?.ThrottlingBurstLimit).toBeGreaterThanOrEqual(200)
  const ofFiles = routes.filter(route => routeKindOf(route) === 'file').map(({ path }) => `ANY ${path}`)
  expect(ofFiles).toEqual(expect.arrayContaining(['ANY /Images/{kind}/{id}/{file}', 'ANY /PDF/{id}/{file}']))
  // Not /service/login: failed sign-ins are counted by source address and AuthID, and a right credential passes.
  expect(RouteSettings).toEqual(
    Object.fromEntries(ofFiles.map(key => [key, { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }])),
  )
  expect([...integrationsOf(resources).keys()]).toEqual(expect.arrayContaining(Object.keys(RouteSettings ?? {})))
})

test('functions that make pictures, sheets and documents, or check them, have the concurrency of the settings, and no other is limited', () => {
  const drawing = [
    '/Images/{kind}/{id}/{file}',
    '/PDF/{id}/{file}',
    '/service/wines/getExpertise',
    '/service/orders/getDocument',
    '/service/files/commit',
  ]
  expect(changedFunctions('ReservedConcurrentExecutions')).toEqual(
    Object.fromEntries([...drawing, '/wines/downloadExpertise'].map(name => [name, 40])),
  )
  for (const fileConcurrency of ['0', '-1', '1.5', '1001', 'many', ''])
    expect(() => newApp('dev', {}, { fileConcurrency })).toThrow('fileConcurrency must be')
})

test('the stage serves at the root, with the newest routes', () => {
  expect(stage.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true })
})

test('the outputs of the stack are the base URL, the table, the bucket, the event bus and the policy of operators', () => {
  expect(Object.keys(dev.template.toJSON().Outputs).sort()).toEqual([
    'BaseUrl',
    'BucketName',
    'EventBusName',
    'OperatorPolicy',
    'TableName',
  ])
})

test('a release names its commit, and the previous one, if they are known', () => {
  expect(complete.template.toJSON().Outputs).toMatchObject({
    Commit: { Value: 'c2' },
    PreviousCommit: { Value: 'c1' },
  })
})

test('every stage has the same resources: with every option on, at most 475 of the 500 that CloudFormation allows', () => {
  const types = (all: Resources) => Object.values(all).map(({ Type }) => Type)
  expect(types(prod.resources).sort()).toEqual(types(resources).sort())
  for (const most of [complete.resources, frontVariants.byCertificate().service.Resources])
    expect(types(most).length).toBeLessThanOrEqual(475)
})
