import { raiseWineries } from '../../../shared/catalogue/record-versions.ts'
import { segmentPicker } from '../../../shared/catalogue/segments.ts'
import { completeWinery, type FiledWinery, type Winery } from '../../../shared/contract/records/winery.ts'
import { givenOnly } from '../../../shared/contract/schema/fields.ts'
import { absent, type Clause } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { put, transact } from '../../../shared/platform/table/transact.ts'
import { batchesOf } from '../../../shared/values/batches.ts'
import { fieldChanges } from './plan.ts'

/** Reads a merchant's wineries, ordered by id. */
export const readWineries = async (merchant: MerchantId): Promise<Winery[]> =>
  (await query({ pk: partition('winery', { merchant }) })).map(completeWinery)

// A transaction holds 100 actions and 4 MB; the longest winery has some 60 KB.
const batchSize = 50

const writeWineries = async (
  merchant: MerchantId,
  wineries: readonly Winery[],
  when: readonly Clause<Winery>[],
): Promise<void> => {
  const actions = wineries.map(one => put(`winery ${one.id}`, key('winery', { merchant, id: one.id }), one, { when }))
  for (const batch of batchesOf(actions, batchSize, () => 1)) {
    await transact([raiseWineries(merchant, batch), ...batch])
  }
}

/**
 * Adds the wineries that rows name and that are missing, and changes the others to the rows' details; returns all. Throws
 * TransactionRefused if another import took a number first.
 */
export const withWineries = async (
  merchant: MerchantId,
  present: readonly Winery[],
  named: readonly FiledWinery[],
  now: string,
): Promise<Winery[]> => {
  const wanted = new Map<string, FiledWinery>()
  for (const winery of named) wanted.set(winery.name, { ...wanted.get(winery.name), ...winery })
  const changed = present.flatMap(winery => {
    const details = wanted.get(winery.name)
    const differs = details && fieldChanges(winery, details).length > 0
    return differs ? completeWinery({ ...winery, ...givenOnly(details), chstamp: now }) : []
  })
  for (const { name } of present) wanted.delete(name)
  const last = Math.max(0, ...present.map(({ id }) => id))
  const pickSegment = segmentPicker(present)
  const added = [...wanted.values()].map((winery, n) =>
    completeWinery({
      ...winery,
      id: last + n + 1,
      path_segment: pickSegment({ name: winery.name }),
      charindex: winery.name.slice(0, 1).toUpperCase(),
      customers_id: merchant,
      crstamp: now,
      chstamp: now,
    }),
  )
  await writeWineries(merchant, added, [absent])
  await writeWineries(merchant, changed, [])
  return [...new Map([...present, ...changed, ...added].map(winery => [winery.id, winery])).values()]
}
