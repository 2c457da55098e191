import type { Context } from 'aws-lambda'
import { rebuildMissing, rebuildSnapshots } from '../../shared/catalogue/search/rebuild.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { answerDeployment, keepWaiting, readDeployment } from '../../shared/platform/jobs/deployment.ts'
import { runJob } from '../../shared/platform/jobs/start.ts'
import { withMetrics } from '../../shared/platform/log.ts'

// The first leaves time for the snapshot that is started last. After the second, the deployment continues without waiting.
const lastBeginMs = 300_000
const answerMs = 45_000

const messages = ['rebuilt snapshots', 'a snapshot was not rebuilt'] as const

/** A failure does not stop the deployment: without a snapshot only the first search takes longer. */
export const handler = withMetrics(async (event: object, context: Context) => {
  const left = context.getRemainingTimeInMillis()
  const deadline = Date.now() + left - lastBeginMs
  // A scheduled event is not CloudFormation's.
  if (!('RequestType' in event)) return conclude(...messages, await rebuildMissing(runJob, deadline))
  const deployment = readDeployment(event)
  if (deployment.RequestType === 'Delete') return answerDeployment(deployment)
  const rebuilt = await keepWaiting(deployment, rebuildSnapshots(runJob, deadline), left - answerMs)
  if (!rebuilt) throw new Error('snapshots are still being rebuilt')
  conclude(...messages, rebuilt)
})
