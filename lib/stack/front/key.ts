import { RemovalPolicy, SecretValue, type Stack } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { type Front, frontRegion } from './options.ts'

const nameOf = (stage: string, { key }: Front): string => `weinkontor-front/${stage}/${key}`

/** Makes the key that a front shows, in the service's stack; returns it as a function is given it. */
export const makeFrontKey = (stack: Stack, stage: string, front: Front): string => {
  const secret = new Secret(stack, `FrontKey${front.key}`, {
    secretName: nameOf(stage, front),
    description: `What the front of ${stack.stackName} shows to the functions behind it`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    // CloudFormation reads a secret in the region of the stack alone.
    ...(front.region !== frontRegion && { replicaRegions: [{ region: frontRegion }] }),
    // Nothing is kept under it.
    removalPolicy: RemovalPolicy.DESTROY,
  })
  return secret.secretValue.unsafeUnwrap()
}

/** That key as the front's own stack reads it: by its name, which is the same in both regions. */
export const frontKeyOf = (stage: string, front: Front): string =>
  SecretValue.secretsManager(nameOf(stage, front)).unsafeUnwrap()
