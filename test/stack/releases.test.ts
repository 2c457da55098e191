import type { NestedStack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ServiceStack, type ServiceStackProps } from '../../lib/stack/service-stack.ts'
import { canaryOf } from '../../lib/stack/stage.ts'
import { fallback, routes } from '../../shared/contract/index.ts'
import { fileOf } from '../../shared/contract/route.ts'
import { integrationOf, keyOf } from '../support/deployed.ts'
import { stubBundles } from '../support/stub-bundles.ts'
import {
  emptyApp,
  newApp,
  ofType,
  onlyOne,
  type Properties,
  type Resources,
  templateOf,
} from '../support/synthesized.ts'

const options = { builtinCloudFormationValidation: false }

const templatesOf = (stack: ServiceStack): { resources: Resources; released: Resources; parameters: object } => {
  const nested = Template.fromStack(stack.node.findChild('Releases') as NestedStack).toJSON()
  const resources = Template.fromStack(stack).toJSON().Resources
  return { resources, released: nested.Resources, parameters: nested.Parameters }
}

const prodWith = (more: Partial<ServiceStackProps> = {}) => templatesOf(newApp('prod', options, more).stack)

const { resources, released, parameters } = prodWith()
const all = [...routes, fallback]
const answering = all.length
const aliases = ofType(released, 'AWS::Lambda::Alias')
const groups = ofType(released, 'AWS::CodeDeploy::DeploymentGroup')

/** The logical id of the function whose alias an ARN in the template names. */
const functionOf = (aliasArn: unknown): string => {
  const { 'Fn::Join': [, [arn, alias] = []] = ['', []] } = aliasArn as { 'Fn::Join'?: [string, unknown[]] }
  expect(alias).toBe(':live')
  return (arn as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0]
}

test('in prod the gateway calls the alias of each function, may call nothing else, and only once the aliases are there', () => {
  const nested = onlyOne(resources, 'AWS::CloudFormation::Stack').id
  const called = all.map(route => functionOf(integrationOf(resources, keyOf(route)).IntegrationUri))
  expect(new Set(called).size).toBe(answering)
  const invoker = ofType(resources, 'AWS::IAM::Role').find(({ id }) => id.startsWith('Invoker'))
  const [{ PolicyDocument }] = invoker?.Properties.Policies as [{ PolicyDocument: { Statement: Properties[] } }]
  const allowed = PolicyDocument.Statement.flatMap(({ Resource }) => Resource as unknown[]).map(functionOf)
  expect(allowed.sort()).toEqual(called.sort())
  for (const { DependsOn = [] } of ofType(resources, 'AWS::ApiGatewayV2::Integration'))
    expect([DependsOn].flat()).toContain(nested)
})

test('each alias leads to a version of its own function, and is led there by a deployment group of its own', () => {
  expect(aliases).toHaveLength(answering)
  expect(new Set(groups.map(({ id }) => id)).size).toBe(answering)
  const led = aliases.map(alias => {
    const { Name, FunctionName, FunctionVersion } = alias.Properties
    const version = released[(FunctionVersion as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0]]
    expect([Name, version?.Properties.FunctionName]).toEqual(['live', FunctionName])
    const { UpdatePolicy } = alias as unknown as {
      UpdatePolicy: Record<string, { DeploymentGroupName: { Ref: string } }>
    }
    return UpdatePolicy.CodeDeployLambdaAliasUpdate?.DeploymentGroupName.Ref
  })
  expect(led.sort()).toEqual(groups.map(({ id }) => id).sort())
})

test('a tenth of the requests tries a release for ten minutes; failed requests, and a failed deployment, take it back', () => {
  for (const { Properties } of groups) {
    expect(Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
      AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: expect.stringMatching(/servererrors/) } }] },
    })
  }
})

test('without the canary a release goes out at once, whatever alarms say: it may be what ends them', () => {
  for (const { Properties } of ofType(prodWith({ canary: false }).released, 'AWS::CodeDeploy::DeploymentGroup')) {
    expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce')
    expect(Properties.AlarmConfiguration).toEqual({ Enabled: false })
  }
  expect([undefined, 'on', 'off'].map(canaryOf)).toEqual([true, true, false])
  expect(() => canaryOf('no')).toThrow('canary must be on or off: no')
})

test('CodeDeploy may shift the aliases of this stack, and nothing else', () => {
  const [{ PolicyDocument }] = onlyOne(released, 'AWS::IAM::Role').Properties.Policies as [{ PolicyDocument: object }]
  expect(onlyOne(released, 'AWS::IAM::Role').Properties.ManagedPolicyArns).toBeUndefined()
  expect(JSON.stringify(PolicyDocument)).toContain(':function:Weinkontor-prod-*:live')
  expect(JSON.stringify(PolicyDocument).match(/"Resource":"\*"/g)).toHaveLength(1)
})

const [route] = routes
const changed = route ? fileOf(route) : ''
const versionsOf = (bundles: Record<string, string>, memory?: string): string[] => {
  const stack = new ServiceStack(emptyApp(options), {
    stage: 'prod',
    bundles: stubBundles(bundles),
    ...(memory && { publicSearch: memory }),
  })
  return ofType(templatesOf(stack).released, 'AWS::Lambda::Version').map(({ id }) => id)
}

test('a function has a new version when its code or its size changes; all others keep theirs', () => {
  const before = versionsOf({})
  expect(versionsOf({})).toEqual(before)
  const code = versionsOf({ [changed]: 'export const handler = async () => ({ statusCode: 205 })' })
  expect(code.filter(id => !before.includes(id))).toHaveLength(1)
  const memory = versionsOf({}, '4096').filter(id => !before.includes(id))
  expect(memory.length).toBeGreaterThan(0)
  expect(memory.length).toBeLessThan(answering / 2)
})

test('both stacks keep below what CloudFormation takes, with room for thirty more routes', () => {
  expect(Object.keys(released).length + 3 * 30).toBeLessThan(500)
  expect(Object.keys(parameters).length + 30).toBeLessThan(200)
})

test('other stages go out at once, without aliases', () => {
  const dev = templateOf('dev').resources
  for (const type of ['AWS::CloudFormation::Stack', 'AWS::CodeDeploy::Application', 'AWS::Lambda::Version'])
    expect(ofType(dev, type)).toEqual([])
  for (const one of all) expect(integrationOf(dev, keyOf(one)).IntegrationUri).toHaveProperty('Fn::GetAtt')
})
