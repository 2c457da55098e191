import type { Statement } from '../iam/policy.ts'
import { resolver } from './resolve.ts'
import type { Resource, Template } from './template.ts'

export type FunctionModel = {
  name: string
  arn: string
  /** Its bundle: the path of its code asset below the folder of all bundles. */
  bundle: string
  handler: string
  environment: Record<string, string>
  timeoutSeconds: number
  memoryMb: number
  statements: Statement[]
}

/** A function that is started for items of some sort keys that changed. */
export type EventSource = {
  functionArn: string
  sortKeys: string[]
  /** Prefixes of sort keys, and the kinds of change. */
  prefixes: string[]
  eventNames: string[]
  batchSize: number
  windowSeconds: number
  /** How often a batch that failed comes again, and until what age. */
  retries: number
  oldestSeconds: number
  /** Destination of a batch that is given up. */
  deadLettersArn?: string | undefined
}

/** A resource that a function of the template implements. */
export type CustomResource = { id: string; functionArn: string; properties: Record<string, unknown> }

/** The parts of a template that the twin uses, with all references resolved. */
export type Model = {
  functions: FunctionModel[]
  /** The gateway's routes: `METHOD /path` or `$default`, and the function behind each. */
  routes: { key: string; functionArn: string }[]
  eventSources: EventSource[]
  /** Functions that run on a schedule, every so many minutes. */
  schedules: { functionArn: string; minutes: number }[]
  customResources: CustomResource[]
  table: { name: string; properties: Record<string, unknown> }
  bucket: { name: string; policy: Statement[]; expiry: { prefix: string; days: number }[] }
  operators: Statement[]
}

type Properties = Record<string, unknown>
type Destinations = { OnFailure?: { Destination: string } }

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value])

type WrittenStatement = {
  Effect: Statement['effect']
  Action: string | string[]
  Resource: string | string[]
  Condition?: Statement['conditions']
}

const statementsOf = (document: unknown): Statement[] =>
  list((document as { Statement: WrittenStatement[] }).Statement).map(
    ({ Effect, Action, Resource, Condition = {} }) => ({
      effect: Effect,
      actions: list(Action),
      resources: list(Resource),
      conditions: Condition,
    }),
  )

type ApiDocument = {
  paths: Record<
    string,
    Record<'x-amazon-apigateway-any-method', { 'x-amazon-apigateway-integration': { uri: string } }>
  >
}

/** The routes in the document of an HTTP API; each URI of a function contains its ARN. */
const routesOf = ({ paths }: ApiDocument): Model['routes'] =>
  Object.entries(paths).map(([path, { 'x-amazon-apigateway-any-method': any }]) => ({
    key: path === '/$default' ? '$default' : `ANY ${path}`,
    functionArn: /\/functions\/(.+)\/invocations$/.exec(any['x-amazon-apigateway-integration'].uri)?.[1] ?? '',
  }))

const minutesIn = (schedule: string): number => {
  const [, count, unit] = /^rate\((\d+) (minute|hour)s?\)$/.exec(schedule) ?? []
  if (!count) throw new Error(`the twin does not know the schedule ${schedule}`)
  return Number(count) * (unit === 'hour' ? 60 : 1)
}

type LifecycleRule = { Prefix?: string; ExpirationInDays?: number }

// The twin has no versions of objects: only the rules for present objects apply.
const expiryIn = (lifecycle: unknown): Model['bucket']['expiry'] =>
  (lifecycle as { Rules: LifecycleRule[] }).Rules.flatMap(({ Prefix: prefix = '', ExpirationInDays: days }) =>
    days === undefined ? [] : [{ prefix, days }],
  )

// The one kind of filter this stack uses: a list of sort keys and of what they begin with, and what happened.
const filterIn = (criteria: unknown): Pick<EventSource, 'sortKeys' | 'prefixes' | 'eventNames'> => {
  const [filter] = (criteria as { Filters: { Pattern: string }[] }).Filters
  const { eventName, dynamodb } = JSON.parse(filter?.Pattern ?? '')
  const rules: (string | { prefix: string })[] = dynamodb.Keys.sk.S
  return {
    sortKeys: rules.filter(rule => typeof rule === 'string'),
    prefixes: rules.flatMap(rule => (typeof rule === 'string' ? [] : rule.prefix)),
    eventNames: eventName ?? ['INSERT', 'MODIFY', 'REMOVE'],
  }
}

/** Reads the template as CloudFormation would. */
export const readTemplate = (template: Template): Model => {
  const resolve = resolver(template)
  const ofType = (type: string): { id: string; properties: Properties; metadata: Resource['Metadata'] }[] =>
    Object.entries(template.Resources)
      .filter(([, resource]: [string, Resource]) => resource.Type === type)
      .map(([id, { Properties, Metadata }]) => ({
        id,
        properties: resolve(Properties) as Properties,
        metadata: Metadata,
      }))
  const nameOf = (id: string) => resolve({ Ref: id }) as string
  const arnOf = (id: string) => resolve({ 'Fn::GetAtt': [id, 'Arn'] }) as string

  const within = ofType('AWS::IAM::Role').flatMap(({ id, properties }) =>
    ((properties.Policies ?? []) as { PolicyDocument: unknown }[]).map(({ PolicyDocument }) => ({
      role: nameOf(id),
      statements: statementsOf(PolicyDocument),
    })),
  )
  const apart = ofType('AWS::IAM::Policy').flatMap(({ properties }) =>
    (properties.Roles as string[]).map(role => ({ role, statements: statementsOf(properties.PolicyDocument) })),
  )
  const policies = [...within, ...apart]
  const functions = ofType('AWS::Lambda::Function').map(({ id, properties, metadata }): FunctionModel => {
    const role = (properties.Role as string).split('/').at(-1)
    return {
      name: nameOf(id),
      arn: arnOf(id),
      bundle: metadata?.['aws:asset:path'] ?? '',
      handler: properties.Handler as string,
      environment: (properties.Environment as { Variables: Record<string, string> }).Variables,
      timeoutSeconds: properties.Timeout as number,
      memoryMb: properties.MemorySize as number,
      statements: policies.filter(policy => policy.role === role).flatMap(policy => policy.statements),
    }
  })
  const routes = ofType('AWS::ApiGatewayV2::Api').flatMap(({ properties }) => routesOf(properties.Body as ApiDocument))
  const eventSources = ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => ({
    functionArn: arnOf(properties.FunctionName as string),
    ...filterIn(properties.FilterCriteria),
    batchSize: properties.BatchSize as number,
    windowSeconds: (properties.MaximumBatchingWindowInSeconds as number | undefined) ?? 0,
    retries: (properties.MaximumRetryAttempts as number | undefined) ?? Number.POSITIVE_INFINITY,
    oldestSeconds: (properties.MaximumRecordAgeInSeconds as number | undefined) ?? Number.POSITIVE_INFINITY,
    deadLettersArn: (properties.DestinationConfig as Destinations | undefined)?.OnFailure?.Destination,
  }))
  const schedules = ofType('AWS::Events::Rule').flatMap(({ properties }) =>
    (properties.Targets as { Arn: string }[]).map(({ Arn }) => ({
      functionArn: Arn,
      minutes: minutesIn(properties.ScheduleExpression as string),
    })),
  )
  const customResources = Object.keys(template.Resources)
    .filter(id => template.Resources[id]?.Type.startsWith('Custom::'))
    .map((id): CustomResource => {
      const {
        ServiceToken,
        ServiceTimeout: _,
        ...properties
      } = resolve(template.Resources[id]?.Properties) as Properties
      return { id, functionArn: ServiceToken as string, properties }
    })
  const [table] = ofType('AWS::DynamoDB::Table')
  const [bucket] = ofType('AWS::S3::Bucket')
  if (!table || !bucket) throw new Error('the template has no table or no bucket')
  const statementsIn = (type: string): Statement[] =>
    ofType(type).flatMap(({ properties }) => statementsOf(properties.PolicyDocument))
  return {
    functions,
    routes,
    eventSources,
    schedules,
    customResources,
    table: { name: nameOf(table.id), properties: table.properties },
    bucket: {
      name: nameOf(bucket.id),
      policy: statementsIn('AWS::S3::BucketPolicy'),
      expiry: expiryIn(bucket.properties.LifecycleConfiguration ?? { Rules: [] }),
    },
    operators: statementsIn('AWS::IAM::ManagedPolicy'),
  }
}
