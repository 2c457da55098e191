import { CustomResource, Duration, type Stack } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { snapshotLayout } from '../../shared/catalogue/search/snapshot-envelope.ts'
import { type Job, jobs, type Trigger } from '../../shared/contract/jobs.ts'
import { permissionPairs } from './rights.ts'
import { type ServiceContext, ServiceFunction } from './service-function.ts'

type Following = Extract<Trigger, { follows: unknown }>

const follow = (
  made: ServiceFunction,
  { table, deadLetters }: ServiceContext,
  { follows, prefixes = [], windowSeconds }: Following,
): void => {
  const { role } = made
  const { tableStreamArn = '' } = table
  role.addToPolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    }),
  )
  // AWS supports no narrower resource for this action.
  role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }))
  const S = [...FilterRule.or(...follows), ...prefixes.flatMap(prefix => FilterRule.beginsWith(prefix))]
  const destination = deadLetters.queueArn
  role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [destination] }))
  const mapping = new EventSourceMapping(made, 'Changes', {
    target: made.function,
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 1000,
    maxBatchingWindow: Duration.seconds(windowSeconds),
    // Only the newest state of a catalogue matters, so a batch is never split, and an old batch is useless.
    retryAttempts: 3,
    maxRecordAge: Duration.hours(1),
    // Not SqsDlq: it grants reading the queue's attributes as well.
    onFailure: { bind: () => ({ destination }) },
    filters: [
      FilterCriteria.filter({ eventName: FilterRule.or('INSERT', 'MODIFY'), dynamodb: { Keys: { sk: { S } } } }),
    ],
  })
  // Lambda checks the role when it creates the mapping.
  mapping.node.addDependency(role)
}

export const isFollower = ({ props }: ServiceFunction): boolean =>
  jobs.some(({ file, trigger }) => file === props.name && 'follows' in trigger)

const repeat = (made: ServiceFunction, minutes: number): Rule =>
  new Rule(made, 'Timer', {
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new LambdaTarget(made.function, { retryAttempts: 2 })],
  })

// The next timed run does the work of a failed run. If that is far away, Lambda retries after one and two minutes; also
// for a deployment, which waits for the response of its only run.
const configureRetries = ({ function: started }: ServiceFunction, trigger: Trigger): void => {
  const isFar = 'everyMinutes' in trigger && trigger.everyMinutes > 5
  started.configureAsyncInvoke({ retryAttempts: isFar ? 2 : 0, maxEventAge: Duration.minutes(isFar ? 60 : 5) })
}

/** Allows a function to start another, whose name it gets in its environment. */
const letStart = (starter: ServiceFunction, { function: started }: ServiceFunction): void => {
  // Not grantInvoke: it allows all versions and aliases as well.
  starter.role.addToPolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [started.functionArn] }),
  )
  starter.function.addEnvironment('STARTED_FUNCTION_NAME', started.functionName)
}

/** Makes CloudFormation run a job when the stack is created, and in each deployment with another layout or table. */
const runWhenDeployed = (made: ServiceFunction, { table }: ServiceContext): void => {
  new CustomResource(made, 'Deployed', {
    serviceToken: made.function.functionArn,
    resourceType: 'Custom::SnapshotLayout',
    properties: { layout: snapshotLayout, table: table.tableName },
    // The function's timeout.
    serviceTimeout: Duration.minutes(15),
  })
}

const jobFunction = (scope: Construct, context: ServiceContext, job: Job): ServiceFunction => {
  const made = new ServiceFunction(scope, context, {
    name: job.file,
    description: job.summary,
    permissions: permissionPairs(job.permissions),
    files: job.files,
    secrets: job.secrets ?? false,
    events: job.events ?? false,
    timeout: job.timeout,
    memory: job.memory,
  })
  if ('follows' in job.trigger) follow(made, context, job.trigger)
  else if ('deployed' in job.trigger) runWhenDeployed(made, context)
  else configureRetries(made, job.trigger)
  if ('everyMinutes' in job.trigger) repeat(made, job.trigger.everyMinutes)
  return made
}

/** The Lambdas of all jobs, started by the table's stream, by time, by one another or by a deployment. */
export const jobFunctions = (scope: Construct, context: ServiceContext): ServiceFunction[] => {
  const made = new Map(jobs.map(job => [job.file, jobFunction(scope, context, job)] as const))
  for (const { file, trigger } of jobs) {
    const [starter, started] = [made.get(starterOf(trigger) ?? file), made.get(file)]
    if (starter && started && starter !== started) letStart(starter, started)
  }
  return [...made.values()]
}

/** The job that starts another, if any job does. */
const starterOf = (trigger: Trigger): Job['file'] | undefined =>
  'startedBy' in trigger ? trigger.startedBy : undefined

const isDeployedFirst = ({ trigger }: Job): boolean => {
  const starter = 'startedBy' in trigger ? jobs.find(({ file }) => file === trigger.startedBy) : undefined
  return 'deployed' in (starter?.trigger ?? trigger)
}

/**
 * Makes functions that read snapshots depend on the run that writes the snapshots of their layout: the job of the
 * deployment, and the job that it starts, are deployed first.
 */
export const deployReadersLast = (stack: Stack): void => {
  const all = stack.node.findAll()
  const deployed = all.filter(one => one instanceof CustomResource)
  const first = new Set(jobs.filter(isDeployedFirst).map(({ file }) => file as string))
  for (const one of all) {
    const isReader = one instanceof ServiceFunction && one.props.files.includes('readSnapshots')
    if (isReader && !first.has(one.props.name)) one.function.node.addDependency(...deployed)
  }
}
