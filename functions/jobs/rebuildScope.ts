import { readRebuildEvent, rebuildScope } from '../../shared/catalogue/search/rebuild.ts'
import { log, withMetrics } from '../../shared/platform/log.ts'

export const handler = withMetrics(async (event: unknown) => {
  const { merchant, outdated } = readRebuildEvent(event)
  const { written } = await rebuildScope({ merchant, outdated })
  log.info('rebuilt a snapshot', { merchant, written, outdated: outdated.length })
})
