import { PutParameterCommand } from '@aws-sdk/client-ssm'
import { callingStore } from './parameter.ts'

/**
 * Writes a parameter of the standard tier, encrypted by AWS's own key for Parameter Store (`alias/aws/ssm`), and returns
 * its new version. Rejects with the error of the SDK.
 */
export const writeParameter = async (name: string, text: string): Promise<number> => {
  const command = new PutParameterCommand({
    Name: name,
    Value: text,
    Type: 'SecureString',
    Tier: 'Standard',
    Overwrite: true,
  })
  const { Version = 0 } = await callingStore((store, options) => store.send(command, options))
  return Version
}
