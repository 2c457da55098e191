import type { StoredWine, Wine, Winery } from './record.ts'

/** How many partitions the public wines of all merchants are spread over. */
export const shards = 8

/** The partition of a wine. Ids are given so that a merchant's wines share one. */
export const shardOf = (wineId: number): number => wineId % shards

/** The id of a wine: the n-th of all, in its merchant's partition. */
export const wineIdOf = (merchant: number, n: number): number => n * shards + (merchant % shards)

/** Whether everybody may see a wine. */
export const isPublic = ({ active, public: shown }: Pick<Wine, 'active' | 'public'>): boolean =>
  active === 1 && shown === 1

export type PublicWinery = Omit<Winery, 'cruser_id' | 'network' | 'internal'>
export type PublicWine = Omit<Wine, 'prices' | 'network' | 'internal' | 'cruser_id' | 'hash' | 'version' | 'winery'> & {
  winery: PublicWinery | null
}

const publicWinery = ({ cruser_id, network, internal, ...winery }: Winery): PublicWinery => winery

/** A wine without what only its merchant may see. */
export const publicView = ({
  prices,
  network,
  internal,
  cruser_id,
  hash,
  version,
  winery,
  translations,
  expertise,
  publicTranslations = [],
  ...wine
}: StoredWine): PublicWine => ({
  ...wine,
  winery: winery && publicWinery(winery),
  translations: translations.filter(({ id }) => publicTranslations.includes(id)),
})
