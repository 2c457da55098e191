import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { type CfnStage, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { fallback, routes } from '../../shared/contract/index.ts'
import type { Route } from '../../shared/contract/route.ts'
import { AlarmTopic } from './alarm-topic.ts'
import { Alarms } from './alarms.ts'
import { bundleFolder } from './bundle.ts'
import { dashboard } from './dashboard.ts'
import { deployReadersLast, isFollower, jobFunctions } from './job-function.ts'
import { routeFunction } from './route-function.ts'
import { alarmMailOf, baseUrlOf, monthlyBudgetOf, publicSearchMemoryOf, stageOf } from './stage.ts'
import { Storage } from './storage.ts'

export type ServiceStackProps = StackProps & {
  stage: string
  bundles?: string
  baseUrl?: string | undefined
  /** MB of memory of what searches all public wines. */
  publicSearch?: string | undefined
  /** Whether merchants may take payments by the sandbox, which is no money. */
  sandbox?: boolean
  /** Whom alarms are sent to. */
  alarmMail?: string | undefined
  /** US dollars a month; that mail address is told when the account costs more. */
  monthlyBudget?: string | undefined
}

// One JSON object a line. `request` stands in our functions' lines as well (gateway_request_id).
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request: '$context.requestId',
    time: '$context.requestTime',
    client: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    route: '$context.routeKey',
    path: '$context.path',
    protocol: '$context.protocol',
    status: '$context.status',
    bytes: '$context.responseLength',
    ms: '$context.responseLatency',
    function: '$context.integration.requestId',
    functionStatus: '$context.integration.status',
    functionMs: '$context.integration.latency',
    error: '$context.error.message',
    functionError: '$context.integration.error',
  }),
)

/** The whole service: a Lambda a route behind an HTTP API, the table, the bucket. */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    {
      stage: stageName,
      bundles = bundleFolder,
      baseUrl,
      publicSearch,
      sandbox = false,
      alarmMail,
      monthlyBudget,
      ...props
    }: ServiceStackProps,
  ) {
    const stage = stageOf(stageName)
    super(scope, `Weinkontor-${stageName}`, {
      description: 'Weinkontor: orders, addresses and wines',
      terminationProtection: stage.terminationProtection,
      ...props,
    })
    const { table, bucket, deadLetters } = new Storage(this)
    const context = {
      ...{ stage, table, bucket, deadLetters, bundles, sandbox },
      baseUrl: baseUrl && baseUrlOf(baseUrl),
      publicSearchMemory: publicSearch === undefined ? 0 : publicSearchMemoryOf(publicSearch),
    }
    const integrationOf = (route: Route) =>
      new HttpLambdaIntegration('Integration', routeFunction(this, context, route).function)
    const jobs = jobFunctions(this, context)
    const api = new HttpApi(this, 'Api', {
      description: `Weinkontor ${stage.name}`,
      createDefaultStage: false,
      defaultIntegration: integrationOf(fallback),
    })
    // ANY, so that a wrong method reaches the route's own function and is told what the route does answer.
    const added = routes.map(route => ({
      route,
      http: api.addRoutes({ path: route.path, methods: [HttpMethod.ANY], integration: integrationOf(route) }),
    }))
    deployReadersLast(this)
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.accessLogRetention,
      removalPolicy: stage.logRemoval,
    })
    const deployed = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat },
    })
    const child = deployed.node.defaultChild as CfnStage
    for (const { http } of added) for (const one of http) child.node.addDependency(one)
    const { topic } = new AlarmTopic(this, {
      alarmMail: alarmMail === undefined ? undefined : alarmMailOf(alarmMail),
      monthlyBudget: monthlyBudget === undefined ? undefined : monthlyBudgetOf(monthlyBudget, alarmMail),
    })
    const followers = jobs.filter(isFollower)
    const watched = { stage, api, table, deadLetters, jobs, followers }
    const { all: alarms } = new Alarms(this, watched, topic)
    dashboard(this, watched, alarms)
    new CfnOutput(this, 'BaseUrl', { value: api.apiEndpoint, description: 'The base URL of all routes' })
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'For the merchant tool: --table' })
    new CfnOutput(this, 'BucketName', { value: bucket.bucketName, description: 'For the merchant tool: --bucket' })
  }
}
