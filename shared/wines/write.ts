import type { Wine } from '../contract/records/wine.ts'
import { absent, equals } from '../table/expressions.ts'
import type { VersionItem } from '../table/items.ts'
import { indexKey, type Key, key, type MerchantId, merchantIdOf } from '../table/keys.ts'
import { type Action, put, remove, transact, update } from '../table/transact.ts'
import { isPublic, publicView, shardOf } from './public.ts'
import type { StoredWine } from './stored.ts'

/** One wine as it was (null: it is new) and as it shall be; `stock` null ends counting, undefined leaves it alone. */
export type WineWrite = { before: StoredWine | null; after: StoredWine; stock?: number | null | undefined }

/** The catalogue versions a write builds on: the merchant's, and that of its public partition. */
export type Versions = { catalogue: number; shard: number }

/** What a transaction of DynamoDB holds. */
export const maxActions = 100

const changesPublic = ({ before, after }: WineWrite): boolean =>
  isPublic(after) || (before !== null && isPublic(before))

const changesSlug = ({ before, after }: WineWrite): boolean => before?.path_segment !== after.path_segment

const wineAction = (merchant: MerchantId, { before, after }: WineWrite, version: number): Action =>
  put(
    `wine ${after.id}`,
    key('wine', { merchant, id: after.id }),
    { doc: JSON.stringify(after), version: after.version },
    { when: before ? [equals('version', before.version)] : [absent], index: indexKey('wine', { version }) },
  )

const slugActions = (merchant: MerchantId, write: WineWrite): Action[] => {
  if (!changesSlug(write)) return []
  const { before, after } = write
  const { id, path_segment: slug } = after
  const claim = put(`slug ${id}`, key('slug', { merchant, slug }), { id }, { when: [absent] })
  return before ? [claim, remove(`old slug ${id}`, key('slug', { merchant, slug: before.path_segment }))] : [claim]
}

const publicSlugActions = ({ before, after }: WineWrite): Action[] => {
  const place = (wine: Wine) => key('publicSlug', { slug: wine.path_segment, id: wine.id })
  const had = before && isPublic(before) ? before : null
  const has = isPublic(after) ? after : null
  if (had?.path_segment === has?.path_segment) return []
  const gone = had ? [remove(`old public slug ${after.id}`, place(had))] : []
  return has ? [...gone, put(`public slug ${after.id}`, place(has), {})] : gone
}

const publicActions = (write: WineWrite, version: number): Action[] => {
  const { before, after } = write
  const { id, hash, expertise } = after
  const hashes = before ? [] : [put(`hash ${id}`, key('publicHash', { hash }), { id })]
  if (!changesPublic(write)) return hashes
  const shown = isPublic(after)
    ? { doc: JSON.stringify(publicView(after)), ...(expertise && { expertise }) }
    : ({ removed: true } as const)
  const index = indexKey('publicWine', { version })
  const projection = put(`public wine ${id}`, key('publicWine', { shard: shardOf(id), id }), shown, { index })
  return [...hashes, projection, ...publicSlugActions(write)]
}

const stockActions = (merchant: MerchantId, { after, stock }: WineWrite): Action[] => {
  if (stock === undefined) return []
  const place = key('stock', { merchant, type: 'wine', id: after.id })
  const name = `stock ${after.id}`
  return [stock === null ? remove(name, place) : put(name, place, { quantity: stock })]
}

/** How many actions a write takes; two more are the versions'. */
export const actionCount = (write: WineWrite): number => {
  const merchant = merchantIdOf(write.after.customers_id)
  return 1 + slugActions(merchant, write).length + publicActions(write, 0).length + stockActions(merchant, write).length
}

const raise = (name: string, place: Key<VersionItem>, seen: number, count: number): Action =>
  update(name, place, { set: { version: seen + count } }, [
    seen === 0 ? { anyOf: [absent, equals('version', 0)] } : equals('version', seen),
  ])

/**
 * Writes wines of one merchant in one transaction: records, slugs, public projections, stock, and both catalogue
 * versions, each wine under a version of its own; returns the versions
 * after it. Throws TransactionRefused; its reasons `catalogue`, `shard` and
 * `wine …` mean that somebody else was first, `slug …` that the path_segment is taken.
 */
export const writeWines = async (
  merchant: MerchantId,
  writes: readonly WineWrite[],
  seen: Versions,
): Promise<Versions> => {
  let shardVersion = seen.shard
  const actions = writes.flatMap((write, n) => {
    if (changesPublic(write)) shardVersion++
    return [
      wineAction(merchant, write, seen.catalogue + n + 1),
      ...slugActions(merchant, write),
      ...publicActions(write, shardVersion),
      ...stockActions(merchant, write),
    ]
  })
  const shard = shardOf(merchant)
  const versions = [raise('catalogue', key('catalogue', { merchant }), seen.catalogue, writes.length)]
  if (shardVersion > seen.shard) {
    versions.push(raise('shard', key('publicVersion', { shard }), seen.shard, shardVersion - seen.shard))
  }
  await transact([...versions, ...actions])
  return { catalogue: seen.catalogue + writes.length, shard: shardVersion }
}
