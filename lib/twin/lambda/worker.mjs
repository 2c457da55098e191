// @ts-check
// Runs as a worker. In plain JavaScript, because each worker loads Node's type stripper again, which takes as long as
// all the rest of its start.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

/** @import { Invocation, Report } from './instance.ts' */

/** @type {{ bundle: string, exportName: string, functionArn: string, compiled?: string }} */
const { bundle, exportName, functionArn, compiled } = workerData
// A sixth of a start goes into compiling. Node takes nothing from there that is damaged, or was made of another source.
if (compiled) enableCompileCache(compiled)
/** @type {(event: unknown, context: object) => Promise<unknown>} */
const handler = (await import(pathToFileURL(bundle).href))[exportName]

/**
 * @param {number} id
 * @param {number} deadline milliseconds since 1970
 */
const contextOf = (id, deadline) => ({
  awsRequestId: `twin-${id}`,
  functionName: functionArn.split(':').at(-1),
  invokedFunctionArn: functionArn,
  functionVersion: '$LATEST',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
})

/** @param {Report} what */
const report = what => parentPort?.postMessage(what)

parentPort?.on(
  'message',
  /** @param {Invocation} invocation */
  async ({ id, event, timeout }) => {
    try {
      const result = await handler(JSON.parse(event), contextOf(id, Date.now() + timeout))
      report({ id, result: JSON.stringify(result) })
    } catch (error) {
      const text = String((error instanceof Error && error.stack) || error)
      // As Lambda does: nobody may be waiting for the outcome.
      console.error('Invoke Error', text)
      report({ id, error: text })
    }
    // By now it has compiled what an event needs; the next instances of the function find it.
    if (id === 1) flushCompileCache()
  },
)
report({ ready: true })
