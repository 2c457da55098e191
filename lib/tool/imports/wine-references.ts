import { raiseVersion } from '../../../shared/catalogue/records.ts'
import type { Category } from '../../../shared/contract/records/category.ts'
import { givenOnly } from '../../../shared/contract/records/fields.ts'
import type { PriceRange } from '../../../shared/contract/records/price-range.ts'
import { completeWinery, type FiledWinery, type Winery } from '../../../shared/contract/records/winery.ts'
import { absent, type Clause } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { put, transact } from '../../../shared/platform/table/transact.ts'
import { batchesOf } from '../../../shared/values/batches.ts'
import { readCategories, withCategories } from './categories.ts'
import { fieldChanges } from './plan.ts'
import { idsByName, readPriceRanges, withPriceRanges } from './price-ranges.ts'
import { segmentPicker } from './segments.ts'

/** The records that rows of wines call by their names. */
export type References = {
  wineries: readonly Winery[]
  categories: readonly Category[]
  priceRanges: readonly PriceRange[]
}

/** The same by name: wines embed the winery, and name categories and price ranges by their ids. */
export type ReferencesByName = {
  wineries: ReadonlyMap<string, Winery>
  categories: ReadonlyMap<string, number>
  priceRanges: ReadonlyMap<string, number>
}

/** Reads all records of a merchant that rows of wines may call by name. */
export const readReferences = async (merchant: MerchantId): Promise<References> => {
  const [wineries, categories, priceRanges] = await Promise.all([
    query({ pk: partition('winery', { merchant }) }),
    readCategories(merchant),
    readPriceRanges(merchant),
  ])
  return { wineries: wineries.map(completeWinery), categories, priceRanges }
}

// A transaction holds 100 actions and 4 MB; the longest winery has some 60 KB.
const batchSize = 50

/** Writes wineries; `when` is what must hold of each. */
const writeWineries = async (
  merchant: MerchantId,
  wineries: readonly Winery[],
  when: readonly Clause<Winery>[] = [],
): Promise<void> => {
  const actions = wineries.map(one => put(`winery ${one.id}`, key('winery', { merchant, id: one.id }), one, { when }))
  for (const batch of batchesOf(actions, batchSize, () => 1)) {
    await transact([raiseVersion('winery', merchant), ...batch])
  }
}

/** The wineries after rows have been followed: missing ones are added, others are brought to what the rows say of them. */
const withWineries = async (
  merchant: MerchantId,
  present: readonly Winery[],
  named: readonly FiledWinery[],
  now: string,
): Promise<Winery[]> => {
  const wanted = new Map<string, FiledWinery>()
  for (const winery of named) wanted.set(winery.name, { ...wanted.get(winery.name), ...winery })
  const known = new Set(present.map(({ name }) => name))
  const last = Math.max(0, ...present.map(({ id }) => id))
  const pickSegment = segmentPicker(present)
  const missing = [...wanted.values()].filter(({ name }) => !known.has(name))
  const added = missing.map((winery, n) =>
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
  // Refused when another import took a number first; the import then reads anew and finds its records.
  await writeWineries(merchant, added, [absent])
  const all = [...present, ...added]
  const changed = all.map(winery => {
    const details = wanted.get(winery.name)
    const differs = details && fieldChanges(winery, details).length > 0
    return differs ? completeWinery({ ...winery, ...givenOnly(details), chstamp: now }) : winery
  })
  await writeWineries(
    merchant,
    changed.filter((winery, n) => winery !== all[n]),
  )
  return changed
}

/** What rows of wines say of records by their names. */
type Naming = {
  winery?: FiledWinery | undefined
  categories?: string[] | undefined
  prices?: { priceRange: string }[] | undefined
}

/** The records after those that rows name have been made, and wineries brought to what the rows say of them. */
export const withNamed = async (
  merchant: MerchantId,
  { wineries, categories, priceRanges }: References,
  rows: readonly Naming[],
  now: string,
): Promise<References> => ({
  categories: await withCategories(merchant, categories, rows),
  priceRanges: await withPriceRanges(merchant, priceRanges, rows),
  wineries: await withWineries(
    merchant,
    wineries,
    rows.flatMap(({ winery }) => winery ?? []),
    now,
  ),
})

/** Looks records up by their names. */
export const byName = ({ wineries, categories, priceRanges }: References): ReferencesByName => ({
  wineries: new Map(wineries.map(winery => [winery.name, winery])),
  categories: idsByName(categories),
  priceRanges: idsByName(priceRanges),
})
