import { createHash } from 'node:crypto'
import { ArnFormat, NestedStack, Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { CfnIntegration } from 'aws-cdk-lib/aws-apigatewayv2'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Alias,
  type CfnFunction,
  type CfnVersion,
  type Function as LambdaFunction,
  Version,
} from 'aws-cdk-lib/aws-lambda'
import type { ServiceFunction } from './service-function.ts'

/** The alias by which the gateway calls functions where releases go out by degrees. */
export const liveAlias = 'live'

type Release = {
  functions: readonly ServiceFunction[]
  api: HttpApi
  /** What takes a release back when it is raised. */
  alarms: readonly Alarm[]
  /** Whether a tenth of the requests tries a new version first. */
  canary: boolean
}

// CodeDeploy's own policy may change all aliases of the account. Functions are named after their stack.
const shifting = (stack: Stack): PolicyDocument => {
  const aliases = stack.formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: `${stack.stackName}-*:${liveAlias}`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  const shift = ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig']
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ actions: shift, resources: [aliases] }),
      // AWS knows no narrower resource for this action.
      new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
    ],
  })
}

type Resource = { Properties: Record<string, unknown> }

const resourceOf = (made: LambdaFunction): Resource => {
  const resource = made.node.defaultChild as CfnFunction
  const all: Record<string, Resource> = Stack.of(made).resolve(resource._toCloudFormation()).Resources
  return all[Stack.of(made).getLogicalId(resource)] as Resource
}

/**
 * The version of a function as it is now: another resource after each change, because Lambda makes one version of a
 * resource. Not `currentVersion`, which stands in the function's own stack.
 */
const versionOf = (nested: NestedStack, { node, function: made }: ServiceFunction): Version => {
  const { Tags: _, ...properties } = resourceOf(made).Properties
  const hash = createHash('sha256').update(JSON.stringify(properties)).digest('hex').slice(0, 16)
  const version = new Version(nested, `${node.id}-version`, { lambda: made })
  const resource = version.node.defaultChild as CfnVersion
  resource.overrideLogicalId(`${nested.getLogicalId(resource)}${hash}`)
  return version
}

/**
 * The alias of each function, which CodeDeploy leads to a new version: at first for a tenth of the requests, ten minutes
 * later, unless an alarm is raised, for all. In a stack of its own, because three more resources of each function are too many
 * for one stack.
 */
export const releaseByDegrees = (stack: Stack, { functions, api, alarms, canary }: Release): void => {
  const nested = new NestedStack(stack, 'Releases', {
    description: `${stack.stackName}: versions of functions go live`,
  })
  const application = new LambdaApplication(nested, 'Application')
  const role = new Role(nested, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: { Rights: shifting(stack) },
  }).withoutPolicyUpdates()
  for (const made of functions) {
    const { node } = made
    const version = versionOf(nested, made)
    const alias = new Alias(nested, node.id, { aliasName: liveAlias, version })
    new LambdaDeploymentGroup(nested, `${node.id}-release`, {
      ...{ application, role, alias },
      deploymentConfig: canary ? LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES : LambdaDeploymentConfig.ALL_AT_ONCE,
      alarms: canary ? [...alarms] : [],
    })
  }
  // Else the gateway would call aliases that are not there yet.
  for (const one of api.node.findAll()) if (one instanceof CfnIntegration) one.node.addDependency(nested)
}
