import { ArnFormat, type Stack } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  CfnApi,
  type CfnStage,
  HttpApi,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { routeKindOf } from '../../shared/contract/route.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { type Domain, serveUnder } from './domain.ts'
import { routeFunction } from './route-function.ts'
import type { ServiceContext } from './service-function.ts'
import type { Stage } from './stage.ts'

// One JSON object a line. `request` is also in the functions' lines (gateway_request_id). It has no address of a caller: the
// pages of electronic labels must not collect any, and one stage has one format for all routes.
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request: '$context.requestId',
    time: '$context.requestTime',
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

// Making a picture or a sheet takes up to a second. At the rate of other routes these functions could use half of the
// account's 1,000 concurrent instances, and orders would be throttled.
const fileThrottle = ({ rateLimit, burstLimit }: Stage['throttle']) => ({
  ThrottlingRateLimit: rateLimit * 0.4,
  ThrottlingBurstLimit: burstLimit * 0.4,
})
const fileRoutes = routes.filter(route => routeKindOf(route) === 'file')

// A pattern, since CloudFormation names functions after their stack: a list of all would exceed IAM's limit of 10,240
// characters for the policies of a role.
const invokeAll = (stack: Stack): PolicyStatement =>
  new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: [
      stack.formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: `${stack.stackName}-*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
  })

/**
 * A path of the API's document. ANY, so that a wrong method reaches the route's own function, which returns the allowed
 * methods. The API invokes the function by a role of its own: a permission for each would be another resource.
 */
const operation = (stack: Stack, functionArn: string, role: Role, isDefaultRoute: boolean) => ({
  'x-amazon-apigateway-any-method': {
    ...(isDefaultRoute && { isDefaultRoute }),
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: `arn:${stack.partition}:apigateway:${stack.region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
      payloadFormatVersion: '2.0',
      credentials: role.roleArn,
    },
  },
})

/** The HTTP API with a function for each route, its stage at the root, and an optional domain. */
export const serviceApi = (
  stack: Stack,
  context: ServiceContext,
  domain: Domain | undefined,
): { api: IHttpApi; url: string } => {
  const { stage } = context
  const invoker = new Role(stack, 'Invoker', {
    // AWS does not document whether API Gateway sends its API's account when it assumes such a role: if it does, it is ours.
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com', {
      conditions: { StringEqualsIfExists: { 'aws:SourceAccount': stack.account } },
    }),
    inlinePolicies: { Rights: new PolicyDocument({ statements: [invokeAll(stack)] }) },
  })
  // Of the 500 resources that a stack may have, routes and integrations as resources would be two more for each function.
  // `failOnWarnings` stays off: AWS does not list what an import warns about, and a new warning would stop all deployments.
  const resource = new CfnApi(stack, 'Api', {
    body: {
      openapi: '3.0.1',
      info: { title: `${stack.stackName}`, version: '1', description: `Weinkontor ${stage.name}` },
      paths: Object.fromEntries(
        [...routes, fallback].map(route => [
          route === fallback ? '/$default' : route.path,
          operation(stack, routeFunction(stack, context, route).function.functionArn, invoker, route === fallback),
        ]),
      ),
      servers: [
        {
          url: '/',
          // Otherwise the service would have two names, and links would use only one of them.
          'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: domain !== undefined },
        },
      ],
    },
  })
  const api = HttpApi.fromHttpApiAttributes(stack, 'HttpApi', {
    httpApiId: resource.ref,
    apiEndpoint: resource.attrApiEndpoint,
  })
  const accessLog = new LogGroup(stack, 'AccessLog', {
    retention: stage.logRetention,
    removalPolicy: stage.logRemoval,
  })
  const deployed = new HttpStage(stack, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle: stage.throttle,
    accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat },
  })
  const settings = deployed.node.defaultChild as CfnStage
  settings.routeSettings = Object.fromEntries(
    fileRoutes.map(({ path }) => [`ANY ${path}`, fileThrottle(stage.throttle)]),
  )
  if (!domain) return { api, url: resource.attrApiEndpoint }
  serveUnder(stack, domain, api, deployed)
  return { api, url: `https://${domain.name}` }
}
