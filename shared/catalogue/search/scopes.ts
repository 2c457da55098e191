import type { PublicWineItem, WineItem } from '../../platform/table/items.ts'
import { indexKey, lastNumber, type MerchantId, merchantIdOf, partition } from '../../platform/table/keys.ts'
import { type Entry, type KeyRange, queryPages } from '../../platform/table/table.ts'
import type { Change } from '../../search/search-index.ts'
import { publicWineOf, shards, wineOf } from '../wines/stored.ts'
import { feedVersion, type Versions } from './feed.ts'
import { cacheWineRecord } from './wine-records.ts'

/** A set of wines with an index of its own: a merchant's, or all public wines. */
export type Scope = {
  /** Its name in the bucket and in the cache. */
  name: string
  /** The number of change feeds; each counts its own versions. */
  feeds: number
  /** True if reads are eventually consistent, except where a change could be lost. */
  eventual?: boolean
  /** The changes of a feed in ascending order of versions, a page of at most 1 MB at a time. */
  changes: (feed: number, versions: Versions, isConsistent: boolean) => AsyncIterable<Change[]>
  /** The highest version in a feed, 0 if it is empty. */
  newest: (feed: number) => Promise<number>
}

const wineChange = (scope: string, entry: Entry<WineItem>): Change => {
  const version = feedVersion(entry)
  const wine = wineOf(entry.item)
  cacheWineRecord(scope, wine.id, { version, doc: entry.item.doc })
  return { version, wine }
}

const publicChange = (entry: Entry<PublicWineItem>): Change =>
  'removed' in entry.item
    ? { version: feedVersion(entry), id: lastNumber(entry.sk), removed: true }
    : { version: feedVersion(entry), wine: publicWineOf(entry.item) }

type Feed<Item> = Pick<KeyRange<Item>, 'pk' | 'eventual'> & { at: (version: number) => string }

async function* readFeed<Item>(
  { pk, at, eventual = false }: Feed<Item>,
  { from, to }: Versions,
  changeOf: (entry: Entry<Item>) => Change,
): AsyncGenerator<Change[]> {
  const range = to === Number.POSITIVE_INFINITY ? { above: at(from - 1) } : { between: [at(from), at(to)] as const }
  for await (const page of queryPages<Item>({ pk, indexed: true, eventual, ...range })) yield page.map(changeOf)
}

const newestIn = async <Item>({ pk }: Feed<Item>): Promise<number> => {
  for await (const [entry] of queryPages<Item>({ pk, indexed: true, descending: true, limit: 1 })) {
    if (entry) return feedVersion(entry)
  }
  return 0
}

/** All wines of a merchant. */
export const merchantScope = (merchant: MerchantId): Scope => {
  const name = `merchant-${merchant}`
  const feed: Feed<WineItem> = {
    pk: partition('wine', { merchant }),
    at: version => indexKey('wine', { version }),
  }
  return {
    name,
    feeds: 1,
    changes: (_, versions) => readFeed(feed, versions, entry => wineChange(name, entry)),
    newest: () => newestIn(feed),
  }
}

const publicFeed = (shard: number): Feed<PublicWineItem> => ({
  pk: partition('publicWine', { shard }),
  at: version => indexKey('publicWine', { version }),
})

/** The public wines of all merchants. */
export const publicScope: Scope = {
  name: 'public',
  feeds: shards,
  eventual: true,
  changes: (shard, versions, isConsistent) =>
    readFeed({ ...publicFeed(shard), eventual: !isConsistent }, versions, publicChange),
  newest: shard => newestIn(publicFeed(shard)),
}

/** The scope whose version is counted in a partition; undefined for any other partition. */
export const scopeOfPartition = (pk: string): Scope | undefined => {
  const [, merchant] = /^m#(\d+)#catalogue$/.exec(pk) ?? []
  if (merchant !== undefined) return merchantScope(merchantIdOf(merchant))
  return pk.startsWith('public#') ? publicScope : undefined
}
