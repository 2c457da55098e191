import { fallback, routes } from '../../shared/contract/index.ts'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { login } from '../../shared/contract/sign-in.ts'
import { ofType, onlyOne, type Properties, referred, templateOf } from './synthesized.ts'

const dev = templateOf('dev')
const prod = templateOf('prod')
const { resources } = dev

const table = onlyOne(resources, 'AWS::DynamoDB::Table')
const bucket = onlyOne(resources, 'AWS::S3::Bucket')
const stage = onlyOne(resources, 'AWS::ApiGatewayV2::Stage')
const apiRoutes = ofType(resources, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties)
const functions = ofType(resources, 'AWS::Lambda::Function')
const logGroups = ofType(resources, 'AWS::Logs::LogGroup')

const keyOf = (route: Route) => (route === fallback ? '$default' : `ANY ${route.path}`)
const all = [...routes, fallback].map(route => [keyOf(route), route] as const)

const integrationOf = (key: string): Properties => {
  const target = apiRoutes.find(({ RouteKey }) => RouteKey === key)?.Target as { 'Fn::Join': [string, unknown[]] }
  return resources[referred(target['Fn::Join'][1][1])]?.Properties as Properties
}

const functionOf = (key: string): Properties =>
  resources[referred(integrationOf(key).IntegrationUri)]?.Properties as Properties

test('the API answers every route of the contract, whatever the method, and everything else by one function', () => {
  expect(apiRoutes.map(({ RouteKey }) => RouteKey).sort()).toEqual(all.map(([key]) => key).sort())
  expect(new Set(all.map(([key]) => referred(integrationOf(key).IntegrationUri))).size).toBe(all.length)
  expect(functions).toHaveLength(all.length)
})

test.each(all)('%s is served by its own Lambda on Node 24 and arm64', (key, route) => {
  expect(integrationOf(key)).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' })
  expect(functionOf(key)).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
    Timeout: route.timeout ?? 15,
    MemorySize: route.memory ?? 512,
    Description: `${route.path}: ${route.says}`,
  })
  expect(functionOf(key).Environment).toEqual({
    Variables: {
      TABLE_NAME: { Ref: table.id },
      STAGE: 'dev',
      ...(route.files.length > 0 && { BUCKET_NAME: { Ref: bucket.id } }),
    },
  })
})

test('no function may take longer than the API waits', () => {
  for (const { Properties } of functions) expect(Properties.Timeout).toBeLessThan(30)
})

test('each function may be invoked by the API only', () => {
  const permissions = ofType(resources, 'AWS::Lambda::Permission').map(({ Properties }) => Properties)
  const api = onlyOne(resources, 'AWS::ApiGatewayV2::Api')
  expect(new Set(permissions.map(({ FunctionName }) => referred(FunctionName))).size).toBe(functions.length)
  for (const { Principal, Action, SourceArn } of permissions) {
    expect({ Principal, Action }).toEqual({ Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' })
    expect(JSON.stringify(SourceArn)).toContain(`{"Ref":"${api.id}"}`)
  }
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

test('the table has the local index by-order and no other', () => {
  expect(table.Properties.GlobalSecondaryIndexes).toBeUndefined()
  expect(table.Properties.LocalSecondaryIndexes).toEqual([
    {
      IndexName: 'by-order',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'by', KeyType: 'RANGE' },
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

test('the bucket denies requests without TLS and links older than ten minutes to everybody', () => {
  const policy = onlyOne(resources, 'AWS::S3::BucketPolicy')
  const { Statement } = policy.Properties.PolicyDocument as { Statement: Properties[] }
  const arn = { 'Fn::GetAtt': [bucket.id, 'Arn'] }
  const objects = { 'Fn::Join': ['', [arn, '/*']] }
  const deny = { Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:*' }
  expect(Statement).toEqual([
    { ...deny, Resource: [arn, objects], Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    { ...deny, Resource: objects, Condition: { NumericGreaterThan: { 's3:signatureAge': '600000' } } },
  ])
})

test('every function and the API write to a log group of their own that forgets', () => {
  const used = functions.map(({ Properties }) => referred((Properties.LoggingConfig as Properties).LogGroup))
  const access = referred((stage.Properties.AccessLogSettings as Properties).DestinationArn)
  expect([...used, access].sort()).toEqual(logGroups.map(({ id }) => id).sort())
  for (const { Properties } of logGroups) expect(Properties.RetentionInDays).toBe(30)
})

test('production keeps its logs for half a year, and when the stack is deleted', () => {
  for (const { Properties, DeletionPolicy } of ofType(prod.resources, 'AWS::Logs::LogGroup')) {
    expect(Properties.RetentionInDays).toBe(180)
    expect(DeletionPolicy).toBe('Retain')
  }
})

test.each([
  ['dev', dev],
  ['prod', prod],
])('in %s the API is throttled, and sign-in more tightly', (_, { resources }) => {
  const { Properties } = onlyOne(resources, 'AWS::ApiGatewayV2::Stage')
  const { DefaultRouteSettings: usual, RouteSettings } = Properties as Record<string, Record<string, number>>
  const tight = (RouteSettings as unknown as Record<string, Record<string, number>>)[`ANY ${login.path}`]
  for (const limit of ['ThrottlingRateLimit', 'ThrottlingBurstLimit']) {
    expect(tight?.[limit]).toBeGreaterThan(0)
    expect(tight?.[limit]).toBeLessThan(usual?.[limit] as number)
  }
})

test('the stage serves at the root, of the newest routes', () => {
  expect(stage.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true })
})

test('the stack tells the base URL, the table and the bucket', () => {
  expect(Object.keys(dev.template.toJSON().Outputs).sort()).toEqual(['BaseUrl', 'BucketName', 'TableName'])
})

test('every stage has the same resources, far from the limit of 500', () => {
  expect(Object.keys(prod.resources).sort()).toEqual(Object.keys(resources).sort())
  expect(Object.keys(resources).length).toBeLessThan(400)
})

test('every function has its file at the path of its URL', () => {
  expect(fileOf({ path: '/PDF/{id}/{file}' })).toBe('PDF/[id]/[file]')
  expect(new Set(all.map(([, route]) => fileOf(route))).size).toBe(all.length)
})
