import { readFileSync } from 'node:fs'
import { Template } from 'aws-cdk-lib/assertions'
import { kinds } from '../../shared/contract/kind.ts'
import { dimensionsOf, type MetricName, metrics, namespace } from '../../shared/metrics.ts'
import { deployedIn } from '../support/deployed.ts'
import {
  newApp,
  ofType,
  onlyOne,
  type Properties,
  type Resources,
  referred,
  templateOf,
} from '../support/synthesized.ts'

const { resources } = templateOf('dev')
const topic = onlyOne(resources, 'AWS::SNS::Topic')
const key = onlyOne(resources, 'AWS::KMS::Key')

const shortName = (name: unknown) => String(name).replace('Weinkontor-dev-', '')
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').map(
  ({ Properties }) => [shortName(Properties.AlarmName), Properties] as const,
)
const named = (name: string): Properties => alarms.find(([one]) => one === name)?.[1] ?? {}

const [, operations = ''] = /^## Operations\n(.*?)^## /ms.exec(readFileSync('README.md', 'utf8')) ?? []

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

const isOwn = (one: Read) => one.namespace === namespace
const alarmed = alarms.flatMap(([, alarm]) => readBy(alarm))

test('each alarm has its paragraph in README, of what it means and what to do, and each paragraph its alarm', () => {
  const paragraphs = [...operations.matchAll(/^\*\*`([a-z-]+)`\*\* (.+?)(?=\n\n)/gms)]
  expect(paragraphs.map(([, name]) => name).toSorted()).toEqual(alarms.map(([name]) => name).toSorted())
  for (const [, name, text = ''] of paragraphs) {
    expect([name, text.length > 100]).toEqual([name, true])
    expect([name, text]).toEqual([name, expect.stringContaining(' To do: ')])
  }
})

test.each(
  alarms,
)('%s is told to the topic when it is raised and when it is over, and not raised by silence', (_, alarm) => {
  const told = [{ Ref: topic.id }]
  expect(alarm).toMatchObject({ AlarmActions: told, OKActions: told, TreatMissingData: 'notBreaching' })
  expect(alarm.AlarmDescription).toMatch(/\. What to do: README, Operations\.$/)
})

test('what alarms and the dashboard read of the service’s own, functions write, with these dimensions', () => {
  for (const { name, dimensions } of [...alarmed, ...shown].filter(isOwn)) {
    expect(Object.keys(metrics)).toContain(name)
    expect([name, Object.keys(dimensions).toSorted()]).toEqual([name, dimensionsOf(name as MetricName).toSorted()])
    expect(dimensions).toMatchObject({ stage: 'dev' })
    if ('kind' in dimensions) expect(kinds).toContain(dimensions.kind)
  }
})

test('the dashboard shows all that functions measure, of each kind of route, and all alarms', () => {
  const seen = new Set(shown.filter(isOwn).map(({ name, dimensions }) => `${name} ${dimensions.kind ?? ''}`))
  const all = Object.keys(metrics).flatMap(name =>
    dimensionsOf(name as MetricName).includes('kind') ? kinds.map(kind => `${name} ${kind}`) : [`${name} `],
  )
  expect([...seen].toSorted()).toEqual(all.toSorted())
  expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(alarms.length)
})

test('README says how many metrics there are, and what they cost a month at most', () => {
  const count = Object.keys(metrics).reduce(
    (sum, name) => sum + (dimensionsOf(name as MetricName).includes('kind') ? kinds.length : 1),
    0,
  )
  const billed = alarmed.length
  expect(operations).toContain(`${count} metrics`)
  expect(operations).toContain(`$${(count * 0.3).toFixed(2)}`)
  expect(operations).toContain(`${alarms.length} alarms`)
  expect(operations).toContain(`$${(billed * 0.1).toFixed(2)}`)
})

test('each kind of route has an alarm of its slowest requests', () => {
  for (const kind of kinds) {
    expect(named(`slow-${kind}`)).toMatchObject({ ExtendedStatistic: 'p99', MetricName: 'Latency' })
    expect(readBy(named(`slow-${kind}`))[0]?.dimensions).toEqual({ stage: 'dev', kind })
    // Otherwise CloudWatch would look at them only from a thousand requests in five minutes on.
    expect(named(`slow-${kind}`)).not.toHaveProperty('EvaluateLowSampleCountPercentile')
  }
})

test('what the sweep tells every five or ten minutes raises an alarm all the same', () => {
  expect(named('sweep-failures')).toMatchObject({ Period: 300, EvaluationPeriods: 12, DatapointsToAlarm: 3 })
  expect(named('payments-in-review')).toMatchObject({ Period: 900, EvaluationPeriods: 1 })
})

test('the errors of all jobs are one alarm, raised by a single one, and the age of the stream is that of the jobs that follow it', () => {
  const deployed = deployedIn(resources)
  const functionsOf = (name: string) =>
    readBy(named(name)).map(({ dimensions }) => (dimensions.FunctionName as { Ref: string }).Ref)
  const jobs = deployed.filter(({ trigger }) => trigger)
  expect(functionsOf('job-errors').toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
  const followers = jobs.filter(({ trigger }) => trigger && 'follows' in trigger)
  expect(named('job-errors')).toMatchObject({ Threshold: 1, EvaluationPeriods: 1 })
  expect(functionsOf('stream-age').toSorted()).toEqual(followers.map(({ id }) => id).toSorted())
})

test('an expression names each of its metrics, so that it means the same on a graph with others', () => {
  const expressions = alarms.flatMap(([, { Metrics = [] }]) => {
    const parts = Metrics as { Id: string; Expression?: string }[]
    const ids = parts.filter(({ Expression }) => !Expression).map(({ Id }) => Id)
    return parts.flatMap(({ Expression = '' }) => (Expression ? [[Expression.match(/\bm\d+\b/g), ids] as const] : []))
  })
  expect(expressions).toHaveLength(3)
  for (const [named, ids] of expressions) expect(named).toEqual(ids)
  expect(JSON.stringify([alarms, widgets])).not.toContain('METRICS()')
})

test('of AWS’s own metrics those of this API, table and queue are read', () => {
  const of = (name: string) =>
    readBy(named(name)).map(({ namespace, name, dimensions }) => [namespace, name, dimensions])
  const { id: table } = onlyOne(resources, 'AWS::DynamoDB::Table')
  const { id: queue } = onlyOne(resources, 'AWS::SQS::Queue')
  const { id: api } = onlyOne(resources, 'AWS::ApiGatewayV2::Api')
  expect(of('server-errors')).toEqual([['AWS/ApiGateway', '5xx', { ApiId: { Ref: api } }]])
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

  test('is encrypted by a key that is changed every year, which alarms of this account may use', () => {
    expect(referred(topic.Properties.KmsMasterKeyId)).toBe(key.id)
    expect(key.Properties.EnableKeyRotation).toBe(true)
    const use = { ...byAlarms, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], Resource: '*' }
    expect(statements(key, 'KeyPolicy')).toContainEqual(use)
  })

  test('takes messages of alarms of this account, and refuses whatever comes without TLS', () => {
    const policy = statements(onlyOne(resources, 'AWS::SNS::TopicPolicy'), 'PolicyDocument')
    expect(policy.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      expect.objectContaining({ ...byAlarms, Action: 'sns:Publish', Resource: { Ref: topic.id } }),
    ])
    const [refused, ...others] = policy.filter(({ Effect }) => Effect === 'Deny')
    expect(refused).toMatchObject({ Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })
    expect(others).toEqual([])
  })

  const resourcesWith = (more: { alarmMail?: string; monthlyBudget?: string }): Resources =>
    Template.fromStack(newApp('dev', { builtinCloudFormationValidation: false }, more).stack).toJSON().Resources

  test('is told to a mail address, and a budget watched for it, only where that is asked for', () => {
    const optional = ['AWS::SNS::Subscription', 'AWS::Budgets::Budget']
    for (const type of optional) expect(ofType(resources, type)).toEqual([])
    const asked = resourcesWith({ alarmMail: 'wine@example.org', monthlyBudget: '50' })
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

  test('takes one mail address, and a budget whole dollars that somebody is told of', () => {
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
