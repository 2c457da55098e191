import { Duration } from 'aws-cdk-lib'
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Kind } from '../../shared/contract/route.ts'
import { dimensionsOf, type MetricName, namespace } from '../../shared/platform/log.ts'
import type { ServiceFunction } from './service-function.ts'
import type { Stage } from './stage.ts'

/** The metrics of alarms and the dashboard. */
export type Watched = {
  stage: Stage
  api: IHttpApi
  table: ITable
  deadLetters: Queue
  /** The jobs that follow the table's stream. */
  followers: readonly ServiceFunction[]
}

type Taken = { kind?: Kind; period?: Duration; label?: string }

const fiveMinutes = Duration.minutes(5)

/** A metric that the functions write; with `kind`, of one kind of routes. */
export const own = (
  { name: stage }: Stage,
  name: MetricName,
  statistic: string,
  { kind, period = fiveMinutes, label }: Taken = {},
): Metric => {
  if (dimensionsOf(name).includes('kind') !== (kind !== undefined)) throw new Error(`${name} ${kind}: no such metric`)
  return new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { stage, ...(kind && { kind }) },
    statistic,
    period,
    ...(label && { label }),
  })
}

// Each metric is named: in a graph, METRICS() would mean all metrics of the graph.
const sumOf = (ids: readonly string[]): string => `SUM([${ids.map(id => `FILL(${id}, 0)`).join(', ')}])`
const differenceOf = (ids: readonly string[]): string => ids.map(id => `FILL(${id}, 0)`).join(' - ')
const largestOf = (ids: readonly string[]): string => `MAX([${ids.join(', ')}])`

// An alarm may read ten metrics.
const together = (
  expressionOf: (ids: readonly string[]) => string,
  label: string,
  all: readonly IMetric[],
): MathExpression => {
  if (all.length > 10) throw new Error(`an alarm takes ten metrics at most: ${label}`)
  const byId = Object.fromEntries(all.map((metric, n) => [`m${n}`, metric]))
  return new MathExpression({
    expression: expressionOf(Object.keys(byId)),
    label,
    period: fiveMinutes,
    usingMetrics: byId,
  })
}

const sum = { statistic: 'Sum', period: fiveMinutes }

const throttlesOf = ({ tableName }: ITable, metricName: string): Metric =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap: { TableName: tableName }, ...sum })

/** Metrics, and expressions of them, that alarms and the dashboard share. */
export const measuresOf = ({ stage, api, table, deadLetters, followers }: Watched) => {
  const failedRequests = api.metricServerError({ ...sum, label: 'Failed requests (5xx)' })
  const providerFailures = own(stage, 'ProviderFailures', 'Sum', { label: 'Provider failures (502, 504)' })
  return {
    failedRequests,
    providerFailures,
    otherFailures: together(differenceOf, 'Failed requests without provider failures', [
      failedRequests,
      providerFailures,
    ]),
    serverErrors: own(stage, 'ServerErrors', 'Sum', { label: 'Errors of our own (500)' }),
    latency: (statistic: 'p50' | 'p99') => api.metricLatency({ statistic, period: fiveMinutes }),
    // Of all functions of the account: an alarm may read ten metrics, and cannot search for them.
    functionErrors: LambdaFunction.metricAllErrors({ ...sum, label: 'Function errors' }),
    // Of the account as well, since the limit is the account's.
    functionThrottles: LambdaFunction.metricAllThrottles({ ...sum, label: 'Function throttles' }),
    tableThrottles: together(sumOf, 'Table throttles', [
      throttlesOf(table, 'ReadThrottleEvents'),
      throttlesOf(table, 'WriteThrottleEvents'),
    ]),
    streamAge: together(
      largestOf,
      'Age of the stream (ms)',
      followers.map(one => one.function.metric('IteratorAge', { statistic: 'Maximum', period: fiveMinutes })),
    ),
    deadLetters: deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: 'Maximum',
      period: fiveMinutes,
      label: 'Dead letters',
    }),
  }
}
