/* SSM Parameter Store, where credentials are stored. Imported only when it is needed: most requests need none. */

import { GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'

/** A value of a parameter, decrypted, and its version; the first version is 1. */
export type Parameter = { text: string; version: number }

// Four tries and the pauses between them. An account may read 40 parameters a second, so a rush of new instances is
// throttled for some seconds.
const maxMs = 8000

const callingStore = async <Result>(
  call: (store: SSMClient, options: { abortSignal: AbortSignal }) => Promise<Result>,
): Promise<Result> => {
  const store = new SSMClient({
    maxAttempts: 4,
    // Stryker disable next-line BooleanLiteral,ObjectLiteral: Only how long a silent Parameter Store is waited for; a
    // test would have to wait that long.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  try {
    // Stryker disable next-line ObjectLiteral: Only how long a silent Parameter Store is waited for; a test would have
    // to wait that long.
    return await call(store, { abortSignal: AbortSignal.timeout(maxMs) })
  } finally /* Stryker disable next-line BlockStatement: as below */ {
    // Stryker disable next-line CallExpression: Frees sockets; no answer depends on it.
    store.destroy()
  }
}

/**
 * Reads a parameter; a name that ends in `:3` reads its version 3. Undefined if there is no such parameter. Rejects with
 * the error of the SDK after eight seconds at most.
 */
export const readParameter = async (name: string): Promise<Parameter | undefined> => {
  const command = new GetParameterCommand({ Name: name, WithDecryption: true })
  try {
    // Stryker disable next-line StringLiteral: Parameter Store gives every parameter a value.
    const { Parameter: { Value = '', Version = 0 } = {} } = await callingStore((store, options) =>
      store.send(command, options),
    )
    return { text: Value, version: Version }
  } catch (error) {
    if ((error as Error).name === 'ParameterNotFound') return undefined
    throw error
  }
}

/**
 * Writes a parameter of the standard tier, encrypted by AWS's own key for Parameter Store (`alias/aws/ssm`), and returns
 * its new version. Rejects with the error of the SDK after eight seconds at most.
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
