import { type App, type CfnElement, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import { liveAlias } from './releases.ts'
import { ServiceFunction } from './service-function.ts'

/** A rule of AwsSolutions that a part of the service does not follow, and why. */
export type Exception = { at: IConstruct; id: string; reason: string }

const prefixes = ['expertise', 'pictures', 'snapshots']

const stageName = (stack: Stack): string => stack.stackName.split('-').at(-1) ?? ''

const releaseExceptions = (stack: Stack): Exception[] => {
  const at = stack.node.tryFindChild('Releases')
  if (!at) return []
  const aliases = `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${stack.stackName}-*:${liveAlias}`
  return [
    {
      at,
      id: `AwsSolutions-IAM5[Resource::${aliases}]`,
      reason: 'CloudFormation gives functions names that begin with their stack and end with random letters.',
    },
    {
      at,
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy asks for alarms, which knows no narrower resource.',
    },
  ]
}

/** All exceptions of the service's stack, each at the part it is for. */
export const exceptionsOf = (stack: Stack): Exception[] => {
  const bucket = stack.node.findChild('Storage').node.findChild('Files')
  const bucketId = stack.getLogicalId(bucket.node.defaultChild as CfnElement)
  return [
    {
      at: stack.node.findChild('Api'),
      id: 'AwsSolutions-APIG4',
      reason:
        'Service functions check the session themselves, before parsing; an authorizer could only answer a fixed 403.',
    },
    {
      at: bucket,
      id: 'AwsSolutions-S1',
      reason:
        'Not logged: it would take a bucket more. Our log tells who was given a link, not whether it was followed.',
    },
    {
      at: stack.node.findChild('Storage').node.findChild('DeadLetters'),
      id: 'AwsSolutions-SQS3',
      reason: 'It is the queue of dead letters itself; nothing takes messages out of it but a person.',
    },
    // Which actions may have that resource is held by rights.test.ts: a finding does not tell.
    ...stack.node.children
      .filter(one => one instanceof ServiceFunction)
      .map(at => ({
        at,
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'Writing traces, and dynamodb:ListStreams, which following a stream needs, know no narrower resource.',
      })),
    {
      at: stack,
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:weinkontor/${stageName(stack)}/*]`,
      reason: "A merchant's payment secret is made after the deployment, and AWS adds random letters to its name.",
    },
    // IAM5 is acknowledged wildcard by wildcard only: any other one is a finding.
    ...prefixes.map(prefix => ({
      at: stack,
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/${prefix}/*]`,
      reason: 'The names of the objects below a prefix are not known before they are written.',
    })),
    ...releaseExceptions(stack),
  ]
}

/** Checks the app at synthesis: AWS's own schema rules and cdk-nag's AwsSolutions. A finding fails the synthesis. */
export const addChecks = (app: App, stack: Stack, exceptions = exceptionsOf(stack)): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  for (const { at, id, reason } of exceptions) Validations.of(at).acknowledge({ id, reason })
}
