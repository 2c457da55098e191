import { raiseVersion } from '../../../shared/catalogue/records.ts'
import { type Category, completeCategory } from '../../../shared/contract/records/category.ts'
import { givenOnly } from '../../../shared/contract/records/fields.ts'
import type { PriceRange } from '../../../shared/contract/records/price-range.ts'
import { completeWinery, type FiledWinery, type Winery } from '../../../shared/contract/records/winery.ts'
import { absent, type Clause } from '../../../shared/platform/table/expressions.ts'
import { type Key, key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { type Action, put, transact } from '../../../shared/platform/table/transact.ts'
import { fieldChanges } from './plan.ts'
import { idsByName, readPriceRanges, withPriceRanges } from './price-ranges.ts'
import { segmentPicker } from './segments.ts'

/** The records that rows of wines call by their names. */
export type References = { wineries: Winery[]; categories: Category[]; priceRanges: PriceRange[] }

/** The same by name: wines embed the winery, and name categories and price ranges by their ids. */
export type ReferencesByName = {
  wineries: ReadonlyMap<string, Winery>
  categories: ReadonlyMap<string, number>
  priceRanges: ReadonlyMap<string, number>
}

/** Reads a merchant's categories by id. */
export const readCategories = async (merchant: MerchantId): Promise<Category[]> =>
  (await query({ pk: partition('category', { merchant }) })).map(completeCategory)

/** Reads all records of a merchant that rows of wines may call by name. */
export const readReferences = async (merchant: MerchantId): Promise<References> => {
  const [wineries, categories, priceRanges] = await Promise.all([
    query({ pk: partition('winery', { merchant }) }),
    readCategories(merchant),
    readPriceRanges(merchant),
  ])
  return { wineries: wineries.map(completeWinery), categories, priceRanges }
}

/** A record that rows call by its name, and pages by its path_segment. */
type Named = { id: number; name: string; path_segment: string | null }

// A transaction holds 100 actions and 4 MB; the longest winery has some 60 KB.
const batchSize = 50

/** A merchant's records of one kind: where each is, and what says that they changed. */
type Place<Item> = { keyOf: (id: number) => Key<Item>; raise: Action }

const placeOf = {
  category: (merchant: MerchantId): Place<Category> => ({
    keyOf: id => key('category', { merchant, id }),
    raise: raiseVersion('category', merchant),
  }),
  winery: (merchant: MerchantId): Place<Winery> => ({
    keyOf: id => key('winery', { merchant, id }),
    raise: raiseVersion('winery', merchant),
  }),
}

/** Writes records; `when` is what must hold of each. */
const writeRecords = async <Item extends Named>(
  { keyOf, raise }: Place<Item>,
  records: readonly Item[],
  when: readonly Clause<Item>[] = [],
): Promise<void> => {
  for (let n = 0; n < records.length; n += batchSize) {
    const batch = records.slice(n, n + batchSize)
    await transact([raise, ...batch.map(record => put(`record ${record.id}`, keyOf(record.id), record, { when }))])
  }
}

/** The records after those of the names that are missing have been added. */
const withMissing = async <Item extends Named>(
  place: Place<Item>,
  present: readonly Item[],
  names: Iterable<string>,
  make: (one: Named & { path_segment: string }) => Item,
): Promise<Item[]> => {
  const known = new Set(present.map(({ name }) => name))
  const last = present.reduce((highest, { id }) => Math.max(highest, id), 0)
  const missing = [...new Set(names)].filter(name => !known.has(name))
  const pickSegment = segmentPicker(present)
  const added = missing.map((name, n) => make({ id: last + n + 1, name, path_segment: pickSegment({ name }) }))
  // Refused when another import took a number first; the import then reads anew and finds its records.
  await writeRecords(place, added, [absent])
  return [...present, ...added]
}

/** A merchant's categories after those that are named and were missing have been added. */
export const withCategories = (
  merchant: MerchantId,
  present: readonly Category[],
  names: readonly string[],
): Promise<Category[]> => withMissing(placeOf.category(merchant), present, names, completeCategory)

/** The wineries after rows have been followed: missing ones are added, others are brought to what the rows say of them. */
const withWineries = async (
  merchant: MerchantId,
  present: readonly Winery[],
  named: readonly FiledWinery[],
  now: string,
): Promise<Winery[]> => {
  const wanted = new Map<string, FiledWinery>()
  for (const winery of named) wanted.set(winery.name, { ...wanted.get(winery.name), ...winery })
  const all = await withMissing(placeOf.winery(merchant), present, wanted.keys(), one => {
    const charindex = one.name.slice(0, 1).toUpperCase()
    return completeWinery({
      ...wanted.get(one.name),
      ...one,
      charindex,
      customers_id: merchant,
      crstamp: now,
      chstamp: now,
    })
  })
  const changed = all.map(winery => {
    const details = wanted.get(winery.name)
    const differs = details && fieldChanges(winery, details).length > 0
    return differs ? completeWinery({ ...winery, ...givenOnly(details), chstamp: now }) : winery
  })
  const others = changed.filter((winery, n) => winery !== all[n])
  await writeRecords(placeOf.winery(merchant), others)
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
  categories: await withCategories(
    merchant,
    categories,
    rows.flatMap(row => row.categories ?? []),
  ),
  priceRanges: await withPriceRanges(
    merchant,
    priceRanges,
    rows.flatMap(row => row.prices ?? []),
  ),
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
