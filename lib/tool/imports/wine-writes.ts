import { checkGrowth, growthOf, limitKeys, limitsIn } from '../../../shared/catalogue/wines/amounts.ts'
import { newWine, type StoredWine, wineIdOf, wineOf, withLinks } from '../../../shared/catalogue/wines/stored.ts'
import {
  actionCount,
  type Versions,
  versionsIn,
  type WineWrite,
  writeWines,
} from '../../../shared/catalogue/wines/write.ts'
import { givenOnly, type NamesWith, type RowOf } from '../../../shared/contract/records/fields.ts'
import { jsonBytes } from '../../../shared/contract/records/size.ts'
import type { Wine, wineFields } from '../../../shared/contract/records/wine.ts'
import type { Winery } from '../../../shared/contract/records/winery.ts'
import { retrying, TransactionRefused } from '../../../shared/platform/table/failures.ts'
import { indexKey, key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { getItemGroups, query, queryEntries, updateItem } from '../../../shared/platform/table/table.ts'
import { maxActions } from '../../../shared/platform/table/transact.ts'
import { batchesOf } from '../../../shared/values/batches.ts'
import { freeWineSlug, slug } from '../../../shared/values/slug.ts'
import { timestamp } from '../../../shared/values/time.ts'
import { fieldChanges, type Plan } from './plan.ts'
import { filedPrices, rangePricesAt, repriced } from './prices.ts'
import { readStocks, type Stocks } from './stocks.ts'
import { byName, type References, type ReferencesByName, readReferences, withNamed } from './wine-references.ts'

type Needed = 'articlenumber' | NamesWith<typeof wineFields, { required: true }>

/**
 * One wine as a file gives it, known by its article number. A column that is missing leaves the wine's value alone; null
 * clears it. `stock` null means not counted.
 */
export type WineRow = RowOf<typeof wineFields, Needed>

/** Everything of a merchant that rows of wines are compared with. */
export type Catalogue = References & { wines: StoredWine[]; stocks: Stocks; versions: Versions }

const readVersions = async (merchant: MerchantId): Promise<Versions> => {
  const { catalogue, limits } = await getItemGroups({
    catalogue: [key('catalogue', { merchant })],
    limits: limitKeys(merchant),
  })
  return { ...versionsIn(catalogue[0]), limits: limitsIn(limits) }
}

const changedSince = (version: number) => ({ indexed: true, above: indexKey('wine', { version }) }) as const

/**
 * Reads a merchant's whole catalogue, or of the wines just what changed since it was read before. The versions come
 * first: what changes after them, the writes will notice.
 */
export const readCatalogue = async (merchant: MerchantId, before?: Catalogue): Promise<Catalogue> => {
  const versions = await readVersions(merchant)
  const [items, references, stocks] = await Promise.all([
    query({ pk: partition('wine', { merchant }), ...(before && changedSince(before.versions.catalogue)) }),
    readReferences(merchant),
    readStocks(merchant, 'wine'),
  ])
  const wines = new Map([...(before?.wines ?? []), ...items.map(wineOf)].map(wine => [wine.id, wine]))
  return { wines: [...wines.values()], ...references, stocks, versions }
}

/** Picks free path_segments. */
const slugPicker = (wines: readonly Wine[]) => {
  const taken = new Set(wines.map(wine => wine.path_segment))
  return (named: Pick<WineRow, 'name' | 'vintage'>, own?: string): string => {
    const found = freeWineSlug(named, segment => segment !== own && taken.has(segment))
    taken.add(found)
    return found
  }
}

/** A wine with what a row says; what the row leaves out stays as it is. */
export const withRow = (wine: StoredWine, row: WineRow, references: ReferencesByName): StoredWine => {
  const { winery: wanted, categories, prices, stock, gross, net, tax, ...given } = row
  const record = `wine ${wine.id}`
  const price = repriced(wine, row, record)
  const winery = wanted ? (references.wineries.get(wanted.name) ?? null) : wine.winery
  const ranges = rangePricesAt(price.taxrate, prices ?? filedPrices(wine.prices), references.priceRanges, record)
  return {
    ...wine,
    ...givenOnly(given),
    ...price,
    winery,
    winery_id: winery?.id ?? null,
    prices: ranges.map(one => ({ wine_id: wine.id, ...one })),
    ...(categories && { categoryIds: categories.flatMap(name => references.categories.get(name) ?? []) }),
  }
}

type Writing = { merchant: MerchantId; references: ReferencesByName; now: string; pick: ReturnType<typeof slugPicker> }

const takeNumbers = async (count: number): Promise<number> => {
  const { value } = await updateItem(key('sequence', { name: 'wines' }), { add: { value: count } })
  return value - count
}

const additionsOf = async (
  rows: readonly WineRow[],
  { merchant, references, now, pick }: Writing,
): Promise<WineWrite[]> => {
  const before = rows.length > 0 ? await takeNumbers(rows.length) : 0
  return rows.map((row, n) => {
    const id = wineIdOf(merchant, before + n + 1)
    const wine = newWine({ id, customers_id: merchant, cruser_id: 0, path_segment: pick(row), now }, row)
    return { before: null, after: withLinks(withRow(wine, row, references)), stock: row.stock }
  })
}

type WinePlan = Plan<WineRow, StoredWine>

const changesOf = ({ changes }: WinePlan, { references, now, pick }: Writing): WineWrite[] =>
  changes.map(({ record: wine, row, fields }) => {
    const after = withRow(wine, row, references)
    const renamed = after.name !== wine.name && slug(after.name) !== slug(wine.name)
    const path_segment = renamed ? pick(after, wine.path_segment) : wine.path_segment
    return {
      before: wine,
      after: withLinks({ ...after, path_segment, version: wine.version + 1, chstamp: now }),
      // An order may take from the stock at this moment; only a stock that the file changes is written.
      stock: fields.some(({ name }) => name === 'stock') ? row.stock : undefined,
    }
  })

const isEmbedded = (winery: Winery, { winery: embedded }: StoredWine): boolean =>
  embedded !== null && fieldChanges(embedded, winery).length === 0

/** Wines that no row changes, but whose winery has, be it in an import that was stopped. */
const reembedded = (
  wines: readonly StoredWine[],
  wineries: readonly Winery[],
  written: ReadonlySet<number>,
  now: string,
): WineWrite[] => {
  const byId = new Map(wineries.map(winery => [winery.id, winery]))
  return wines.flatMap(wine => {
    const winery = byId.get(wine.winery_id ?? 0)
    if (!winery || written.has(wine.id) || isEmbedded(winery, wine)) return []
    return [{ before: wine, after: withLinks({ ...wine, winery, version: wine.version + 1, chstamp: now }) }]
  })
}

/** The versions as they are now. Throws TransactionRefused, `added`, when somebody wrote one of the numbers to add. */
const versionsNow = async (
  merchant: MerchantId,
  { catalogue }: Versions,
  added: ReadonlySet<string | null>,
): Promise<Versions> => {
  const [now, entries] = await Promise.all([
    readVersions(merchant),
    queryEntries({ pk: partition('wine', { merchant }), ...changedSince(catalogue) }),
  ])
  const isAdded = entries.some(({ item }) => added.has(wineOf(item).articlenumber))
  if (isAdded) throw new TransactionRefused({ added: 'ConditionalCheckFailed' })
  // The wine that was written last stands under the catalogue's version.
  return { ...now, catalogue: entries.reduce((last, { index }) => Math.max(last, Number(index)), catalogue) }
}

/** Writes a batch; when others were first, on top of theirs. */
const writeBatch = async (
  merchant: MerchantId,
  batch: readonly WineWrite[],
  versions: Versions,
  added: ReadonlySet<string | null>,
): Promise<Versions> => {
  let seen: Versions | undefined
  return retrying(
    async () => {
      seen = seen ? await versionsNow(merchant, seen, added) : versions
      return writeWines(merchant, batch, seen)
    },
    error => error.contended || error.failed('catalogue'),
  )
}

// A transaction holds 4 MB; what stands around the records takes less than the rest.
const mostBytes = 3_500_000

/** What part of a transaction a wine takes: of its actions, of which one is the catalogue's, or of its bytes. */
const shareOf = (write: WineWrite): number =>
  Math.max(actionCount(write) / (maxActions - 1), jsonBytes(write.after) / mostBytes)

/**
 * Carries a plan out, in transactions of as many wines as fit; gives the number of wines each has written. Throws
 * quota_exceeded before anything is written, and TransactionRefused when others write the same catalogue so often that it must be read anew.
 */
export async function* writeWineRows(
  merchant: MerchantId,
  { wines, versions: seen, ...references }: Catalogue,
  plan: WinePlan,
): AsyncGenerator<number> {
  const now = timestamp(Date.now())
  const rows = [...plan.additions, ...plan.changes.map(({ row }) => row)]
  const named = await withNamed(merchant, references, rows, now)
  const writing = { merchant, references: byName(named), now, pick: slugPicker(wines) }
  const changes = changesOf(plan, writing)
  const changed = new Set(changes.map(({ after }) => after.id))
  const writes = [
    ...changes,
    ...reembedded(wines, named.wineries, changed, now),
    ...(await additionsOf(plan.additions, writing)),
  ]
  // Before the first transaction: of a file that is too large nothing is written.
  if (seen.amounts && seen.limits) checkGrowth(seen.amounts, growthOf(writes), seen.limits)
  const added = new Set<string | null>(plan.additions.map(({ articlenumber }) => articlenumber))
  let versions = seen
  for (const batch of batchesOf(writes, 1, shareOf)) {
    versions = await writeBatch(merchant, batch, versions, added)
    yield batch.length
  }
}
