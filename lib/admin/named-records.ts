import { absent } from '../../shared/table/expressions.ts'
import { key, type MerchantId } from '../../shared/table/keys.ts'
import { putItem } from '../../shared/table/table.ts'
import { transact } from '../../shared/table/transact.ts'
import { slug } from '../../shared/text.ts'
import type { NamedRecords } from '../../shared/wines/apply-row.ts'
import type { ImportRow, ImportWinery } from '../../shared/wines/import-row.ts'
import type { Winery } from '../../shared/wines/record.ts'
import { ensurePriceRanges, readPriceRanges } from './kinds/price-ranges.ts'
import { readPlain } from './read-records.ts'

type Named = { id: number; name: string }
type Kind = 'category' | 'winery'

/** Reads all records of one merchant that import rows call by name. */
export const readNamed = async (merchant: MerchantId) => {
  const [wineries, categories, priceRanges] = await Promise.all([
    readPlain<Winery>(merchant, 'winery'),
    readPlain<Named>(merchant, 'category'),
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

const addMissing = async <T extends Named>(
  merchant: MerchantId,
  kind: Kind,
  present: T[],
  names: Iterable<string>,
  make: (one: Named) => T,
) => {
  const known = new Set(present.map(({ name }) => name))
  let last = Math.max(0, ...present.map(({ id }) => id))
  for (const name of new Set(names)) {
    if (known.has(name)) continue
    const record = make({ id: ++last, name })
    // Refused when another import took the number first; the import then reads anew and finds its record.
    await transact([{ name: kind, key: key(kind, { merchant, id: record.id }), when: [absent], put: record }])
    present.push(record)
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

/**
 * Makes the records that the rows name and brings wineries to what the rows say of them; answers the names of the
 * wineries that changed, for wines embed their winery.
 */
export const ensureNamed = async (
  merchant: MerchantId,
  records: Records,
  rows: readonly ImportRow[],
  now: string,
): Promise<Set<string>> => {
  const { wineries, categories, priceRanges } = records
  const category = (one: Named) => ({ ...one, path_segment: slug(one.name) })
  await addMissing(
    merchant,
    'category',
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
  await addMissing(merchant, 'winery', wineries, wanted.keys(), one => ({
    ...newWinery(merchant, now, one),
    ...wanted.get(one.name),
  }))
  const changed = new Set<string>()
  for (const [n, winery] of wineries.entries()) {
    const details = wanted.get(winery.name)
    if (!details || !differs(winery, details)) continue
    const record = { ...winery, ...details, chstamp: now }
    await putItem(key('winery', { merchant, id: winery.id }), record)
    wineries[n] = record
    changed.add(winery.name)
  }
  return changed
}
