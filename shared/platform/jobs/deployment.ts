import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'

/** CloudFormation's event for a function that implements a custom resource. */
export type Deployment = v.InferOutput<typeof Event>

const Event = v.object({
  RequestType: v.picklist(['Create', 'Update', 'Delete']),
  ResponseURL: v.pipe(v.string(), v.url()),
  StackId: v.string(),
  RequestId: v.string(),
  LogicalResourceId: v.string(),
})

/** Reads CloudFormation's event. Throws what valibot throws when it is none. */
export const readDeployment = (event: unknown): Deployment => v.parse(Event, event)

const tries = 3

/**
 * Reports to CloudFormation that the resource is in place; the deployment waits for it. The body is bytes, as a text would
 * add a content type that the link's signature does not allow. Rejects after three tries.
 */
export const answerDeployment = async (deployment: Deployment): Promise<void> => {
  const { ResponseURL, StackId, RequestId, LogicalResourceId } = deployment
  // The same id each time: another id would have CloudFormation delete the resource of the former.
  const answer = { Status: 'SUCCESS', PhysicalResourceId: LogicalResourceId, StackId, RequestId, LogicalResourceId }
  const body = Buffer.from(JSON.stringify(answer))
  for (let left = tries - 1; ; left--) {
    const status = await fetch(ResponseURL, { method: 'PUT', body, signal: AbortSignal.timeout(10_000) }).then(
      response => response.status,
      (error: Error) => error.message,
    )
    if (status === 200) return
    if (left === 0) throw new Error(`CloudFormation's link answered ${status}`)
    await pause(500)
  }
}

/**
 * Answers a deployment when the work ends, or after `ms` milliseconds. Resolves with the result of the work, undefined if it
 * is still running; rejects with its error.
 */
export const keepWaiting = async <T>(deployment: Deployment, work: Promise<T>, ms: number): Promise<T | undefined> => {
  const over = new AbortController()
  const waited = pause(ms, undefined, over).catch(() => undefined)
  const done = await Promise.race([work.then(value => ({ value })), waited]).catch(error => ({ error }))
  over.abort()
  await answerDeployment(deployment)
  if (done && 'error' in done) throw done.error
  return done?.value
}
