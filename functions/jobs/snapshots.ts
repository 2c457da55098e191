import type { DynamoDBStreamEvent } from 'aws-lambda'
import { scopeOfPartition } from '../../shared/catalogue/search/scopes.ts'
import { renewSnapshot } from '../../shared/catalogue/search/snapshot-writer.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { log, withMetrics } from '../../shared/platform/log.ts'

// The longest wait; the job’s timeout is fifteen minutes.
const waitsMs = 40_000

/** Writes the snapshots of all scopes that changed; throws at the end, for a retry of the batch, on a failure. */
export const handler = withMetrics(async ({ Records }: DynamoDBStreamEvent) => {
  const changed = Records.flatMap(({ dynamodb }) => scopeOfPartition(dynamodb?.Keys?.pk?.S ?? '') ?? [])
  const patience = { ms: waitsMs }
  const failures: { scope: string; error: unknown }[] = []
  for (const scope of new Map(changed.map(one => [one.name, one])).values()) {
    try {
      const written = await renewSnapshot(scope, patience)
      log.info('snapshot checked', { scope: scope.name, written })
    } catch (error) {
      failures.push({ scope: scope.name, error })
    }
  }
  conclude('snapshots checked', 'a snapshot could not be renewed', { failures })
})
