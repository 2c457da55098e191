import { Problem } from '../../contract/errors.ts'
import { absent, equals, hasVersion } from '../../platform/table/expressions.ts'
import { retry } from '../../platform/table/failures.ts'
import type { CatalogueItem } from '../../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import { type Action, put, remove, transact, update } from '../../platform/table/transact.ts'
import { stockAction } from '../stock.ts'
import { type Amounts, addAmounts, amountsIn, checkGrowth, growthOf, roomFor } from './quota-use.ts'
import { type StoredWine, wineOf } from './stored.ts'

/**
 * A wine before (null: it is new) and after a change; `stock` null ends counting, undefined leaves it alone. `facts` are
 * the actions that write its facts and its label.
 */
export type WineWrite = {
  before: StoredWine | null
  after: StoredWine
  stock?: number | null | undefined
  facts?: readonly Action[]
}

/**
 * The catalogue's version that a write builds on, and the catalogue's use of its quotas (null: never counted). Without
 * limits nothing is refused.
 */
export type Versions = { catalogue: number; amounts: Amounts | null; limits?: Amounts }

export const versionsIn = (catalogue: CatalogueItem | undefined): Versions => ({
  catalogue: catalogue?.version ?? 0,
  amounts: amountsIn(catalogue),
})

const wineAction = (merchant: MerchantId, { before, after }: WineWrite, version: number): Action =>
  put(
    `wine ${after.id}`,
    key('wine', { merchant, id: after.id }),
    { doc: JSON.stringify(after), version: after.version },
    { when: before ? [equals('version', before.version)] : [absent], index: indexKey('wine', { version }) },
  )

/**
 * Claims new path_segments and gives up former path_segments; a segment that passes from wine to wine changes its
 * owner.
 */
const slugActions = (merchant: MerchantId, writes: readonly WineWrite[]): Action[] => {
  const moved = writes.filter(({ before, after }) => before?.path_segment !== after.path_segment)
  const owners = new Map(moved.flatMap(({ before }) => (before ? [[before.path_segment, before.id] as const] : [])))
  const claims = moved.map(({ after: { id, path_segment: slug } }) => {
    const owner = owners.get(slug)
    owners.delete(slug)
    const when = [owner === undefined ? absent : equals('id', owner)]
    return put(`slug ${id}`, key('slug', { merchant, slug }), { id }, { when })
  })
  const freed = [...owners].map(([slug, id]) => remove(`old slug ${id}`, key('slug', { merchant, slug })))
  return [...claims, ...freed]
}

/** The pointer from a wine's id to its merchant. */
const ownerActions = ({ before, after: { id, customers_id } }: WineWrite): Action[] =>
  before ? [] : [put(`owner ${id}`, key('wineOwner', { id }), { customers_id })]

const stockActions = (merchant: MerchantId, { after, stock }: WineWrite): Action[] =>
  stock === undefined ? [] : [stockAction(merchant, 'wine', after.id, stock)]

/** The actions of writes besides those of the wines. */
const otherActions = (merchant: MerchantId, writes: readonly WineWrite[]): Action[] => [
  ...slugActions(merchant, writes),
  ...writes.flatMap(write => [...ownerActions(write), ...stockActions(merchant, write), ...(write.facts ?? [])]),
]

/** The number of actions of writes, without the action of the catalogue. */
export const actionCount = (merchant: MerchantId, writes: readonly WineWrite[]): number =>
  writes.length + otherActions(merchant, writes).length

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
      // A recount that ends meanwhile would miss this write.
      ...(amounts ? [] : [{ attribute: 'wines', is: 'absent' } as const]),
    ],
  )

/**
 * Writes wines of a merchant in one transaction: records, slugs, stock, facts, the catalogue's version and its use of quotas.
 * Each wine gets a version of its own. `also` are further actions of the transaction. Public records follow from the table's stream (publishing/). Returns the versions
 * after the write. Throws quota_exceeded, or TransactionRefused: its reasons `catalogue` and `wine …` mean that another
 * write was first, `slug …` that the path_segment is taken.
 */
export const writeWines = async (
  merchant: MerchantId,
  writes: readonly WineWrite[],
  seen: Versions,
  also: readonly Action[] = [],
): Promise<Versions> => {
  const growth = growthOf(writes)
  if (seen.amounts && seen.limits) checkGrowth(seen.amounts, growth, seen.limits)
  await transact([
    raiseCatalogue(merchant, seen, writes.length, growth),
    ...writes.map((write, n) => wineAction(merchant, write, seen.catalogue + n + 1)),
    ...otherActions(merchant, writes),
    ...also,
  ])
  return {
    ...seen,
    catalogue: seen.catalogue + writes.length,
    amounts: seen.amounts && addAmounts(seen.amounts, growth),
  }
}

/** The number of tries of a write that concurrent writes of its catalogue get in the way of. */
export const maxTries = 40

/**
 * Changes a stored wine; `change` returns the write, or null to leave the wine, and is called again when another write was
 * first. The version is raised here. `also` are actions of the same transaction, none without such a change. Throws
 * wine_not_found, and TransactionRefused if an action of `also` fails.
 */
export const changeWine = (
  merchant: MerchantId,
  id: number,
  change: (wine: StoredWine) => Promise<Omit<WineWrite, 'before'> | null>,
  also: readonly Action[] = [],
): Promise<StoredWine> =>
  retry(
    async () => {
      const [catalogue, item] = await getItems([key('catalogue', { merchant }), key('wine', { merchant, id })])
      if (!item) throw new Problem('wine_not_found')
      const before = wineOf(item)
      const changed = await change(before)
      if (!changed) {
        if (also.length > 0) await transact(also)
        return before
      }
      const after = { ...changed.after, version: before.version + 1 }
      await writeWines(merchant, [{ ...changed, before, after }], versionsIn(catalogue), also)
      return after
    },
    error => !also.some(({ name }) => error.hasFailed(name)),
    maxTries,
  )
