import { Duration, Stack } from 'aws-cdk-lib'
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { kinds } from '../../shared/contract/route.ts'
import type { MetricName } from '../../shared/platform/log.ts'
import { measuresOf, own, type Watched } from './measures.ts'

const graph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []) =>
  new GraphWidget({ title, left: [...left], right: [...right], width: 8, height: 6 })

const aDay = { period: Duration.days(1) }

/** One page with all metrics, alarms on top. */
export const dashboard = (scope: Construct, watched: Watched, alarms: readonly Alarm[]): Dashboard => {
  const { stage } = watched
  const measures = measuresOf(watched)
  const each = (name: MetricName, statistic: string) =>
    kinds.map(kind => own(stage, name, statistic, { kind, label: kind }))
  const gateway = (statistic: 'p50' | 'p99') => measures.latency(statistic).with({ label: 'all, at the gateway' })
  const plain = (name: MetricName, statistic: string) =>
    own(stage, name, statistic, { label: `${name} (${statistic})` })
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
      [
        graph('Requests', each('Latency', 'SampleCount')),
        graph('Latency, p99 (ms)', [gateway('p99'), ...each('Latency', 'p99')]),
        graph('Latency, median (ms)', [gateway('p50'), ...each('Latency', 'p50')]),
      ],
      [
        graph('Refused requests (4xx)', each('ClientErrors', 'Sum')),
        graph('Failed requests', [measures.failedRequests, measures.serverErrors, measures.providerFailures]),
        graph('Failed logins', [plain('FailedLogins', 'Sum')]),
      ],
      [
        graph('Orders a day', [own(stage, 'Orders', 'Sum', aDay)]),
        graph('Turnover a day (EUR, gross)', [own(stage, 'Turnover', 'Sum', aDay)]),
        graph(
          'Payments',
          [plain('PaymentsInReview', 'Maximum'), plain('PaymentsLeft', 'Sum')],
          [plain('SweepFailures', 'Sum')],
        ),
      ],
      [
        graph('Table', [plain('Conflicts', 'Sum'), plain('Retries', 'Sum'), measures.tableThrottles]),
        graph('Search index, size (bytes)', [plain('IndexSize', 'Maximum'), plain('IndexSize', 'p50')]),
        graph('Search index, refresh (ms)', [plain('IndexRefreshTime', 'p99'), plain('IndexRefreshTime', 'p50')]),
      ],
      [
        graph('Functions of the account', [measures.functionErrors, measures.functionThrottles]),
        graph('Stream', [measures.streamAge], [measures.deadLetters]),
      ],
    ],
  })
}
