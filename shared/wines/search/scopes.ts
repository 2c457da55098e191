import type { PublicWineItem, WineItem } from '../../table/items.ts'
import { indexKey, lastNumber, type MerchantId, partition } from '../../table/keys.ts'
import { type Entry, queryEntries } from '../../table/table.ts'
import { shards } from '../public.ts'
import { publicWineOf, wineOf } from '../stored.ts'
import type { Change } from './engine/search-index.ts'

/** A set of wines that has an index of its own: a merchant's, or everything public. */
export type Scope = {
  /** Names the scope in the bucket and in memory. */
  name: string
  /** How many change feeds it has; each counts its own versions. */
  feeds: number
  /** What changed in each feed above the version given, in the feed's order, strongly consistent. */
  changesSince: (feed: number, version: number) => Promise<Change[]>
}

const versionOf = ({ index = '' }: Entry<unknown>): number => Number(index)

const wineChange = (entry: Entry<WineItem>): Change => ({ version: versionOf(entry), wine: wineOf(entry.item) })

const publicChange = (entry: Entry<PublicWineItem>): Change =>
  'removed' in entry.item
    ? { version: versionOf(entry), id: lastNumber(entry.sk), removed: true }
    : { version: versionOf(entry), wine: publicWineOf(entry.item) }

/** All wines of one merchant. */
export const merchantScope = (merchant: MerchantId): Scope => ({
  name: `merchant-${merchant}`,
  feeds: 1,
  changesSince: async (_, version) => {
    const above = indexKey('wine', { version })
    const entries = await queryEntries({ pk: partition('wine', { merchant }), indexed: true, above })
    return entries.map(wineChange)
  },
})

/** The public wines of all merchants. */
export const publicScope: Scope = {
  name: 'public',
  feeds: shards,
  changesSince: async (shard, version) => {
    const above = indexKey('publicWine', { version })
    const entries = await queryEntries({ pk: partition('publicWine', { shard }), indexed: true, above })
    return entries.map(publicChange)
  },
}
