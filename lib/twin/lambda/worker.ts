import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

/** An invocation: an event as JSON, and how many milliseconds the handler has from now. */
export type Invocation = { id: number; event: string; timeout: number }

/** What comes back: that the function is loaded, once, then an outcome for each invocation under its number. */
export type Report = { ready: true } | { ready?: undefined; id: number; result?: string | undefined; error?: string }

type Handler = (event: unknown, context: object) => Promise<unknown>

const { bundle, exportName, functionArn } = workerData as { bundle: string; exportName: string; functionArn: string }
const handler = (await import(pathToFileURL(bundle).href))[exportName] as Handler

const contextOf = (id: number, deadline: number) => ({
  awsRequestId: `twin-${id}`,
  functionName: functionArn.split(':').at(-1),
  invokedFunctionArn: functionArn,
  functionVersion: '$LATEST',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
})

const report = (what: Report): void => parentPort?.postMessage(what)

parentPort?.on('message', async (invocation: Invocation) => {
  const { id, event, timeout } = invocation
  try {
    const result = await handler(JSON.parse(event), contextOf(id, Date.now() + timeout))
    report({ id, result: JSON.stringify(result) })
  } catch (error) {
    const text = String((error as Error).stack ?? error)
    // As Lambda does: nobody may be waiting for the outcome.
    console.error('Invoke Error', text)
    report({ id, error: text })
  }
})
report({ ready: true })
