import { pricesAfter } from '../../../shared/catalogue/goods-data.ts'
import { rangesCheck, takeWineIds } from '../../../shared/catalogue/wines/edit.ts'
import { withoutTranslation, withTranslation } from '../../../shared/catalogue/wines/merge.ts'
import { checkGrowth, growthOf } from '../../../shared/catalogue/wines/quota-use.ts'
import { formerSegment, formerVintage, nextVintage } from '../../../shared/catalogue/wines/roll-over.ts'
import { newWine, type StoredWine, wineIdOf, wineOf, withLinks } from '../../../shared/catalogue/wines/stored.ts'
import { actionCount, type Versions, type WineWrite, writeWines } from '../../../shared/catalogue/wines/write.ts'
import { jsonBytes } from '../../../shared/contract/records/size.ts'
import type { Wine } from '../../../shared/contract/records/wine.ts'
import type { Winery } from '../../../shared/contract/records/winery.ts'
import { givenOnly } from '../../../shared/contract/schema/fields.ts'
import { retry, TransactionRefused } from '../../../shared/platform/table/failures.ts'
import { type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { queryEntries } from '../../../shared/platform/table/table.ts'
import { maxActions } from '../../../shared/platform/table/transact.ts'
import { batchesOf } from '../../../shared/values/batches.ts'
import { freeWineSlug, slug } from '../../../shared/values/slug.ts'
import { timestamp } from '../../../shared/values/time.ts'
import { type FactItems, type FiledFacts, factsOfRow } from './facts.ts'
import { type IdsByName, idsOf, rangeNames, salesData, withNamedRecords } from './goods.ts'
import { fieldChanges, type Plan } from './plan.ts'
import { type Catalogue, changedSince, readVersions, type WineRow } from './wine-catalogue.ts'
import { isTranslated, wineKeys } from './wine-keys.ts'
import { withWineries } from './wineries.ts'

/** Picks free path_segments: from the name of a wine, or for a wine whose next vintage takes its own over. */
const slugPicker = (wines: readonly Wine[], rows: readonly WineRow[]) => {
  const taken = new Set([...wines, ...rows].flatMap(({ path_segment = [] }) => path_segment))
  const took = (segment: string): string => {
    taken.add(segment)
    return segment
  }
  return {
    named: (named: Pick<WineRow, 'name' | 'vintage'>, own?: string): string =>
      took(freeWineSlug(named, segment => segment !== own && taken.has(segment))),
    former: (wine: StoredWine): string => took(formerSegment(wine, taken)),
  }
}

/** The records that a row's names refer to: wines embed the winery, and hold the ids of the others. */
export type References = IdsByName & { wineries: ReadonlyMap<string, Winery> }

/** The wine after a row. */
export const withRow = (wine: StoredWine, row: WineRow, references: References): StoredWine => {
  const { winery: filed, categories, stock, facts, id, original, origin_id, ...given } = row
  const data = salesData(row, references)
  const { prices, ...sale } = pricesAfter(wine, data, rangeNames(references), `wine ${wine.id}`)
  const winery = filed ? (references.wineries.get(filed.name) ?? null) : wine.winery
  return {
    ...wine,
    ...givenOnly(given),
    ...sale,
    categoryIds: data.categoryIds ?? wine.categoryIds,
    winery,
    winery_id: winery?.id ?? null,
    prices: prices.map(one => ({ wine_id: wine.id, ...one })),
  }
}

/** A next vintage after its row; a wine whose pieces are counted is for sale, unless the row says otherwise. */
const withNextRow = (blank: StoredWine, row: WineRow, references: References): StoredWine =>
  withRow(blank, typeof row.stock === 'number' ? { ...row, nostock: row.nostock ?? 0 } : row, references)

type Writing = {
  merchant: MerchantId
  references: References
  wines: readonly StoredWine[]
  facts: FactItems
  now: string
  pick: ReturnType<typeof slugPicker>
}

/** A write with the facts that its row gives. */
const withRowFacts = (write: WineWrite, row: FiledFacts | undefined, items: FactItems): WineWrite => {
  const { after, actions } = factsOfRow(items, { ...write, row })
  return { ...write, after, facts: actions }
}

const additionsOf = async (
  rows: readonly WineRow[],
  { merchant, references, wines, facts, now, pick }: Writing,
): Promise<WineWrite[]> => {
  const taken = await takeWineIds(rows.length)
  const added = rows.map((row, n) => ({ row, id: wineIdOf(merchant, taken + n + 1) }))
  const { keyOf, originalKey } = wineKeys(wines)
  const ids = new Map([
    ...wines.map(wine => [keyOf(wine), wine.id] as const),
    ...added.map(({ row, id }) => [keyOf(row), id] as const),
  ])
  return added.map(({ row, id }) => {
    const path_segment = row.path_segment ?? pick.named(row)
    const wine: StoredWine = {
      ...newWine({ id, customers_id: merchant, cruser_id: 0, path_segment, now }, row),
      origin_id: isTranslated(row) ? (ids.get(originalKey(row)) ?? null) : null,
      ...(!row.articlenumber && row.id !== undefined && { filed_id: row.id }),
    }
    // Nothing is counted of a new wine.
    const write = { before: null, after: withLinks(withRow(wine, row, references)), stock: row.stock ?? undefined }
    return withRowFacts(write, row.facts, facts)
  })
}

const changesOf = ({ changes }: Plan<WineRow, StoredWine>, { references, facts, now, pick }: Writing): WineWrite[] =>
  changes.map(({ record: wine, row, fields }) => {
    const after = withRow(wine, row, references)
    const renamed = after.name !== wine.name && slug(after.name) !== slug(wine.name)
    const path_segment = row.path_segment ?? (renamed ? pick.named(after, wine.path_segment) : wine.path_segment)
    const write = {
      before: wine,
      after: withLinks({ ...after, path_segment, version: wine.version + 1, chstamp: now }),
      // Orders may change the stock concurrently: only a stock that the file changes is written.
      stock: fields.some(({ name }) => name === 'stock') ? row.stock : undefined,
    }
    return withRowFacts(write, row.facts, facts)
  })

/** The writes of next vintages and of the former wines, with their present wineries. */
const rollOversOf = async (
  { rollOvers }: Plan<WineRow, StoredWine>,
  { merchant, references, facts, now, pick }: Writing,
): Promise<WineWrite[]> => {
  const taken = await takeWineIds(rollOvers.length)
  const wineries = new Map([...references.wineries.values()].map(winery => [winery.id, winery]))
  return rollOvers.flatMap(({ record, row }, n) => {
    const wine = { ...record, winery: wineries.get(record.winery_id ?? 0) ?? record.winery }
    const id = wineIdOf(merchant, taken + n + 1)
    const blank = nextVintage(wine, { id, customers_id: merchant, cruser_id: 0, now })
    const after = withLinks(withNextRow(blank, row, references))
    const addition = withRowFacts({ before: null, after, stock: row.stock }, row.facts, facts)
    return [addition, { before: record, after: formerVintage(wine, addition.after, pick.former(wine)) }]
  })
}

const isEmbedded = (winery: Winery, { winery: embedded }: StoredWine): boolean =>
  embedded !== null && fieldChanges(embedded, winery).length === 0

/** Writes of wines that no row changes but whose winery has changed, perhaps in an import that was stopped. */
const embedAgain = (
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

/** The writes, with those of the originals that list a written translation. */
const withListings = (writes: readonly WineWrite[], wines: readonly StoredWine[], now: string): WineWrite[] => {
  const originals = new Map(wines.map(wine => [wine.id, wine]))
  const byId = new Map(writes.map(write => [write.after.id, write]))
  for (const { after } of writes) {
    const write = byId.get(after.origin_id ?? 0)
    const original = write?.after ?? originals.get(after.origin_id ?? 0)
    if (!original) continue
    // An import that was stopped may have listed one in this language that it did not write.
    const lost = original.translations.filter(({ id, language }) => language === after.language && id !== after.id)
    const listing = lost.reduce<StoredWine>((one, { id }) => withoutTranslation(one, id), original)
    const listed = withTranslation(listing, after)
    if (listed === original) continue
    byId.set(
      original.id,
      write
        ? { ...write, after: listed }
        : { before: original, after: { ...listed, version: original.version + 1, chstamp: now } },
    )
  }
  return [...byId.values()]
}

/** The writes by transaction: an original with its translations, a next vintage with the former one. */
const groupsOf = (merchant: MerchantId, writes: readonly WineWrite[]): WineWrite[][] => {
  const together = ({ before, after: { id, origin_id, predecessor_id } }: WineWrite) =>
    origin_id ?? (before ? id : (predecessor_id ?? id))
  const groups = [...Map.groupBy(writes, together).values()]
  const isTooLarge = (group: WineWrite[]) => group.length > 1 && shareOf(merchant, group) > 1
  return groups.flatMap(group => (isTooLarge(group) ? group.map(write => [write]) : [group]))
}

/** The present versions. Throws TransactionRefused if another writer has added one of the article numbers to add. */
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
  // The wine that was written last has the catalogue's version.
  return { ...now, catalogue: entries.reduce((last, { index }) => Math.max(last, Number(index)), catalogue) }
}

/** A write of a batch: the article numbers that its import adds, and the version of the price ranges that it read. */
type Batch = { writes: readonly WineWrite[]; added: ReadonlySet<string | null>; rangesVersion: number }

/** Writes a batch, on top of concurrent changes of the catalogue. Prices contain the names of price ranges. */
const writeBatch = async (
  merchant: MerchantId,
  { writes, added, rangesVersion }: Batch,
  versions: Versions,
): Promise<Versions> => {
  const hasPrices = writes.some(({ after }) => after.prices.length > 0)
  const checks = hasPrices ? [rangesCheck(merchant, rangesVersion)] : []
  let seen: Versions | undefined
  return retry(
    async () => {
      seen = seen ? await versionsNow(merchant, seen, added) : versions
      return writeWines(merchant, writes, seen, checks)
    },
    error => error.contended || error.hasFailed('catalogue'),
  )
}

// A transaction holds 4 MB; keys and conditions take less than the rest.
const maxBytes = 3_500_000

/** The share of a transaction that wines take: of its actions without those of catalogue and price ranges, or of its bytes. */
const shareOf = (merchant: MerchantId, writes: readonly WineWrite[]): number =>
  Math.max(actionCount(merchant, writes) / (maxActions - 2), jsonBytes(writes.map(({ after }) => after)) / maxBytes)

/**
 * Carries out a plan in transactions of as many wines as fit; yields the number of wines that each wrote. Throws
 * quota_exceeded before the first, and TransactionRefused if the catalogue has to be read again.
 */
export async function* writeWineRows(
  merchant: MerchantId,
  catalogue: Catalogue,
  plan: Plan<WineRow, StoredWine>,
): AsyncGenerator<number> {
  const { wines, facts, versions: seen } = catalogue
  const now = timestamp(Date.now())
  const rows = [...plan.additions, ...plan.changes.map(({ row }) => row), ...plan.rollOvers.map(({ row }) => row)]
  const named = await withNamedRecords(merchant, catalogue, rows)
  const filed = rows.flatMap(({ winery }) => winery ?? [])
  const wineries = await withWineries(merchant, catalogue.wineries, filed, now)
  const references = { ...idsOf(named), wineries: new Map(wineries.map(winery => [winery.name, winery])) }
  const writing = { merchant, references, wines, facts, now, pick: slugPicker(wines, rows) }
  const changes = changesOf(plan, writing)
  const rollOvers = await rollOversOf(plan, writing)
  const changed = new Set([...changes, ...rollOvers].map(({ after }) => after.id))
  const all = [
    ...changes,
    ...embedAgain(wines, wineries, changed, now),
    ...(await additionsOf(plan.additions, writing)),
    ...rollOvers,
  ]
  const writes = withListings(all, wines, now)
  // Nothing is written of a file that exceeds a quota.
  if (seen.amounts && seen.limits) checkGrowth(seen.amounts, growthOf(writes), seen.limits)
  const added = new Set(plan.additions.map(({ articlenumber = null }) => articlenumber))
  let versions = seen
  for (const batch of batchesOf(groupsOf(merchant, writes), 1, group => shareOf(merchant, group))) {
    const { rangesVersion } = named
    const together = batch.flat()
    versions = await writeBatch(merchant, { writes: together, added, rangesVersion }, versions)
    yield together.length
  }
}
