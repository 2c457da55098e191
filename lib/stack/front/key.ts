import { RemovalPolicy, SecretValue, type Stack } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { type Front, frontRegion } from './options.ts'

const nameOf = (stage: string, { key }: Front): string => `weinkontor-front/${stage}/${key}`

/** Creates the key of the edge in the service's stack. Returns it as the value of a function's environment variable. */
export const makeFrontKey = (stack: Stack, stage: string, front: Front): string => {
  const secret = new Secret(stack, `FrontKey${front.key}`, {
    secretName: nameOf(stage, front),
    description: `What the front of ${stack.stackName} shows to the functions behind it`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    // CloudFormation reads secrets in the region of the stack only.
    ...(front.region !== frontRegion && { replicaRegions: [{ region: frontRegion }] }),
    // It encrypts no stored data.
    removalPolicy: RemovalPolicy.DESTROY,
  })
  return secret.secretValue.unsafeUnwrap()
}

/** The key as the edge's stack reads it: by its name, which is the same in both regions. */
export const frontKeyOf = (stage: string, front: Front): string =>
  SecretValue.secretsManager(nameOf(stage, front)).unsafeUnwrap()
