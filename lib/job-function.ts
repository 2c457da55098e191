import { Duration } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { Job } from '../shared/contract/jobs.ts'
import { touchesIn } from './rights.ts'
import { ServiceFunction, type Surroundings } from './service-function.ts'

/** The Lambda of one job, started by the table's stream for the sort keys it follows. */
export const jobFunction = (scope: Construct, surroundings: Surroundings, job: Job): ServiceFunction => {
  const made = new ServiceFunction(scope, surroundings, {
    name: job.file,
    description: job.says,
    touches: touchesIn(job.touches),
    files: job.files,
    timeout: job.timeout,
    memory: job.memory,
  })
  const { tableStreamArn = '' } = surroundings.table
  made.role.addToPolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    }),
  )
  // AWS knows no narrower resource for this action.
  made.role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }))
  const mapping = new EventSourceMapping(made, 'Changes', {
    target: made.function,
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 1000,
    // Many changes of one catalogue in a row shall be looked at once.
    maxBatchingWindow: Duration.seconds(10),
    retryAttempts: 3,
    bisectBatchOnError: true,
    filters: [FilterCriteria.filter({ dynamodb: { Keys: { sk: { S: FilterRule.or(...job.follows) } } } })],
  })
  // Lambda checks the role when it makes the mapping.
  mapping.node.addDependency(made.role)
  return made
}
