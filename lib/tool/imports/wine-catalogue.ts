import { readStocks, type Stocks } from '../../../shared/catalogue/stock.ts'
import { limitKeys, limitsIn } from '../../../shared/catalogue/wines/quota-use.ts'
import { type StoredWine, wineOf } from '../../../shared/catalogue/wines/stored.ts'
import { type Versions, versionsIn } from '../../../shared/catalogue/wines/write.ts'
import type { wineFields } from '../../../shared/contract/records/wine.ts'
import type { Winery } from '../../../shared/contract/records/winery.ts'
import type { NamesWith, RowOf } from '../../../shared/contract/schema/fields.ts'
import { indexKey, key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { getItemGroups, query } from '../../../shared/platform/table/table.ts'
import { type FactItems, type filedWineFields, readFactItems } from './facts.ts'
import { type NamedRecords, readNamedRecords } from './goods.ts'
import { readWineries } from './wineries.ts'

/**
 * A row of a wine file. A missing column leaves the wine's value unchanged, null clears it. `stock` null means not
 * counted.
 */
export type WineRow = RowOf<typeof filedWineFields, NamesWith<typeof wineFields, { required: true }>>

/** The wines of a merchant and what rows of wines refer to. */
export type Catalogue = NamedRecords & {
  wineries: readonly Winery[]
  wines: StoredWine[]
  stocks: Stocks
  facts: FactItems
  versions: Versions
}

export const readVersions = async (merchant: MerchantId): Promise<Versions> => {
  const { catalogue, limits } = await getItemGroups({
    catalogue: [key('catalogue', { merchant })],
    limits: limitKeys(merchant),
  })
  return { ...versionsIn(catalogue[0]), limits: limitsIn(limits) }
}

export const changedSince = (version: number) => ({ indexed: true, above: indexKey('wine', { version }) }) as const

/**
 * Reads a merchant's catalogue; of the wines only those that changed since `before`. Versions are read first, so that
 * writes detect later changes.
 */
export const readCatalogue = async (merchant: MerchantId, before?: Catalogue): Promise<Catalogue> => {
  const versions = await readVersions(merchant)
  const [items, wineries, named, stocks] = await Promise.all([
    query({ pk: partition('wine', { merchant }), ...(before && changedSince(before.versions.catalogue)) }),
    readWineries(merchant),
    readNamedRecords(merchant),
    readStocks(merchant, 'wine'),
  ])
  // After the wines: a change of facts in between raises the version of its wine, and a write here is refused.
  const facts = await readFactItems(merchant)
  const wines = new Map([...(before?.wines ?? []), ...items.map(wineOf)].map(wine => [wine.id, wine]))
  return { wines: [...wines.values()], wineries, ...named, stocks, facts, versions }
}
