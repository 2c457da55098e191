import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'

// Whoever starts many functions must not wait for one that cannot be reached.
const client = new LambdaClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 3000, throwOnRequestTimeout: true },
})

/**
 * Starts the function that this one may start (the stack names it in STARTED_FUNCTION_NAME) with an event of its own,
 * and does not wait for what becomes of it. Throws when Lambda does not accept the event.
 */
export const startJob = async (event: object): Promise<void> => {
  const { STARTED_FUNCTION_NAME: FunctionName } = process.env
  if (!FunctionName) throw new Error('STARTED_FUNCTION_NAME is not set: it names the function that this one starts')
  await client.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(event) }))
}
