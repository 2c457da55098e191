import { indexKey, type MerchantId, partition } from '../../table/keys.ts'
import { query } from '../../table/table.ts'
import { type PublicWineItem, type WineItem, wineOf } from '../item.ts'
import { shards } from '../public.ts'
import type { Change } from './engine/search-index.ts'

/** A set of wines that has an index of its own: a merchant's, or everything public. */
export type Scope = {
  /** Names the scope in the bucket and in memory. */
  name: string
  /** How many change feeds it has; each counts its own versions. */
  feeds: number
  /** What changed in each feed above the version given, in the feed's order, strongly consistent. */
  changesSince: (feed: number, version: number) => Promise<{ version: number; change: Change }[]>
}

const versionOf = ({ by }: { by: string }): number => Number(by)

/** All wines of one merchant. */
export const merchantScope = (merchant: MerchantId): Scope => ({
  name: `merchant-${merchant}`,
  feeds: 1,
  changesSince: async (_, version) => {
    const above = indexKey('wine', { version })
    const items = await query<WineItem>({ pk: partition('wine', { merchant }), index: 'by-order', above })
    return items.map(item => ({ version: versionOf(item), change: { version: versionOf(item), wine: wineOf(item) } }))
  },
})

/** The public wines of all merchants. */
export const publicScope: Scope = {
  name: 'public',
  feeds: shards,
  changesSince: async (shard, version) => {
    const above = indexKey('publicWine', { version })
    const items = await query<PublicWineItem>({ pk: partition('publicWine', { shard }), index: 'by-order', above })
    return items.map(item => ({ version: versionOf(item), change: changeOf(item) }))
  },
}

const changeOf = (item: PublicWineItem & { sk: string }): Change =>
  'removed' in item
    ? { version: versionOf(item), id: Number(item.sk), removed: true }
    : { version: versionOf(item), wine: wineOf(item) }
