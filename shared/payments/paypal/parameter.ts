/* SSM Parameter Store, where credentials are kept. Imported only when it is needed: most requests need none. */

import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'

/** A value of a parameter, decrypted, and its version; the first version is 1. */
export type Parameter = { text: string; version: number }

// Four tries and the pauses between them. An account may read 40 parameters a second, so a rush of new instances is
// throttled for some seconds.
const mostMs = 8000

/** Calls Parameter Store, for eight seconds at most. Rejects with the error of the SDK. */
export const callingStore = async <Result>(
  call: (store: SSMClient, options: { abortSignal: AbortSignal }) => Promise<Result>,
): Promise<Result> => {
  const store = new SSMClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  try {
    return await call(store, { abortSignal: AbortSignal.timeout(mostMs) })
  } finally {
    store.destroy()
  }
}

/**
 * Reads a parameter; a name that ends in `:3` reads its version 3. Returns undefined when there is no such parameter.
 * Rejects with the error of the SDK.
 */
export const readParameter = async (name: string): Promise<Parameter | undefined> => {
  const command = new GetParameterCommand({ Name: name, WithDecryption: true })
  try {
    const { Parameter: { Value = '', Version = 0 } = {} } = await callingStore((store, options) =>
      store.send(command, options),
    )
    return { text: Value, version: Version }
  } catch (error) {
    if ((error as Error).name === 'ParameterNotFound') return undefined
    throw error
  }
}
