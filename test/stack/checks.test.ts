import { CfnResource, Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { addChecks, exceptionsOf } from '../../lib/stack/checks.ts'
import type { ServiceStack, ServiceStackProps } from '../../lib/stack/service-stack.ts'
import { brokenIn } from '../support/broken-rules.ts'
import { emptyApp, newApp } from '../support/synthesized.ts'

type Options = { stage?: string; exceptions?: boolean; cloudFormation?: boolean; more?: Partial<ServiceStackProps> }

/**
 * Synthesizes a stage with the checks on; answers the rules that made it fail, undefined when it did not fail. The rules
 * of CloudFormation take as long as all the rest.
 */
const findings = (
  spoil: (stack: ServiceStack) => void,
  { stage = 'dev', exceptions = true, cloudFormation = false, more = {} }: Options = {},
) => {
  const { app, stack } = newApp(stage, { builtinCloudFormationValidation: cloudFormation }, more)
  spoil(stack)
  addChecks(app, exceptions ? exceptionsOf(stack) : [])
  return brokenIn(app)
}

const asItIs = () => {}

// All stages but prod have the same resources (service-stack.test.ts).
test('the stack passes the checks, and the rules of CloudFormation, with the stated exceptions', () => {
  expect(findings(asItIs, { cloudFormation: true })).toBeUndefined()
})

const name = 'wine.example'

// Together they ask for every optional part.
const forms: Partial<ServiceStackProps>[] = [
  {
    domain: { name, hostedZone: 'Z0123456789ABCDEFGHIJ' },
    publicSearch: '4096',
    alarmMail: 'wine@example.org',
    monthlyBudget: '50',
  },
  {
    domain: {
      name,
      certificate: 'arn:aws:acm:eu-central-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
    },
    restoredTable: {
      name: 'yesterday',
      stream: 'arn:aws:dynamodb:eu-central-1:123456789012:table/yesterday/stream/2026-11-23T08:00:00.000',
    },
  },
]

test.each(forms)('so does the stack with what may be asked for besides: %j', more => {
  expect(findings(asItIs, { stage: 'prod', cloudFormation: true, more })).toBeUndefined()
})

test.each(['dev', 'prod'])('each exception of %s is needed, and says why', stage => {
  const exceptions = exceptionsOf(newApp(stage).stack)
  expect(findings(asItIs, { stage, exceptions: false })).toEqual([...new Set(exceptions.map(({ id }) => id))].sort())
  for (const { reason } of exceptions) expect(reason).toMatch(/^.{30,}\.$/)
})

test('the exceptions of the bucket hold for no other bucket, and a role with wildcards fails the synthesis', () => {
  const found = findings(stack => {
    new Bucket(stack, 'Another')
    const role = new Role(stack, 'Wide', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: ['*'] }))
  })
  const wildcards = ['AwsSolutions-IAM5[Action::dynamodb:*]', 'AwsSolutions-IAM5[Resource::*]']
  expect(found).toEqual([...wildcards, 'AwsSolutions-S1', 'AwsSolutions-S10'])
})

test('a resource against the schema of CloudFormation fails the synthesis', () => {
  // The rules take seconds for the whole service.
  const app = emptyApp({ builtinCloudFormationValidation: true })
  new CfnResource(new Stack(app, 'Small'), 'Bad', { type: 'AWS::Lambda::Function', properties: { MemorySize: 99_999 } })
  expect(brokenIn(app)).toContain('F3003')
})
