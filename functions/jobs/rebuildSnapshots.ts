import type { Context } from 'aws-lambda'
import { rebuildMissing, rebuildSnapshots } from '../../shared/catalogue/search/rebuild.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { answerDeployment, keepWaiting, readDeployment } from '../../shared/platform/jobs/deployment.ts'
import { runJob } from '../../shared/platform/jobs/start.ts'
import { measured } from '../../shared/platform/log.ts'

// What is begun last shall be ready as well. After the other one the deployment goes on; what is at work ends by itself.
const lastBeginMs = 300_000
const answerMs = 45_000

const told = ['rebuilt snapshots', 'a snapshot was not rebuilt'] as const

/** A deployment that it answers goes on whatever fails here: without a snapshot the first search takes longer. */
export const handler = measured(async (event: object, context: Context) => {
  const left = context.getRemainingTimeInMillis()
  const deadline = Date.now() + left - lastBeginMs
  // The clock's event is no request of CloudFormation.
  if (!('RequestType' in event)) return conclude(...told, await rebuildMissing(runJob, deadline))
  const deployment = readDeployment(event)
  if (deployment.RequestType === 'Delete') return answerDeployment(deployment)
  const rebuilt = await keepWaiting(deployment, rebuildSnapshots(runJob, deadline), left - answerMs)
  if (!rebuilt) throw new Error('snapshots are still being rebuilt')
  conclude(...told, rebuilt)
})
