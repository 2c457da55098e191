import { Duration, Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { measuresOf, own, type Watched } from './measures.ts'

type AlarmProps = {
  metric: IMetric
  /** Raised when the metric reaches it in `periods` of `of` periods; 1 of 1 by default. */
  threshold: number
  periods?: number
  of?: number
  /** For a percentile: periods with too few requests for it (20 for the median) are ignored. */
  ignoresFew?: true
  summary: string
}

const alarmProps = (watched: Watched): Record<string, AlarmProps> => {
  const { stage } = watched
  const measures = measuresOf(watched)
  return {
    'server-errors': {
      metric: measures.serverErrors,
      threshold: 1,
      summary: 'A request failed by an error of our own.',
    },
    'function-errors': {
      metric: measures.functionErrors,
      threshold: 1,
      summary: 'A function crashed, ran out of time or memory, or could not be loaded; or a job failed.',
    },
    'provider-failures': {
      metric: measures.providerFailures,
      threshold: 5,
      summary: 'Five requests failed in five minutes because of a payment provider.',
    },
    unavailable: {
      metric: measures.otherFailures,
      threshold: 5,
      periods: 3,
      summary: 'Five requests failed in each of three times five minutes, those of payment providers not counted.',
    },
    // Longer than a cold start and a usual response of a payment provider.
    'slow-p99': {
      metric: measures.latency('p99'),
      threshold: 5000,
      periods: 3,
      summary: 'One of a hundred requests takes five seconds or more.',
    },
    'slow-median': {
      metric: measures.latency('p50'),
      threshold: 1000,
      periods: 3,
      ignoresFew: true,
      summary: 'Half of all requests take a second or more.',
    },
    'function-throttles': {
      metric: measures.functionThrottles,
      threshold: 5,
      summary: 'Lambda refuses to start functions: the account has too many at work.',
    },
    'table-throttles': {
      metric: measures.tableThrottles,
      threshold: 10,
      periods: 2,
      summary: 'DynamoDB refuses requests: more than it gives a partition, or the table.',
    },
    'table-conflicts': {
      metric: own(stage, 'Conflicts', 'Sum'),
      threshold: 100,
      periods: 2,
      summary: 'Many transactions meet each other on the same items.',
    },
    'stream-age': {
      metric: measures.streamAge,
      threshold: 300_000,
      periods: 2,
      summary: 'What was written five minutes ago has not reached the jobs that follow the table.',
    },
    'dead-letters': { metric: measures.deadLetters, threshold: 1, summary: 'Lambda gave up a batch of the stream.' },
    'sweep-failures': {
      metric: own(stage, 'SweepFailures', 'Sum'),
      threshold: 1,
      // A failed payment is checked again after ten minutes.
      periods: 3,
      of: 12,
      summary: 'The sweep could not reconcile payments or merchants three times within an hour.',
    },
    'payments-in-review': {
      // The sweep reports it every five minutes, but not in each five-minute period of the clock.
      metric: own(stage, 'PaymentsInReview', 'Maximum', { period: Duration.minutes(15) }),
      threshold: 1,
      summary: 'A payment needs a human decision.',
    },
    'failed-logins': {
      metric: own(stage, 'FailedLogins', 'Sum'),
      threshold: 100,
      summary: 'A hundred sign-ins with a wrong credential in five minutes.',
    },
  }
}

/** All alarms, each sent to a topic. OPERATIONS.md has a paragraph for each. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[]

  constructor(scope: Construct, watched: Watched, topic: Topic) {
    super(scope, 'Alarms')
    const { stackName } = Stack.of(this)
    const action = new SnsAction(topic)
    this.all = Object.entries(alarmProps(watched)).map(
      ([name, { metric, threshold, periods = 1, of = periods, ignoresFew, summary }]) => {
        const alarm = new Alarm(this, name, {
          alarmName: `${stackName}-${name}`,
          alarmDescription: `${summary} What to do: lib/stack/OPERATIONS.md.`,
          metric,
          threshold,
          evaluationPeriods: of,
          datapointsToAlarm: periods,
          comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          ...(ignoresFew && { evaluateLowSampleCountPercentile: 'ignore' }),
          // Most metrics are written only when something happened.
          treatMissingData: TreatMissingData.NOT_BREACHING,
        })
        alarm.addAlarmAction(action)
        alarm.addOkAction(action)
        return alarm
      },
    )
  }
}
