import { isBehind, readChanges } from '../catalogue/publishing/changes.ts'
import type { StoredWine } from '../catalogue/wines/stored.ts'
import { eventSchema } from '../contract/events.ts'
import { hasVersion } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItems, putItem, type ReadOptions } from '../platform/table/table.ts'
import { parseTimestamp, unixSeconds } from '../values/time.ts'
import { type PendingEvent, publishInOrder } from './publish-in-order.ts'

const tellingOf = ({ id, customers_id, version, chstamp, articlenumber }: StoredWine): PendingEvent => ({
  event: {
    type: 'wine.changed',
    detail: {
      schema: eventSchema,
      // Where yesterday's data came back, a version is given once more.
      id: `wine.changed-${customers_id}-${id}-${version}-${unixSeconds(parseTimestamp(chstamp))}`,
      customers_id,
      time: chstamp,
      sequence: version,
      wine_id: id,
      articlenumber: articlenumber ?? null,
    },
  },
})

// Of a step that is not told to its end nothing is remembered. Much longer than a bus takes that is well.
const mostMs = 20_000

const readState = async (merchant: MerchantId, reading?: ReadOptions) => {
  const [told, catalogue] = await getItems([key('toldWines', { merchant }), key('catalogue', { merchant })], reading)
  const { version, ...known } = told ?? { version: 0, high: 0, gaps: [] }
  return { version, known, newest: catalogue?.version ?? 0 }
}

/** Whether changed wines of a merchant wait for the bus; a change of a moment ago may be missing. */
export const hasUnpublishedWines = async (merchant: MerchantId): Promise<boolean> => {
  const { known, newest } = await readState(merchant, { eventual: true })
  return isBehind(known, newest)
}

/** Tells of the next changed wines, some hundred at most; returns whether there are more. */
const step = async (merchant: MerchantId, until: number): Promise<boolean> => {
  const { version, known, newest } = await readState(merchant)
  if (!isBehind(known, newest)) return false
  const { wines, progress, isMore } = await readChanges(merchant, known, newest)
  const tellings = wines.map(wine => [tellingOf(wine)])
  const { givenUp, left } = await publishInOrder(tellings, until + mostMs)
  if (left > 0) throw new Error(`the bus is too slow for the events of ${wines.length} wines`)
  if (givenUp > 0) throw new Error(`the bus does not take the events of ${givenUp} wines`)
  await putItem(key('toldWines', { merchant }), { version: version + 1, ...progress }, { when: [hasVersion(version)] })
  return isMore
}

/**
 * Tells the bus which wines of a merchant have changed, until the time is over (epoch milliseconds). How far that is, is
 * written after the bus has them: whoever is stopped between the two tells them again, under the same ids.
 */
export const publishWines = async (merchant: MerchantId, until: number): Promise<void> => {
  try {
    while ((await step(merchant, until)) && Date.now() < until);
  } catch (error) {
    // Somebody else is telling the same, and goes on.
    if (!(error instanceof ConditionFailed)) throw error
  }
}
