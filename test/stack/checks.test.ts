import { readFileSync } from 'node:fs'
import { CfnResource } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { addChecks, exceptionsOf } from '../../lib/stack/checks.ts'
import type { ServiceStack } from '../../lib/stack/service-stack.ts'
import { newApp } from '../support/synthesized.ts'

type Report = { pluginReports: { violations: { ruleName: string }[] }[] }

const namesIn = (reportFile: string): string[] => {
  const { pluginReports } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
  return pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName)).sort()
}

type Options = { stage?: string; exceptions?: boolean; cloudFormation?: boolean }

/**
 * Synthesizes a stage with the checks on; answers the rules that made it fail, undefined when it did not fail. The rules
 * of CloudFormation take as long as all the rest.
 */
const findings = (
  spoil: (stack: ServiceStack) => void,
  { stage = 'dev', exceptions = true, cloudFormation = false }: Options = {},
) => {
  const { app, stack } = newApp(stage, { builtinCloudFormationValidation: cloudFormation })
  spoil(stack)
  addChecks(app, stack, exceptions ? undefined : [])
  try {
    app.synth()
    return undefined
  } catch (error) {
    return namesIn(/found in: (\S+)/.exec((error as Error).message)?.[1] ?? '')
  }
}

const asItIs = () => {}

// All stages have the same resources (service-stack.test.ts).
test('the stack passes the checks, and the rules of CloudFormation, with the stated exceptions', () => {
  expect(findings(asItIs, { cloudFormation: true })).toBeUndefined()
})

test('each exception is needed, and says why', () => {
  const exceptions = exceptionsOf(newApp('dev').stack)
  expect(findings(asItIs, { exceptions: false })).toEqual(exceptions.map(({ id }) => id).sort())
  for (const { reason } of exceptions) expect(reason).toMatch(/^.{30,}\.$/)
})

test('the exceptions of the bucket hold for no other bucket', () => {
  const found = findings(stack => {
    new Bucket(stack, 'Another')
  })
  expect(found).toEqual(['AwsSolutions-S1', 'AwsSolutions-S10'])
})

test('a role with wildcards fails the synthesis', () => {
  const found = findings(stack => {
    const role = new Role(stack, 'Wide', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: ['*'] }))
  })
  expect(found).toEqual(['AwsSolutions-IAM5[Action::dynamodb:*]', 'AwsSolutions-IAM5[Resource::*]'])
})

test('a resource against the schema of CloudFormation fails the synthesis', () => {
  const found = findings(
    stack => {
      new CfnResource(stack, 'Bad', { type: 'AWS::Lambda::Function', properties: { MemorySize: 99_999 } })
    },
    { cloudFormation: true },
  )
  expect(found).toContain('F3003')
})
