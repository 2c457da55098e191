import { readFileSync } from 'node:fs'
import { kinds } from '../../shared/contract/route.ts'
import { dimensionsOf, type MetricName, metrics, namespace } from '../../shared/platform/log.ts'
import { fixedIn } from '../bench/costs/stack.ts'
import { deployedIn } from '../support/deployed.ts'
import { everyOption, newApp, ofType, onlyOne, type Properties, templateOf } from '../support/synthesized.ts'

const { resources } = templateOf('dev')
const topic = onlyOne(resources, 'AWS::SNS::Topic')

const shortName = (name: unknown) => String(name).replace('Weinkontor-dev-', '')
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').map(
  ({ Properties }) => [shortName(Properties.AlarmName), Properties] as const,
)
const named = (name: string): Properties => alarms.find(([one]) => one === name)?.[1] ?? {}

const [, operations = ''] = /^## Alarms\n(.*?)^## /ms.exec(readFileSync('lib/stack/OPERATIONS.md', 'utf8')) ?? []

type Read = { namespace: string; name: string; dimensions: Record<string, unknown> }

type Stat = { Metric: { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: unknown }[] } }

const statsOf = ({ Metrics, ...alone }: Properties): Stat[] =>
  Metrics
    ? (Metrics as { MetricStat?: Stat }[]).flatMap(({ MetricStat }) => MetricStat ?? [])
    : [{ Metric: alone } as unknown as Stat]

const readBy = (alarm: Properties): Read[] =>
  statsOf(alarm).map(({ Metric: { Namespace, MetricName: name, Dimensions = [] } }) => ({
    namespace: Namespace,
    name,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
  }))

type Widget = { type: string; properties: { metrics?: unknown[][]; alarms?: unknown[] } }

const widgets = ((): Widget[] => {
  const { DashboardBody } = onlyOne(resources, 'AWS::CloudWatch::Dashboard').Properties
  const [, parts] = (DashboardBody as { 'Fn::Join': [string, unknown[]] })['Fn::Join']
  const text = parts.map(part => (typeof part === 'string' ? part : 'reference')).join('')
  return JSON.parse(text).widgets
})()

const shown: Read[] = widgets.flatMap(({ properties }) =>
  (properties.metrics ?? [])
    .map(metric => metric.filter(one => typeof one === 'string'))
    .filter(({ length }) => length > 1)
    .map(([space = '', name = '', ...pairs]) => ({
      namespace: space as string,
      name: name as string,
      dimensions: Object.fromEntries(
        Array.from({ length: pairs.length / 2 }, (_, n) => [pairs[n * 2], pairs[n * 2 + 1]]),
      ),
    })),
)

const byApi = { ApiId: { Ref: onlyOne(resources, 'AWS::ApiGatewayV2::Api').id } }

const isOwn = (one: Read) => one.namespace === namespace
const alarmed = alarms.flatMap(([, alarm]) => readBy(alarm))

test('OPERATIONS.md has one paragraph for each alarm, with its meaning and what to do', () => {
  const paragraphs = [...operations.matchAll(/^\*\*`([a-z0-9-]+)`\*\* (.+?)(?=\n\n)/gms)]
  expect(paragraphs.map(([, name]) => name).toSorted()).toEqual(alarms.map(([name]) => name).toSorted())
  for (const [, name, text = ''] of paragraphs) {
    expect([name, text.length > 100]).toEqual([name, true])
    expect([name, text]).toEqual([name, expect.stringMatching(/\sTo do: /)])
  }
})

test.each(
  alarms,
)('%s notifies the topic when it is raised and when it ends, and missing data do not raise it', (_, alarm) => {
  const actions = [{ Ref: topic.id }]
  expect(alarm).toMatchObject({ AlarmActions: actions, OKActions: actions, TreatMissingData: 'notBreaching' })
  expect(alarm.AlarmDescription).toMatch(/\. What to do: lib\/stack\/OPERATIONS\.md\.$/)
})

test('functions write the own metrics of alarms and dashboard, with these dimensions', () => {
  for (const { name, dimensions } of [...alarmed, ...shown].filter(isOwn)) {
    expect(Object.keys(metrics)).toContain(name)
    expect([name, Object.keys(dimensions).toSorted()]).toEqual([name, dimensionsOf(name as MetricName).toSorted()])
    expect(dimensions).toMatchObject({ stage: 'dev' })
    if ('kind' in dimensions) expect(kinds).toContain(dimensions.kind)
  }
})

test('the dashboard shows all metrics of the functions, each kind of route, and all alarms', () => {
  const seen = new Set(shown.filter(isOwn).map(({ name, dimensions }) => `${name} ${dimensions.kind ?? ''}`))
  const all = Object.keys(metrics).flatMap(name =>
    dimensionsOf(name as MetricName).includes('kind') ? kinds.map(kind => `${name} ${kind}`) : [`${name} `],
  )
  expect([...seen].toSorted()).toEqual(all.toSorted())
  expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(alarms.length)
})

test('the costs count the metrics and alarms that the stack has', () => {
  const fixed = fixedIn(resources)
  expect(fixed).toMatchObject({ alarms: alarms.length, alarmMetrics: alarmed.length })
  expect(JSON.parse(readFileSync('test/bench/costs/counts.json', 'utf8')).fixed).toEqual(fixed)
})

test('internal errors, failures of payment providers and failed runs of functions have separate alarms', () => {
  const of = (name: string) => [readBy(named(name)), named(name).Threshold, named(name).EvaluationPeriods]
  const ours = (name: string) => [{ namespace, name, dimensions: { stage: 'dev' } }]
  expect(of('server-errors')).toEqual([ours('ServerErrors'), 1, 1])
  expect(of('provider-failures')).toEqual([ours('ProviderFailures'), 5, 1])
  // Without a dimension: of all functions of the account.
  expect(of('function-errors')).toEqual([[{ namespace: 'AWS/Lambda', name: 'Errors', dimensions: {} }], 1, 1])
})

test('other 5xx answers of the gateway raise an alarm, without failures of providers', () => {
  expect(named('unavailable')).toMatchObject({ Threshold: 5, EvaluationPeriods: 3, DatapointsToAlarm: 3 })
  expect(readBy(named('unavailable'))).toEqual([
    { namespace: 'AWS/ApiGateway', name: '5xx', dimensions: byApi },
    { namespace, name: 'ProviderFailures', dimensions: { stage: 'dev' } },
  ])
  expect(JSON.stringify(named('unavailable'))).toContain('"FILL(m0, 0) - FILL(m1, 0)"')
})

test('two alarms measure latency at the gateway, cold starts included', () => {
  const latency = { Namespace: 'AWS/ApiGateway', MetricName: 'Latency', EvaluationPeriods: 3, DatapointsToAlarm: 3 }
  expect(alarms.filter(([, one]) => readBy(one).some(({ name }) => name === 'Latency')).map(([name]) => name)).toEqual([
    'slow-p99',
    'slow-median',
  ])
  expect(named('slow-p99')).toMatchObject({ ...latency, ExtendedStatistic: 'p99', Threshold: 5000 })
  // Otherwise CloudWatch would look at it only from a thousand requests on.
  expect(named('slow-p99')).not.toHaveProperty('EvaluateLowSampleCountPercentile')
  const ofMany = { ExtendedStatistic: 'p50', Threshold: 1000, EvaluateLowSampleCountPercentile: 'ignore' }
  expect(named('slow-median')).toMatchObject({ ...latency, ...ofMany })
  for (const name of ['slow-p99', 'slow-median'])
    expect(readBy(named(name)).map(({ dimensions }) => dimensions)).toEqual([byApi])
})

test('reports of the sweep raise an alarm, at a period of five or ten minutes', () => {
  expect(named('sweep-failures')).toMatchObject({ Period: 300, EvaluationPeriods: 12, DatapointsToAlarm: 3 })
  expect(named('payments-in-review')).toMatchObject({ Period: 900, EvaluationPeriods: 1 })
})

test('the age of the stream is that of the jobs that follow it', () => {
  const ids = readBy(named('stream-age')).map(({ dimensions }) => (dimensions.FunctionName as { Ref: string }).Ref)
  const followers = deployedIn(resources).filter(({ trigger }) => trigger && 'follows' in trigger)
  expect(ids.toSorted()).toEqual(followers.map(({ id }) => id).toSorted())
})

test('an expression names each of its metrics, so that it means the same in a graph with others', () => {
  const expressions = alarms.flatMap(([, { Metrics = [] }]) => {
    const parts = Metrics as { Id: string; Expression?: string }[]
    const ids = parts.filter(({ Expression }) => !Expression).map(({ Id }) => Id)
    return parts.flatMap(({ Expression = '' }) => (Expression ? [[Expression.match(/\bm\d+\b/g), ids] as const] : []))
  })
  expect(expressions).toHaveLength(3)
  for (const [named, ids] of expressions) expect(named).toEqual(ids)
  expect(JSON.stringify([alarms, widgets])).not.toContain('METRICS()')
})

test('the metrics of AWS are those of this table and queue', () => {
  const of = (name: string) =>
    readBy(named(name)).map(({ namespace, name, dimensions }) => [namespace, name, dimensions])
  const { id: table } = onlyOne(resources, 'AWS::DynamoDB::Table')
  const { id: queue } = onlyOne(resources, 'AWS::SQS::Queue')
  expect(of('table-throttles')).toEqual(
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(name => ['AWS/DynamoDB', name, { TableName: { Ref: table } }]),
  )
  expect(of('dead-letters')).toEqual([
    ['AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: { 'Fn::GetAtt': [queue, 'QueueName'] } }],
  ])
  expect(of('function-throttles')).toEqual([['AWS/Lambda', 'Throttles', {}]])
})

describe('the topic', () => {
  const statements = (resource: { Properties: Properties }, name: string) =>
    (resource.Properties[name] as { Statement: Properties[] }).Statement
  const byAlarms = {
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  }

  test('needs no key, because alarms contain no secrets', () => {
    expect(topic.Properties).not.toHaveProperty('KmsMasterKeyId')
    expect(ofType(resources, 'AWS::KMS::Key')).toEqual([])
  })

  test('accepts messages of this account’s alarms, and refuses requests without TLS', () => {
    const policy = statements(onlyOne(resources, 'AWS::SNS::TopicPolicy'), 'PolicyDocument')
    expect(policy.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      expect.objectContaining({ ...byAlarms, Action: 'sns:Publish', Resource: { Ref: topic.id } }),
    ])
    const [refused, ...others] = policy.filter(({ Effect }) => Effect === 'Deny')
    expect(refused).toMatchObject({ Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })
    expect(others).toEqual([])
  })

  test('has a mail subscription and a budget only if the settings contain them', () => {
    const optional = ['AWS::SNS::Subscription', 'AWS::Budgets::Budget']
    for (const type of optional) expect(ofType(resources, type)).toEqual([])
    const asked = templateOf('dev', everyOption).resources
    expect(onlyOne(asked, 'AWS::SNS::Subscription').Properties).toMatchObject({
      ...{ Protocol: 'email', Endpoint: 'wine@example.org', TopicArn: { Ref: topic.id } },
    })
    const { Budget, NotificationsWithSubscribers: notices } = onlyOne(asked, 'AWS::Budgets::Budget').Properties
    expect(Budget).toEqual({ BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 50, Unit: 'USD' } })
    expect(notices).toMatchObject(
      ['ACTUAL', 'FORECASTED'].map(NotificationType => ({
        Notification: { NotificationType },
        Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'wine@example.org' }],
      })),
    )
  })

  test('accepts one mail address, and a budget in whole dollars with a mail address', () => {
    for (const alarmMail of [
      '',
      'nobody',
      'a@b',
      'a b@c.de',
      'a@c.de,b@c.de',
      'Ada <a@c.de>',
      `${'a'.repeat(250)}@c.de`,
    ])
      expect(() => newApp('dev', {}, { alarmMail })).toThrow('alarmMail must be one mail address')
    for (const monthlyBudget of ['0', '-1', '1.5', 'much', '', '1000001'])
      expect(() => newApp('dev', {}, { alarmMail: 'a@c.de', monthlyBudget })).toThrow('monthlyBudget must be whole')
    expect(() => newApp('dev', {}, { monthlyBudget: '50' })).toThrow('monthlyBudget needs an alarmMail')
  })
})
