import fc from 'fast-check'
import { isAllowed } from '../../lib/twin/iam/policy.ts'
import { readTemplate } from '../../lib/twin/template/model.ts'
import { region, resolver, tableArn } from '../../lib/twin/template/resolve.ts'
import type { Resource, Template } from '../../lib/twin/template/template.ts'

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const ref = (id: string) => ({ Ref: id })
const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] })

// A reference inside Fn::Sub.
const hole = (name: string) => ['$', '{', name, '}'].join('')

const lambda = (name: string, environment: Record<string, unknown> = {}): Resource => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Role: arn(`${name}Role`),
    Code: { S3Bucket: { 'Fn::Sub': `assets-${hole('AWS::AccountId')}-${hole('AWS::Region')}` }, S3Key: `${name}.zip` },
    Handler: 'index.handler',
    Environment: { Variables: { TABLE_NAME: ref('Table'), STAGE: 'toy', ...environment } },
    Timeout: 15,
    MemorySize: 512,
  },
  Metadata: { 'aws:asset:path': name.toLowerCase() },
})

const policy = (roles: string[], Statement: unknown): Resource => ({
  Type: 'AWS::IAM::Policy',
  Properties: { Roles: roles.map(ref), PolicyDocument: { Statement, Version: '2012-10-17' } },
})

const read = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: arn('Table') }
const readLeading = { ...read, Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['m#*#orders'] } } }
const list = { Effect: 'Allow', Action: ['s3:GetObject'], Resource: [join(arn('Files'), '/expertise/*')] }

const anyMethod = (id: string) => ({
  'x-amazon-apigateway-any-method': {
    'x-amazon-apigateway-integration': {
      uri: join('arn:aws:apigateway:eu:lambda:path/functions/', arn(id), '/invocations'),
    },
  },
})

const toy: Template = {
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] } },
    Files: { Type: 'AWS::S3::Bucket', Properties: {} },
    FilesPolicy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: {
        Bucket: ref('Files'),
        PolicyDocument: {
          Statement: { Effect: 'Deny', Action: 's3:*', Resource: join(arn('Files'), '/*'), Principal: '*' },
        },
      },
    },
    ReadRole: { Type: 'AWS::IAM::Role', Properties: {} },
    WriteRole: { Type: 'AWS::IAM::Role', Properties: {} },
    Read: lambda('Read', { BUCKET_NAME: ref('Files') }),
    Write: lambda('Write'),
    ReadPolicy: policy(['ReadRole'], [readLeading, list]),
    WritePolicy: policy(['WriteRole'], { ...read, Action: 'dynamodb:PutItem' }),
    CommonPolicy: policy(['ReadRole', 'WriteRole'], [{ ...read, Action: 'dynamodb:Query' }]),
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Body: { paths: { '/read/{id}': anyMethod('Read'), '/$default': anyMethod('Write') } } },
    },
  },
}

const without = (...ids: string[]): Template => ({
  Resources: Object.fromEntries(Object.entries(toy.Resources).filter(([id]) => !ids.includes(id))),
})

describe('references of a template', () => {
  const resolve = resolver(toy)

  test.each([
    [ref('Table'), 'weinkontor-twin'],
    [ref('Files'), 'weinkontor-twin-files'],
    [ref('Read'), 'Read'],
    [ref('AWS::Region'), region],
    [ref('AWS::Partition'), 'aws'],
    [arn('Table'), tableArn('weinkontor-twin')],
    [arn('Files'), 'arn:aws:s3:::weinkontor-twin-files'],
    [arn('Read'), `arn:aws:lambda:${region}:000000000000:function:Read`],
    [arn('ReadRole'), 'arn:aws:iam::000000000000:role/ReadRole'],
    [{ 'Fn::GetAtt': ['Table', 'StreamArn'] }, `${tableArn('weinkontor-twin')}/stream/twin`],
    [{ 'Fn::Sub': `a-${hole('AWS::AccountId')}-${hole('Table')}` }, 'a-000000000000-weinkontor-twin'],
    [{ 'Fn::Sub': 'plain $ {text}' }, 'plain $ {text}'],
    [{ 'Fn::Join': ['-', ['a', ref('Table'), join('b', 'c')]] }, 'a-weinkontor-twin-bc'],
    [{ 'Fn::Join': ['/', []] }, ''],
  ])('%j is %j', (value, expected) => {
    expect(resolve(value)).toEqual(expected)
  })

  test('they are found at any depth', () => {
    const value = { a: [ref('Table'), { b: { c: arn('Files') } }], d: 1, e: null, f: false }
    expect(resolve(value)).toEqual({
      a: ['weinkontor-twin', { b: { c: 'arn:aws:s3:::weinkontor-twin-files' } }],
      ...{ d: 1, e: null, f: false },
    })
  })

  test.each([
    ref('Nobody'),
    ref('AWS::NoValue'),
    arn('Nobody'),
    { 'Fn::GetAtt': ['Table', 'TableId'] },
    { 'Fn::Sub': hole('Nobody') },
    { 'Fn::Sub': hole('Table.Arn') },
    { 'Fn::Sub': hole('!Literal') },
    { 'Fn::If': ['Condition', 'a', 'b'] },
    { 'Fn::ImportValue': 'a' },
    { 'Fn::Select': [0, ['a']] },
    { a: [{ 'Fn::Split': [',', 'a,b'] }] },
    { 'Fn::Join': ['', [{ 'Fn::Base64': 'a' }]] },
  ])('%j is an error, not a guess', value => {
    expect(() => resolve(value)).toThrow(/^the twin (cannot resolve|does not know) /)
  })

  test('values without a reference stay as they are', () => {
    const plain = fc.jsonValue().filter(value => !/"(Ref|Fn::|__proto__)/.test(JSON.stringify(value)))
    fc.assert(
      fc.property(plain, value => {
        expect(resolve(value)).toEqual(value)
      }),
    )
  })
})

describe('the model of a template', () => {
  const model = readTemplate(toy)
  const statementsOf = (name: string) => model.functions.find(one => one.name === name)?.statements ?? []

  test('event sources have the retries of the template, and the destination of dropped batches', () => {
    const mapping = (more: object): Resource => ({
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: ref('Read'),
        BatchSize: 10,
        FilterCriteria: { Filters: [{ Pattern: '{"dynamodb":{"Keys":{"sk":{"S":["version",{"prefix":"v#"}]}}}}' }] },
        ...more,
      },
    })
    const { eventSources } = readTemplate({
      Resources: {
        ...toy.Resources,
        Dead: { Type: 'AWS::SQS::Queue', Properties: {} },
        Follow: mapping({
          MaximumRetryAttempts: 3,
          MaximumRecordAgeInSeconds: 60,
          DestinationConfig: { OnFailure: { Destination: arn('Dead') } },
        }),
        FollowForEver: mapping({}),
      },
    })
    const eventNames = ['INSERT', 'MODIFY', 'REMOVE']
    const followed = { sortKeys: ['version'], prefixes: ['v#'], eventNames }
    const common = { functionArn: model.functions[0]?.arn, ...followed, batchSize: 10, windowSeconds: 0 }
    const queue = expect.stringMatching(/^arn:aws:sqs:.*Dead$/)
    const endless = Number.POSITIVE_INFINITY
    expect(eventSources).toEqual([
      { ...common, retries: 3, oldestSeconds: 60, deadLettersArn: queue },
      { ...common, retries: endless, oldestSeconds: endless, deadLettersArn: undefined },
    ])
  })

  test('a function has its code, its environment and its limits', () => {
    expect(model.functions[0]).toMatchObject({
      name: 'Read',
      arn: `arn:aws:lambda:${region}:000000000000:function:Read`,
      bundle: 'read',
      handler: 'index.handler',
      environment: { TABLE_NAME: 'weinkontor-twin', STAGE: 'toy', BUCKET_NAME: 'weinkontor-twin-files' },
      timeoutSeconds: 15,
      memoryMb: 512,
    })
  })

  test('a custom resource has its properties, without those for CloudFormation', () => {
    const Properties = { ServiceToken: arn('Read'), ServiceTimeout: '900', table: ref('Table'), layout: '1' }
    const { customResources } = readTemplate({
      Resources: { ...toy.Resources, Own: { Type: 'Custom::Own', Properties } },
    })
    expect([model.customResources, customResources]).toEqual([
      [],
      [{ id: 'Own', functionArn: model.functions[0]?.arn, properties: { table: 'weinkontor-twin', layout: '1' } }],
    ])
  })

  test('a function has the statements of all policies of its own role, and no others', () => {
    expect(statementsOf('Read').map(({ actions }) => actions)).toEqual([
      ['dynamodb:GetItem'],
      ['s3:GetObject'],
      ['dynamodb:Query'],
    ])
    expect(statementsOf('Write').map(({ actions }) => actions)).toEqual([['dynamodb:PutItem'], ['dynamodb:Query']])
  })

  test('a statement keeps its effect, its resources and its conditions', () => {
    expect(statementsOf('Read').slice(0, 2)).toEqual([
      {
        effect: 'Allow',
        actions: ['dynamodb:GetItem'],
        resources: [tableArn('weinkontor-twin')],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['m#*#orders'] } },
      },
      {
        effect: 'Allow',
        actions: ['s3:GetObject'],
        resources: ['arn:aws:s3:::weinkontor-twin-files/expertise/*'],
        conditions: {},
      },
    ])
  })

  test('a function has the inline statements of its role, too', () => {
    const within = [
      { PolicyName: 'Rights', PolicyDocument: { Statement: [{ ...read, Action: 'dynamodb:UpdateItem' }] } },
    ]
    const WriteRole = { Type: 'AWS::IAM::Role', Properties: { Policies: within } }
    const { functions } = readTemplate({ Resources: { ...toy.Resources, WriteRole } })
    expect(functions.map(({ name, statements }) => [name, statements.flatMap(({ actions }) => actions)])).toEqual([
      ['Read', ['dynamodb:GetItem', 's3:GetObject', 'dynamodb:Query']],
      ['Write', ['dynamodb:UpdateItem', 'dynamodb:PutItem', 'dynamodb:Query']],
    ])
  })

  test('a function without a policy is allowed nothing', () => {
    const bare = readTemplate(without('WritePolicy', 'CommonPolicy')).functions.find(({ name }) => name === 'Write')
    expect(bare?.statements).toEqual([])
    const action = { action: 'dynamodb:PutItem', resource: tableArn('weinkontor-twin'), context: {} }
    expect(isAllowed(bare?.statements ?? [], action)).toBe(false)
    expect(isAllowed(statementsOf('Write'), action)).toBe(true)
  })

  test('a route leads to the function of its integration', () => {
    const [first, second] = model.functions
    expect(model.routes).toEqual([
      { key: 'ANY /read/{id}', functionArn: first?.arn },
      { key: '$default', functionArn: second?.arn },
    ])
  })

  test('table and bucket have their names, the table its properties, the bucket its policy', () => {
    expect(model.table).toEqual({
      name: 'weinkontor-twin',
      properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] },
    })
    expect(model.bucket.name).toBe('weinkontor-twin-files')
    expect(model.bucket.policy).toEqual([
      { effect: 'Deny', actions: ['s3:*'], resources: ['arn:aws:s3:::weinkontor-twin-files/*'], conditions: {} },
    ])
  })

  test.each(['Table', 'Files'])('a template without %s is refused', id => {
    const resources =
      id === 'Table'
        ? ['Table', 'Read', 'Write', 'ReadPolicy', 'WritePolicy', 'CommonPolicy']
        : ['Files', 'FilesPolicy']
    const rest = without(
      ...resources,
      ...(id === 'Files' ? ['Read', 'ReadPolicy', 'ReadIntegration', 'ReadRoute'] : []),
    )
    const { Api, ...Resources } = rest.Resources
    expect(() => readTemplate({ Resources })).toThrow('no table or no bucket')
  })

  test('a template with a reference to a missing resource is refused', () => {
    expect(() => readTemplate(without('Table'))).toThrow('the twin cannot resolve')
  })
})
