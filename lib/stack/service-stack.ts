import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import type { Construct } from 'constructs'
import { AlarmTopic } from './alarm-topic.ts'
import { Alarms } from './alarms.ts'
import { serviceApi } from './api.ts'
import { bundleFolder } from './bundle.ts'
import { dashboard } from './dashboard.ts'
import type { Domain } from './domain.ts'
import { eventBus } from './event-bus.ts'
import { makeFrontKey } from './front/key.ts'
import type { Front } from './front/options.ts'
import { deployReadersLast, isFollower, jobFunctions } from './job-function.ts'
import { operatorPolicy } from './operator-policy.ts'
import {
  alarmMailOf,
  baseUrlOf,
  fileConcurrencyOf,
  isTogether,
  monthlyBudgetOf,
  publicSearchMemoryOf,
  type Stage,
  stageOf,
} from './stage.ts'
import { type RestoredTable, Storage } from './storage.ts'

export type ServiceStackProps = StackProps & {
  stage: string
  bundles?: string
  baseUrl?: string | undefined
  domain?: Domain | undefined
  /** The edge in front of the API (lib/stack/front); the domain then leads there, and the stack needs its region. */
  front?: Front | undefined
  /** An existing table that is used instead of a new table. */
  restoredTable?: RestoredTable | undefined
  /** The memory in MB of functions that search all public wines. */
  publicSearch?: string | undefined
  /** The concurrency of each function that makes pictures or sheets; by default the account's limit. */
  fileConcurrency?: string | undefined
  /** Allows payments by the sandbox, without money. */
  sandbox?: boolean
  /** `apart` or `together`: the statements with conditions on leading keys. */
  leadingKeys?: string | undefined
  /** The mail address for alarms. */
  alarmMail?: string | undefined
  /** US dollars a month; above it, `alarmMail` gets a mail. */
  monthlyBudget?: string | undefined
  /** The commits of this release and of the previous, as outputs of the stack; lib/release.ts reads them. */
  release?: { commit?: string | undefined; previous?: string | undefined }
}

/** The whole service: a Lambda a route behind an HTTP API, the table, the bucket. */
export class ServiceStack extends Stack {
  readonly stage: Stage
  readonly api: IHttpApi

  constructor(
    scope: Construct,
    {
      stage: stageName,
      bundles = bundleFolder,
      baseUrl,
      domain,
      front,
      restoredTable,
      publicSearch,
      fileConcurrency,
      sandbox = false,
      leadingKeys,
      alarmMail,
      monthlyBudget,
      release = {},
      ...props
    }: ServiceStackProps,
  ) {
    const stage = stageOf(stageName)
    super(scope, `Weinkontor-${stageName}`, {
      description: 'Weinkontor: orders, addresses and wines',
      terminationProtection: stage.terminationProtection,
      ...(front && { env: { region: front.region } }),
      ...props,
    })
    this.stage = stage
    // All settings are validated before the first resource is created.
    const settings = {
      baseUrl: baseUrl === undefined ? domain && `https://${domain.name}` : baseUrlOf(baseUrl),
      together: isTogether(leadingKeys),
      publicSearchMemory: publicSearch === undefined ? 0 : publicSearchMemoryOf(publicSearch),
      fileConcurrency: fileConcurrency === undefined ? undefined : fileConcurrencyOf(fileConcurrency),
    }
    const alarmed = {
      alarmMail: alarmMail === undefined ? undefined : alarmMailOf(alarmMail),
      monthlyBudget: monthlyBudget === undefined ? undefined : monthlyBudgetOf(monthlyBudget, alarmMail),
    }
    const { table, bucket, deadLetters } = new Storage(this, restoredTable)
    const bus = eventBus(this)
    const frontKey = front && makeFrontKey(this, stageName, front)
    const context = { ...settings, stage, table, bucket, deadLetters, bus, bundles, sandbox, frontKey }
    const jobs = jobFunctions(this, context)
    // The edge calls the API by its own name.
    const { api, url } = serviceApi(this, context, front ? undefined : domain)
    this.api = api
    deployReadersLast(this)
    const { topic } = new AlarmTopic(this, alarmed)
    const watched = { stage, api, table, deadLetters, followers: jobs.filter(isFollower) }
    const { all } = new Alarms(this, watched, topic)
    dashboard(this, watched, all)
    new CfnOutput(this, 'BaseUrl', {
      value: (front && context.baseUrl) ?? url,
      description: 'The base URL of all routes',
    })
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'For the operator tool: --table' })
    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName, description: 'What other systems follow by rules' })
    new CfnOutput(this, 'BucketName', { value: bucket.bucketName, description: 'For the operator tool: --bucket' })
    new CfnOutput(this, 'OperatorPolicy', {
      value: operatorPolicy(this, { stage, table, bucket }).managedPolicyArn,
      description: 'For the role that runs the operator tool',
    })
    if (release.commit) new CfnOutput(this, 'Commit', { value: release.commit })
    if (release.previous) new CfnOutput(this, 'PreviousCommit', { value: release.previous })
  }
}
