import type { DynamoDBStreamEvent } from 'aws-lambda'
import { scopeOfPartition } from '../../shared/catalogue/search/scopes.ts'
import { renewSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { log, measured } from '../../shared/platform/log.ts'

// Of the job’s fifteen minutes.
const waitsMs = 40_000

/** Writes the snapshots of all scopes that changed; fails in the end, so that the batch comes again, where one failed. */
export const handler = measured(async ({ Records }: DynamoDBStreamEvent) => {
  const changed = Records.flatMap(({ dynamodb }) => scopeOfPartition(dynamodb?.Keys?.pk?.S ?? '') ?? [])
  const patience = { ms: waitsMs }
  const failures: { scope: string; error: unknown }[] = []
  for (const scope of new Map(changed.map(one => [one.name, one])).values()) {
    try {
      const written = await renewSnapshot(scope, patience)
      log.info('looked at a snapshot', { scope: scope.name, written })
    } catch (error) {
      failures.push({ scope: scope.name, error })
    }
  }
  conclude('looked at snapshots', 'a snapshot could not be renewed', { failures })
})
