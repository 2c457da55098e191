import { type App, type CfnElement, type Stack, Token, Validations } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import type { FrontStack } from './front/front-stack.ts'
import { isFollower } from './job-function.ts'
import { ServiceFunction } from './service-function.ts'

/** A rule of AwsSolutions that a part of the service violates, and the reason. */
export type Exception = { at: IConstruct; id: string; reason: string }

const prefixes = ['documents', 'drafts', 'expertise', 'pictures', 'snapshots', 'uploads']

const stageName = (stack: Stack): string => stack.stackName.split('-').at(-1) ?? ''

// The notation of findings for values that are known at deployment only.
const notationOf = (value: string, name: string): string => (Token.isUnresolved(value) ? `<AWS::${name}>` : value)

/** The prefix of the ARNs of a kind of resources, in the notation of findings. */
const arnOf = ({ partition, region, account }: Stack, service: string, kind: string): string => {
  const places = [notationOf(region, 'Region'), notationOf(account, 'AccountId')]
  return `arn:${notationOf(partition, 'Partition')}:${service}:${places.join(':')}:${kind}`
}

const ofFrontKey = (stack: Stack): Exception[] =>
  stack.node.children
    .filter(one => one instanceof Secret)
    .map(at => ({
      at,
      id: 'AwsSolutions-SMG4',
      reason: 'Both sides read it when they are deployed, so a deployment changes it too: the setting frontKey.',
    }))

/** All exceptions of the service's stack, each for one part of it. */
export const exceptionsOf = (stack: Stack): Exception[] => {
  const bucket = stack.node.findChild('Storage').node.findChild('Files')
  const bucketId = stack.getLogicalId(bucket.node.defaultChild as CfnElement)
  return [
    {
      at: stack.node.findChild('Invoker'),
      id: `AwsSolutions-IAM5[Resource::${arnOf(stack, 'lambda', 'function')}:${stack.stackName}-*]`,
      reason: "The API may invoke the functions of its own stack; one by one they would outgrow a role's policies.",
    },
    {
      at: bucket,
      id: 'AwsSolutions-S1',
      reason: 'Not logged: it would take a bucket more. Our log records who got a link, not whether it was followed.',
    },
    {
      at: stack.node.findChild('Storage').node.findChild('DeadLetters'),
      id: 'AwsSolutions-SQS3',
      reason: 'It is the queue of dead letters itself; nothing takes messages out of it but a person.',
    },
    // A finding does not name the actions; rights.test.ts asserts which actions have that resource.
    ...stack.node.children
      .filter(one => one instanceof ServiceFunction)
      .filter(isFollower)
      .map(at => ({
        at,
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'dynamodb:ListStreams, which following a stream needs, knows no narrower resource.',
      })),
    {
      at: stack,
      id: `AwsSolutions-IAM5[Resource::${arnOf(stack, 'ssm', 'parameter')}/weinkontor/${stageName(stack)}/paypal/*]`,
      reason: "Merchants' credentials at PayPal are written after the deployment, each under the merchant's number.",
    },
    {
      at: stack.node.findChild('Operator'),
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`,
      reason: 'The operator tool supplies files of every kind.',
    },
    ...ofFrontKey(stack),
    // IAM5 is acknowledged wildcard by wildcard only: any other wildcard is a finding.
    ...prefixes.map(prefix => ({
      at: stack,
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/${prefix}/*]`,
      reason: 'The names of the objects below a prefix are not known before they are written.',
    })),
  ]
}

/** All exceptions of the edge's stack. */
export const exceptionsOfFront = ({ distribution, domain }: FrontStack): Exception[] => [
  {
    at: distribution,
    id: 'AwsSolutions-CFR1',
    reason: 'Shops and their buyers may sit in any country.',
  },
  {
    at: distribution,
    id: 'AwsSolutions-CFR3',
    reason: "The API logs what reaches it. A log of the rest would hold visitors' addresses, and take a bucket.",
  },
  ...(domain
    ? []
    : [
        {
          at: distribution,
          id: 'AwsSolutions-CFR4',
          reason: "CloudFront's own name has its own certificate, whose protocols nobody may choose.",
        },
      ]),
]

/** Checks the app at synthesis: AWS's own schema rules and cdk-nag's AwsSolutions. A finding fails the synthesis. */
export const addChecks = (app: App, exceptions: readonly Exception[]): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  for (const { at, id, reason } of exceptions) Validations.of(at).acknowledge({ id, reason })
}
