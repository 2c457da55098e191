import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { Job } from '../../shared/contract/jobs.ts'
import { permissionPairs } from './rights.ts'
import { type ServiceContext, ServiceFunction } from './service-function.ts'

const follow = (made: ServiceFunction, { table }: ServiceContext, sortKeys: readonly string[]): void => {
  const { role } = made
  const { tableStreamArn = '' } = table
  role.addToPolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    }),
  )
  // AWS knows no narrower resource for this action.
  role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }))
  const mapping = new EventSourceMapping(made, 'Changes', {
    target: made.function,
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 1000,
    // Many changes of one catalogue in a row shall be looked at once.
    maxBatchingWindow: Duration.seconds(10),
    retryAttempts: 3,
    bisectBatchOnError: true,
    filters: [FilterCriteria.filter({ dynamodb: { Keys: { sk: { S: FilterRule.or(...sortKeys) } } } })],
  })
  // Lambda checks the role when it makes the mapping.
  mapping.node.addDependency(role)
}

const repeat = (made: ServiceFunction, minutes: number): Rule =>
  new Rule(made, 'Timer', {
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new LambdaTarget(made.function, { retryAttempts: 2 })],
  })

/** The Lambda of one job, started by the table's stream or by time. */
export const jobFunction = (scope: Construct, context: ServiceContext, job: Job): ServiceFunction => {
  const made = new ServiceFunction(scope, context, {
    name: job.file,
    description: job.summary,
    permissions: permissionPairs(job.permissions),
    files: job.files,
    secrets: job.secrets ?? false,
    timeout: job.timeout,
    memory: job.memory,
  })
  if ('follows' in job.trigger) follow(made, context, job.trigger.follows)
  else repeat(made, job.trigger.everyMinutes)
  return made
}
