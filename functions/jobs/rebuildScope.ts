import { log } from '../../shared/log.ts'
import { readRebuildEvent, rebuildScope } from '../../shared/wines/search/rebuild.ts'

export const handler = async (event: unknown): Promise<void> => {
  const { merchant, outdated } = readRebuildEvent(event)
  const { written } = await rebuildScope({ merchant, outdated })
  log.info('rebuilt a snapshot', { merchant, written, outdated: outdated.length })
}
