import { type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'

/** The rules of AwsSolutions that this service does not follow, and why, one line each. */
export const exceptions: Record<string, string> = {
  'AwsSolutions-APIG4':
    'Service functions check the session themselves, before parsing; an authorizer could only answer a fixed 403.',
  'AwsSolutions-IAM5':
    "The wildcards are one function's log streams, one prefix of the bucket, and the merchant in leading keys.",
  'AwsSolutions-S1': 'Every object is reached through a function or a link it signed; both are in the request log.',
}

/** Checks the app at synthesis: AWS's own schema rules and cdk-nag's AwsSolutions. A finding fails the synthesis. */
export const addChecks = (app: App, stack: Stack): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  for (const [id, reason] of Object.entries(exceptions)) Validations.of(stack).acknowledge({ id, reason })
}
