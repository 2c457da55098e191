import type { Context } from 'aws-lambda'
import { answerDeployment, keepWaiting, readDeployment } from '../../shared/jobs/deployment.ts'
import { conclude } from '../../shared/jobs/outcome.ts'
import { runJob } from '../../shared/jobs/start.ts'
import { measured } from '../../shared/metrics.ts'
import { rebuildSnapshots } from '../../shared/wines/search/rebuild.ts'

// What is begun last shall be ready as well. After the other one the deployment goes on; what is at work ends by itself.
const lastBeginMs = 300_000
const answerMs = 45_000

/** Runs when a deployment brings another layout. It never fails one: without a snapshot first searches take longer. */
export const handler = measured(async (event: unknown, context: Context) => {
  const deployment = readDeployment(event)
  if (deployment.RequestType === 'Delete') return answerDeployment(deployment)
  const left = context.getRemainingTimeInMillis()
  const work = rebuildSnapshots(runJob, Date.now() + left - lastBeginMs)
  const rebuilt = await keepWaiting(deployment, work, left - answerMs)
  if (!rebuilt) throw new Error('snapshots are still being rebuilt')
  conclude('rebuilt snapshots', 'a snapshot was not rebuilt', rebuilt)
})
