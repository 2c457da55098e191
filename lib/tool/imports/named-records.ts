import { absent } from '../../../shared/table/expressions.ts'
import { type Key, key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { putItem, query } from '../../../shared/table/table.ts'
import { put, transact } from '../../../shared/table/transact.ts'
import { slug } from '../../../shared/text.ts'
import type { NamedRecords } from '../../../shared/wines/apply-row.ts'
import type { ImportRow, ImportWinery } from '../../../shared/wines/import-row.ts'
import type { Winery } from '../../../shared/wines/record.ts'
import { ensurePriceRanges, readPriceRanges } from './price-ranges.ts'

type Named = { id: number; name: string }

/** Reads all records of one merchant that import rows call by name. */
export const readNamed = async (merchant: MerchantId) => {
  const [wineries, categories, priceRanges] = await Promise.all([
    query({ pk: partition('winery', { merchant }) }),
    query({ pk: partition('category', { merchant }) }),
    readPriceRanges(merchant),
  ])
  return { wineries, categories, priceRanges }
}

type Records = Awaited<ReturnType<typeof readNamed>>

const idsByName = (records: readonly Named[]) => new Map(records.map(({ name, id }) => [name, id]))

/** The look-up by name that rows need. */
export const namedRecords = ({ wineries, categories, priceRanges }: Records): NamedRecords => ({
  wineries: new Map(wineries.map(winery => [winery.name, winery])),
  categories: idsByName(categories),
  priceRanges: idsByName(priceRanges),
})

// A transaction holds 100 actions and 4 MB; the longest winery has some 60 KB.
const batchSize = 50

const addMissing = async <T extends Named>(
  keyOf: (id: number) => Key<T>,
  present: T[],
  names: Iterable<string>,
  make: (one: Named) => T,
) => {
  const known = new Set(present.map(({ name }) => name))
  const last = present.reduce((highest, { id }) => Math.max(highest, id), 0)
  const missing = [...new Set(names)].filter(name => !known.has(name))
  const records = missing.map((name, n) => make({ id: last + n + 1, name }))
  for (let n = 0; n < records.length; n += batchSize) {
    const batch = records.slice(n, n + batchSize)
    // Refused when another import took a number first; the import then reads anew and finds its records.
    await transact(batch.map(record => put(`record ${record.id}`, keyOf(record.id), record, { when: [absent] })))
    present.push(...batch)
  }
}

const noDetails = {
  company: null,
  taxid: null,
  address: null,
  zip: null,
  city: null,
  region: null,
  countrycode: null,
  mail: null,
  phone: null,
  image: null,
  freetext: null,
  fax: null,
  www: null,
  vineyard: null,
  harvest: null,
  bestplaces: null,
  memberof: null,
}

const newWinery = (merchant: MerchantId, now: string, { id, name }: Named): Winery => ({
  ...noDetails,
  id,
  name,
  charindex: name.slice(0, 1).toUpperCase(),
  sorting: 0,
  customers_id: merchant,
  crstamp: now,
  cruser_id: 0,
  chstamp: now,
  active: 1,
  network: 0,
  internal: 0,
  public: 1,
})

const differs = (winery: Winery, wanted: ImportWinery): boolean =>
  Object.entries(wanted).some(([field, value]) => value !== undefined && winery[field as keyof Winery] !== value)

/** Makes the records that the rows name and brings wineries to what the rows say of them, in the table and in `records`. */
export const ensureNamed = async (
  merchant: MerchantId,
  records: Records,
  rows: readonly ImportRow[],
  now: string,
): Promise<void> => {
  const { wineries, categories, priceRanges } = records
  const category = (one: Named) => ({ ...one, path_segment: slug(one.name) })
  await addMissing(
    id => key('category', { merchant, id }),
    categories,
    rows.flatMap(row => row.categories ?? []),
    category,
  )
  records.priceRanges = await ensurePriceRanges(
    merchant,
    priceRanges,
    rows.flatMap(row => row.prices?.map(price => price.priceRange) ?? []),
  )
  const named = rows.flatMap(({ winery }) => (winery ? [winery] : []))
  const wanted = new Map<string, ImportWinery>()
  for (const winery of named) wanted.set(winery.name, { ...wanted.get(winery.name), ...winery })
  await addMissing(
    id => key('winery', { merchant, id }),
    wineries,
    wanted.keys(),
    one => ({ ...newWinery(merchant, now, one), ...wanted.get(one.name) }),
  )
  for (const [n, winery] of wineries.entries()) {
    const details = wanted.get(winery.name)
    if (!details || !differs(winery, details)) continue
    const record = { ...winery, ...details, chstamp: now }
    await putItem(key('winery', { merchant, id: winery.id }), record)
    wineries[n] = record
  }
}
