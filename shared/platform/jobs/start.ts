import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'

// A job that starts many functions must not wait for a function that cannot be reached.
const client = new LambdaClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 3000, throwOnRequestTimeout: true },
})

// Three tries and the pauses between them.
const startMs = 15_000

// Longer than any function may run.
const runMs = 960_000

const invocation = (event: object, InvocationType: 'Event' | 'RequestResponse'): InvokeCommand => {
  const { STARTED_FUNCTION_NAME: FunctionName } = process.env
  if (!FunctionName) throw new Error('STARTED_FUNCTION_NAME is not set: it names the function that this one starts')
  return new InvokeCommand({ FunctionName, InvocationType, Payload: JSON.stringify(event) })
}

/**
 * Starts the function that this function may start (the stack names it in STARTED_FUNCTION_NAME) with an event of its
 * own, asynchronously. Throws when Lambda does not accept the event, all tries together within `ms`.
 */
export const startJob = async (event: object, ms = startMs): Promise<void> => {
  await client.send(invocation(event, 'Event'), { abortSignal: AbortSignal.timeout(ms) })
}

/** Runs that function and waits for its end. Throws when Lambda does not accept the event, and when the function fails. */
export const runJob = async (event: object): Promise<void> => {
  const command = invocation(event, 'RequestResponse')
  const { FunctionError, Payload } = await client.send(command, { requestTimeout: runMs })
  if (FunctionError) throw new Error(`${command.input.FunctionName}: ${Buffer.from(Payload ?? []).toString()}`)
}
