import { CfnResource, Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { addChecks, exceptionsOf, exceptionsOfFront } from '../../lib/stack/checks.ts'
import type { ServiceStackProps } from '../../lib/stack/service-stack.ts'
import { brokenIn } from '../support/broken-rules.ts'
import { emptyApp, everyOption, newApp, newAppWithFront, withCertificate } from '../support/synthesized.ts'

const front = { rate: 1000, key: 1, region: 'eu-central-1' }
type Form = Partial<ServiceStackProps> & { stage: string }
/** Forms of the service that together have every optional part. */
const forms: Form[] = [
  { ...everyOption, sandbox: false, stage: 'prod', front },
  { stage: 'dev' },
  { ...everyOption, sandbox: false, stage: 'prod' },
  { ...withCertificate, stage: 'prod' },
  { stage: 'dev', baseUrl: 'https://wine.example', front },
]

const appOf = ({ stage, ...more }: Form, builtinCloudFormationValidation: boolean) => {
  const options = { builtinCloudFormationValidation }
  if (!more.front) return { ...newApp(stage, options, more), outside: undefined }
  return newAppWithFront(more.front, options, { ...more, stage })
}

test.each(forms)('the stacks pass the checks with the stated exceptions: %j', form => {
  const { app, stack, outside } = appOf(form, true)
  addChecks(app, [...exceptionsOf(stack), ...(outside ? exceptionsOfFront(outside) : [])])
  expect(brokenIn(app)).toBeUndefined()
})

test.each(forms)('each exception is needed and has a reason: %j', form => {
  const { app, stack, outside } = appOf(form, false)
  addChecks(app, [])
  const ofFront = outside ? exceptionsOfFront(outside) : []
  const exceptions = [...exceptionsOf(stack), ...ofFront]
  expect(brokenIn(app)).toEqual([...new Set(exceptions.map(({ id }) => id))].sort())
  const byOwnName = form.domain ? [] : ['CFR4']
  expect(ofFront.map(({ id }) => id.split('-')[1])).toEqual(outside ? ['CFR1', 'CFR3', ...byOwnName] : [])
  for (const { reason } of exceptions) expect(reason).toMatch(/^.{30,}\.$/)
})

test('the exceptions of the bucket apply to no other bucket, and a role with wildcards fails the synthesis', () => {
  const { app, stack } = newApp('dev', { builtinCloudFormationValidation: false })
  new Bucket(stack, 'Another')
  const role = new Role(stack, 'Wide', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: ['*'] }))
  addChecks(app, exceptionsOf(stack))
  const wildcards = ['AwsSolutions-IAM5[Action::dynamodb:*]', 'AwsSolutions-IAM5[Resource::*]']
  expect(brokenIn(app)).toEqual([...wildcards, 'AwsSolutions-S1', 'AwsSolutions-S10'])
})

test('a resource that violates the schema of CloudFormation fails the synthesis', () => {
  const app = emptyApp({ builtinCloudFormationValidation: true })
  new CfnResource(new Stack(app, 'Small'), 'Bad', { type: 'AWS::Lambda::Function', properties: { MemorySize: 99_999 } })
  expect(brokenIn(app)).toContain('F3003')
})
