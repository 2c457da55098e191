import type { Wine } from '../contract/records/wine.ts'
import type { Clause } from '../table/expressions.ts'
import { absent, equals } from '../table/expressions.ts'
import type { CatalogueItem, VersionItem } from '../table/items.ts'
import { indexKey, key, type MerchantId, merchantIdOf } from '../table/keys.ts'
import { type Action, put, remove, transact, update } from '../table/transact.ts'
import { type Amounts, amountsIn, checkGrowth, grown, growthOf, publicText, roomFor } from './amounts.ts'
import { isPublic, shardOf } from './public.ts'
import type { StoredWine } from './stored.ts'

/** One wine as it was (null: it is new) and as it shall be; `stock` null ends counting, undefined leaves it alone. */
export type WineWrite = { before: StoredWine | null; after: StoredWine; stock?: number | null | undefined }

/**
 * The catalogue versions a write builds on, the merchant's and that of its public partition, and what the catalogue
 * takes of its quotas (null while that was never counted). Without limits nothing is refused.
 */
export type Versions = { catalogue: number; shard: number; amounts: Amounts | null; limits?: Amounts }

/** The versions in the items of a catalogue and its public partition. */
export const versionsIn = (catalogue: CatalogueItem | undefined, shard: VersionItem | undefined): Versions => ({
  catalogue: catalogue?.version ?? 0,
  shard: shard?.version ?? 0,
  amounts: amountsIn(catalogue),
})

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
  const { id, hash, version: own, expertise } = after
  const hashes = before ? [] : [put(`hash ${id}`, key('publicHash', { hash }), { id })]
  if (!changesPublic(write)) return hashes
  const shown = isPublic(after)
    ? { doc: publicText(after), version: own, ...(expertise && { expertise }) }
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

const isStill = (seen: number): Clause<VersionItem> =>
  seen === 0 ? { anyOf: [absent, equals('version', 0)] } : equals('version', seen)

const raiseCatalogue = (
  merchant: MerchantId,
  { catalogue, amounts, limits }: Versions,
  count: number,
  growth: Amounts,
): Action =>
  update(
    'catalogue',
    key('catalogue', { merchant }),
    { set: { version: catalogue + count }, ...(amounts && { add: growth }) },
    [
      isStill(catalogue),
      ...(amounts && limits ? roomFor(growth, limits) : []),
      // Whoever counts it meanwhile must not miss this.
      ...(amounts ? [] : [{ attribute: 'wines', is: 'absent' } as const]),
    ],
  )

/**
 * Writes wines of one merchant in one transaction: records, slugs, public projections, stock, and both catalogue
 * versions, each wine under a version of its own; what they take of the merchant's quotas is counted along. Returns the
 * versions after it. Throws quota_exceeded, or TransactionRefused; its reasons `catalogue`, `shard` and
 * `wine …` mean that somebody else was first, `slug …` that the path_segment is taken.
 */
export const writeWines = async (
  merchant: MerchantId,
  writes: readonly WineWrite[],
  seen: Versions,
): Promise<Versions> => {
  const growth = growthOf(writes)
  if (seen.amounts && seen.limits) checkGrowth(seen.amounts, growth, seen.limits)
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
  const versions = [raiseCatalogue(merchant, seen, writes.length, growth)]
  if (shardVersion > seen.shard) {
    const place = key('publicVersion', { shard: shardOf(merchant) })
    versions.push(update('shard', place, { set: { version: shardVersion } }, [isStill(seen.shard)]))
  }
  await transact([...versions, ...actions])
  return {
    ...seen,
    catalogue: seen.catalogue + writes.length,
    shard: shardVersion,
    amounts: seen.amounts && grown(seen.amounts, growth),
  }
}
