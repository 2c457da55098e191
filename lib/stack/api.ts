import { ArnFormat, type Stack } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  type CfnStage,
  HttpApi,
  HttpIntegrationType,
  HttpMethod,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  HttpStage,
  IntegrationCredentials,
  LogGroupLogDestination,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { fallback, routes } from '../../shared/contract/index.ts'
import { kindOf, type Route } from '../../shared/contract/route.ts'
import { type Domain, serveUnder } from './domain.ts'
import { routeFunction } from './route-function.ts'
import type { ServiceContext } from './service-function.ts'
import type { Stage } from './stage.ts'

// One JSON object a line. `request` is also in the functions' lines (gateway_request_id).
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

// Making a picture or a sheet takes up to a second. At the rate of other routes these functions could use half of the
// account's 1,000 concurrent instances, and orders would be throttled.
const fileThrottle = ({ rateLimit, burstLimit }: Stage['throttle']) => ({
  ThrottlingRateLimit: rateLimit * 0.4,
  ThrottlingBurstLimit: burstLimit * 0.4,
})
const fileRoutes = routes.filter(route => kindOf(route) === 'file')

/**
 * The integration of a function, invoked by the API's own role: a permission for each function would be another of the
 * 500 resources that a stack may have.
 */
class FunctionIntegration extends HttpRouteIntegration {
  readonly #functionArn: string
  readonly #role: Role

  constructor(functionArn: string, role: Role) {
    super('Integration')
    this.#functionArn = functionArn
    this.#role = role
  }

  bind(): HttpRouteIntegrationConfig {
    return {
      type: HttpIntegrationType.AWS_PROXY,
      uri: this.#functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(this.#role),
    }
  }
}

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

/** The HTTP API with a function for each route, its stage at the root, and an optional domain. */
export const serviceApi = (
  stack: Stack,
  context: ServiceContext,
  domain: Domain | undefined,
): { api: HttpApi; url: string } => {
  const { stage } = context
  const invoker = new Role(stack, 'Invoker', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { Rights: new PolicyDocument({ statements: [invokeAll(stack)] }) },
  })
  const integrationOf = (route: Route): FunctionIntegration =>
    new FunctionIntegration(routeFunction(stack, context, route).function.functionArn, invoker)
  const api = new HttpApi(stack, 'Api', {
    description: `Weinkontor ${stage.name}`,
    createDefaultStage: false,
    // Otherwise the service would have two names, and links only one of them.
    disableExecuteApiEndpoint: domain !== undefined,
    defaultIntegration: integrationOf(fallback),
  })
  // ANY, so that a wrong method reaches the route's own function, which returns the allowed ones.
  for (const route of routes)
    api.addRoutes({ path: route.path, methods: [HttpMethod.ANY], integration: integrationOf(route) })
  const accessLog = new LogGroup(stack, 'AccessLog', {
    retention: stage.accessLogRetention,
    removalPolicy: stage.logRemoval,
  })
  const deployed = new HttpStage(stack, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle: stage.throttle,
    accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat },
  })
  const resource = deployed.node.defaultChild as CfnStage
  resource.routeSettings = Object.fromEntries(
    fileRoutes.map(({ path }) => [`ANY ${path}`, fileThrottle(stage.throttle)]),
  )
  // A deployment contains the routes that exist when it is created.
  resource.node.addDependency(api)
  if (!domain) return { api, url: api.apiEndpoint }
  serveUnder(stack, domain, api, deployed)
  return { api, url: `https://${domain.name}` }
}
