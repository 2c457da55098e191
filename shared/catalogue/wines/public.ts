import { completePublicWine, type PublicWine, type Wine } from '../../contract/records/wine.ts'
import { publicWinery } from '../../contract/records/winery.ts'
import type { StoredWine } from './stored.ts'

/** How many partitions the public wines of all merchants are spread over. */
export const shards = 8

/** The partition of a wine. Ids are given so that a merchant's wines share one. */
export const shardOf = (wineId: number): number => wineId % shards

/** The id of a wine: the n-th of all, in its merchant's partition. */
export const wineIdOf = (merchant: number, n: number): number => n * shards + (merchant % shards)

/** Whether everybody may see a wine. */
export const isPublic = ({ active, public: shown }: Pick<Wine, 'active' | 'public'>): boolean =>
  active === 1 && shown === 1

/** A wine without what only its merchant may see. */
export const publicView = ({ publicTranslations = [], ...wine }: StoredWine): PublicWine =>
  completePublicWine({
    ...wine,
    winery: wine.winery && publicWinery(wine.winery),
    translations: wine.translations.filter(({ id }) => publicTranslations.includes(id)),
  })
