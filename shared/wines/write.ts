import { absent, type Clause, equals } from '../table/expressions.ts'
import { indexKey, key, type MerchantId } from '../table/keys.ts'
import { type Action, transact } from '../table/transact.ts'
import { isPublic, publicView, shardOf } from './public.ts'
import type { StoredWine, Wine } from './record.ts'

/** One wine as it was (null: it is new) and as it shall be; `stock` null ends counting, undefined leaves it alone. */
export type WineWrite = { before: StoredWine | null; after: StoredWine; stock?: number | null | undefined }

/** The catalogue versions a write builds on: the merchant's, and that of its public partition. */
export type Versions = { catalogue: number; shard: number }

/** What a transaction of DynamoDB holds. */
export const maxActions = 100

const changesPublic = ({ before, after }: WineWrite): boolean =>
  isPublic(after) || (before !== null && isPublic(before))

const changesSlug = ({ before, after }: WineWrite): boolean => before?.path_segment !== after.path_segment

const wineAction = (merchant: MerchantId, { before, after }: WineWrite, version: number): Action => ({
  name: `wine ${after.id}`,
  key: key('wine', { merchant, id: after.id }),
  when: before ? [equals('version', before.version)] : [absent],
  put: { doc: JSON.stringify(after), version: after.version, by: indexKey('wine', { version }) },
})

const slugActions = (merchant: MerchantId, write: WineWrite): Action[] => {
  if (!changesSlug(write)) return []
  const { before, after } = write
  const claim: Action = {
    name: `slug ${after.id}`,
    key: key('slug', { merchant, slug: after.path_segment }),
    when: [absent],
    put: { id: after.id },
  }
  if (!before) return [claim]
  return [
    claim,
    { name: `old slug ${after.id}`, key: key('slug', { merchant, slug: before.path_segment }), remove: true },
  ]
}

const publicSlugActions = ({ before, after }: WineWrite): Action[] => {
  const place = (wine: Wine) => key('publicSlug', { slug: wine.path_segment, id: wine.id })
  const had = before && isPublic(before) ? before : null
  const has = isPublic(after) ? after : null
  if (had?.path_segment === has?.path_segment) return []
  const gone: Action[] = had ? [{ name: `old public slug ${after.id}`, key: place(had), remove: true }] : []
  return has ? [...gone, { name: `public slug ${after.id}`, key: place(has), put: {} }] : gone
}

const publicActions = (write: WineWrite, version: number): Action[] => {
  const { before, after } = write
  const hash: Action = { name: `hash ${after.id}`, key: key('publicHash', { hash: after.hash }), put: { id: after.id } }
  const hashes = before ? [] : [hash]
  if (!changesPublic(write)) return hashes
  const by = indexKey('publicWine', { version })
  const { expertise } = after
  const put = isPublic(after) ? { by, doc: JSON.stringify(publicView(after)), expertise } : { by, removed: true }
  const shard = shardOf(after.id)
  const projection: Action = { name: `public wine ${after.id}`, key: key('publicWine', { shard, id: after.id }), put }
  return [...hashes, projection, ...publicSlugActions(write)]
}

const stockActions = (merchant: MerchantId, { after, stock }: WineWrite): Action[] => {
  if (stock === undefined) return []
  const place = key('stock', { merchant, type: 'wine', id: after.id })
  const name = `stock ${after.id}`
  return [stock === null ? { name, key: place, remove: true } : { name, key: place, put: { quantity: stock } }]
}

/** How many actions a write takes; two more are the versions'. */
export const actionCount = (write: WineWrite): number =>
  1 +
  slugActions(0 as MerchantId, write).length +
  publicActions(write, 0).length +
  stockActions(0 as MerchantId, write).length

const raise = (name: string, place: Action['key'], seen: number, by: number): Action => {
  const when: Clause[] = seen === 0 ? [{ anyOf: [absent, equals('version', 0)] }] : [equals('version', seen)]
  return { name, key: place, when, update: { set: { version: seen + by } } }
}

/**
 * Writes wines of one merchant in one transaction: records, slugs, public projections, stock, and both catalogue
 * versions, each wine under a version of its own; answers the versions
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
