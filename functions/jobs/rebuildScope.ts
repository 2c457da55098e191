import { log } from '../../shared/log.ts'
import { measured } from '../../shared/metrics.ts'
import { readRebuildEvent, rebuildScope } from '../../shared/wines/search/rebuild.ts'

export const handler = measured(async (event: unknown) => {
  const { merchant, outdated } = readRebuildEvent(event)
  const { written } = await rebuildScope({ merchant, outdated })
  log.info('rebuilt a snapshot', { merchant, written, outdated: outdated.length })
})
