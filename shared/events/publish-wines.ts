import { isBehind, readChanges } from '../catalogue/publishing/changes.ts'
import type { StoredWine } from '../catalogue/wines/stored.ts'
import { eventSchema } from '../contract/events.ts'
import { hasVersion } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItems, putItem, type ReadOptions } from '../platform/table/table.ts'
import { parseTimestamp, unixSeconds } from '../values/time.ts'
import { type PendingEvent, publishInOrder } from './publish-in-order.ts'

const pendingEventOf = ({ id, customers_id, version, chstamp, articlenumber }: StoredWine): PendingEvent => ({
  event: {
    type: 'wine.changed',
    detail: {
      schema: eventSchema,
      // After a restore, the same version is given again.
      id: `wine.changed-${customers_id}-${id}-${version}-${unixSeconds(parseTimestamp(chstamp))}`,
      customers_id,
      time: chstamp,
      sequence: version,
      wine_id: id,
      articlenumber: articlenumber ?? null,
    },
  },
})

// A batch that is not fully published is retried whole. This is much longer than a healthy bus takes for a batch.
const maxMs = 20_000

const readState = async (merchant: MerchantId, reading?: ReadOptions) => {
  const [published, catalogue] = await getItems(
    [key('wineEventProgress', { merchant }), key('catalogue', { merchant })],
    reading,
  )
  const { version, ...known } = published ?? { version: 0, high: 0, gaps: [] }
  return { version, known, newest: catalogue?.version ?? 0 }
}

/** True if a merchant has unpublished changes of wines; an eventually consistent read. */
export const hasUnpublishedWines = async (merchant: MerchantId): Promise<boolean> => {
  const { known, newest } = await readState(merchant, { eventual: true })
  return isBehind(known, newest)
}

/** Publishes the next changed wines, some hundred at most; returns true if there are more. */
const publishBatch = async (merchant: MerchantId, until: number): Promise<boolean> => {
  const { version, known, newest } = await readState(merchant)
  if (!isBehind(known, newest)) return false
  const { wines, progress, isMore } = await readChanges(merchant, known, newest)
  const pending = wines.map(wine => [pendingEventOf(wine)])
  const { givenUp, left } = await publishInOrder(pending, until + maxMs)
  if (left > 0) throw new Error(`the bus is too slow for the events of ${wines.length} wines`)
  if (givenUp > 0) throw new Error(`the bus does not take the events of ${givenUp} wines`)
  await putItem(
    key('wineEventProgress', { merchant }),
    { version: version + 1, ...progress },
    { when: [hasVersion(version)] },
  )
  return isMore
}

/**
 * Publishes a merchant's changed wines until `until` (epoch milliseconds). Progress is stored after the bus has accepted a
 * batch, so a run that is stopped in between publishes it again, with the same ids.
 */
export const publishWines = async (merchant: MerchantId, until: number): Promise<void> => {
  try {
    while ((await publishBatch(merchant, until)) && Date.now() < until);
  } catch (error) {
    // Another run has published the same batch, and continues.
    if (!(error instanceof ConditionFailed)) throw error
  }
}
