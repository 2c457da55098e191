import { absent, equals, hasVersion } from '../../platform/table/expressions.ts'
import type { CatalogueItem } from '../../platform/table/items.ts'
import { indexKey, key, type MerchantId, merchantIdOf } from '../../platform/table/keys.ts'
import { type Action, put, remove, transact, update } from '../../platform/table/transact.ts'
import { type Amounts, amountsIn, checkGrowth, grown, growthOf, roomFor } from './amounts.ts'
import type { StoredWine } from './stored.ts'

/** One wine as it was (null: it is new) and as it shall be; `stock` null ends counting, undefined leaves it alone. */
export type WineWrite = { before: StoredWine | null; after: StoredWine; stock?: number | null | undefined }

/**
 * The version of the catalogue that a write builds on, and what the catalogue takes of its quotas (null while that was
 * never counted). Without limits nothing is refused.
 */
export type Versions = { catalogue: number; amounts: Amounts | null; limits?: Amounts }

/** The version in the item of a catalogue. */
export const versionsIn = (catalogue: CatalogueItem | undefined): Versions => ({
  catalogue: catalogue?.version ?? 0,
  amounts: amountsIn(catalogue),
})

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

/** By its id alone nobody would know whose a wine is. */
const ownerActions = ({ before, after: { id, customers_id } }: WineWrite): Action[] =>
  before ? [] : [put(`owner ${id}`, key('wineOwner', { id }), { customers_id })]

const stockActions = (merchant: MerchantId, { after, stock }: WineWrite): Action[] => {
  if (stock === undefined) return []
  const place = key('stock', { merchant, type: 'wine', id: after.id })
  const name = `stock ${after.id}`
  return [stock === null ? remove(name, place) : put(name, place, { quantity: stock })]
}

const actionsOf = (merchant: MerchantId, write: WineWrite, version: number): Action[] => [
  wineAction(merchant, write, version),
  ...slugActions(merchant, write),
  ...ownerActions(write),
  ...stockActions(merchant, write),
]

/** How many actions a write takes; one more is the catalogue's. */
export const actionCount = (write: WineWrite): number =>
  actionsOf(merchantIdOf(write.after.customers_id), write, 0).length

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
      hasVersion(catalogue),
      ...(amounts && limits ? roomFor(growth, limits) : []),
      // Whoever counts it meanwhile must not miss this.
      ...(amounts ? [] : [{ attribute: 'wines', is: 'absent' } as const]),
    ],
  )

/**
 * Writes wines of one merchant in one transaction: records, slugs, stock and the catalogue's version, each wine under a
 * version of its own; what they take of the merchant's quotas is counted along. What everybody sees of them follows from
 * the table's stream (publishing/). Returns the versions after it. Throws quota_exceeded, or TransactionRefused; its
 * reasons `catalogue` and `wine …` mean that somebody else was first, `slug …` that the path_segment is taken.
 */
export const writeWines = async (
  merchant: MerchantId,
  writes: readonly WineWrite[],
  seen: Versions,
): Promise<Versions> => {
  const growth = growthOf(writes)
  if (seen.amounts && seen.limits) checkGrowth(seen.amounts, growth, seen.limits)
  const actions = writes.flatMap((write, n) => actionsOf(merchant, write, seen.catalogue + n + 1))
  await transact([raiseCatalogue(merchant, seen, writes.length, growth), ...actions])
  return {
    ...seen,
    catalogue: seen.catalogue + writes.length,
    amounts: seen.amounts && grown(seen.amounts, growth),
  }
}
