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
  // AWS knows no narrower resource for this action.
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
    // Only the newest state of a catalogue counts, so a batch is never taken apart, and an old one is of no use.
    retryAttempts: 3,
    maxRecordAge: Duration.hours(1),
    // Not SqsDlq: it grants reading what the queue is like as well.
    onFailure: { bind: () => ({ destination }) },
    filters: [
      FilterCriteria.filter({ eventName: FilterRule.or('INSERT', 'MODIFY'), dynamodb: { Keys: { sk: { S } } } }),
    ],
  })
  // Lambda checks the role when it makes the mapping.
  mapping.node.addDependency(role)
}

export const isFollower = ({ sketch }: ServiceFunction): boolean =>
  jobs.some(({ file, trigger }) => file === sketch.name && 'follows' in trigger)

const repeat = (made: ServiceFunction, minutes: number): Rule =>
  new Rule(made, 'Timer', {
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new LambdaTarget(made.function, { retryAttempts: 2 })],
  })

// The next run of the clock does what a run that failed has left. Where that is far, Lambda tries again before, after one
// and two minutes; and so it does for a deployment, which waits until its one run has answered.
const configureRetries = ({ function: started }: ServiceFunction, trigger: Trigger): void => {
  const isFar = 'everyMinutes' in trigger && trigger.everyMinutes > 5
  started.configureAsyncInvoke({ retryAttempts: isFar ? 2 : 0, maxEventAge: Duration.minutes(isFar ? 60 : 5) })
}

/** Lets one function start another, which it finds in its environment. */
const letStart = (starter: ServiceFunction, { function: started }: ServiceFunction): void => {
  // Not grantInvoke: it allows all versions and aliases as well.
  starter.role.addToPolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [started.functionArn] }),
  )
  starter.function.addEnvironment('STARTED_FUNCTION_NAME', started.functionName)
}

/** Has CloudFormation run a job when the stack is made, and with each deployment that brings another layout or table. */
const runWhenDeployed = (made: ServiceFunction, { table }: ServiceContext): void => {
  new CustomResource(made, 'Deployed', {
    serviceToken: made.function.functionArn,
    resourceType: 'Custom::SnapshotLayout',
    properties: { layout: snapshotLayout, table: table.tableName },
    // As long as the function may run.
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

/** The job that starts another, if one does. */
const starterOf = (trigger: Trigger): Job['file'] | undefined =>
  'startedBy' in trigger ? trigger.startedBy : undefined

const isDeployedFirst = ({ trigger }: Job): boolean => {
  const starter = 'startedBy' in trigger ? jobs.find(({ file }) => file === trigger.startedBy) : undefined
  return 'deployed' in (starter?.trigger ?? trigger)
}

/**
 * Has functions that read snapshots deployed after those of their layout are written: what a deployment runs, and what
 * that starts, comes first.
 */
export const deployReadersLast = (stack: Stack): void => {
  const all = stack.node.findAll()
  const deployed = all.filter(one => one instanceof CustomResource)
  const first = new Set(jobs.filter(isDeployedFirst).map(({ file }) => file as string))
  for (const one of all) {
    const isReader = one instanceof ServiceFunction && one.sketch.files.includes('readSnapshots')
    if (isReader && !first.has(one.sketch.name)) one.function.node.addDependency(...deployed)
  }
}
