import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

/** An invocation as the pool sends it, and what comes back under the same number. */
export type Invocation = { id: number; event: unknown; deadline: number }
export type Outcome = { id: number; result?: unknown; error?: string }

type Handler = (event: unknown, context: object) => Promise<unknown>

const { bundle, exportName, functionArn } = workerData as { bundle: string; exportName: string; functionArn: string }
const handler = (await import(pathToFileURL(bundle).href))[exportName] as Handler

const contextOf = ({ id, deadline }: Invocation) => ({
  awsRequestId: `twin-${id}`,
  functionName: functionArn.split(':').at(-1),
  invokedFunctionArn: functionArn,
  functionVersion: '$LATEST',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
})

parentPort?.on('message', async (invocation: Invocation) => {
  const { id, event } = invocation
  try {
    const result = await handler(event, contextOf(invocation))
    parentPort?.postMessage({ id, result: JSON.stringify(result) } satisfies Outcome)
  } catch (error) {
    parentPort?.postMessage({ id, error: String((error as Error).stack ?? error) } satisfies Outcome)
  }
})
