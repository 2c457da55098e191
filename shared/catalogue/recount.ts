import { type AmountName, amountNames, limitOf, type reservedNames } from '../merchants/quotas.ts'
import { equals } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { countItems, getItems, queryPages, type ReadOptions, updateItem } from '../platform/table/table.ts'
import { unixSeconds } from '../values/time.ts'
import { type Amounts, amountsIn, amountsOf, grown } from './wines/amounts.ts'
import { wineOf } from './wines/stored.ts'

/** What is taken of a quota, null while that was never counted, and its limit. */
export type Use = { taken: number | null; limit: number }

const readAmounts = async (merchant: MerchantId, reading?: ReadOptions) => {
  const keys = [key('catalogue', { merchant }), ...amountNames.map(name => key('quota', { merchant, name }))] as const
  const [catalogue, ...quotas] = await getItems(keys, reading)
  const wines = amountsIn(catalogue)
  const uses = amountNames.map((name, n): [AmountName, Use] => {
    const taken = name === 'wines' || name === 'public_bytes' ? wines?.[name] : quotas[n]?.taken
    return [name, { taken: taken ?? null, limit: limitOf(name, quotas[n]) }]
  })
  return { uses: Object.fromEntries(uses) as Record<AmountName, Use>, version: catalogue?.version ?? 0 }
}

/** What a merchant takes of its quotas of amounts, as it was counted, with their limits. */
export const amountsTaken = async (merchant: MerchantId): Promise<Record<AmountName, Use>> =>
  (await readAmounts(merchant)).uses

const counts: Record<(typeof reservedNames)[number], (merchant: MerchantId) => Promise<number>> = {
  clients: merchant => countItems(partition('client', { merchant })),
  addresses: merchant => countItems(partition('address', { merchant })),
  // One that is ordered, or whose time is over, goes by itself.
  baskets: merchant =>
    countItems(partition('basket', { merchant }), [
      { attribute: 'ordered', is: 'absent' },
      { attribute: 'expires', is: '>', value: unixSeconds(Date.now()) },
    ]),
}

const sumOfWines = async (merchant: MerchantId): Promise<Amounts> => {
  let sum: Amounts = { wines: 0, public_bytes: 0 }
  for await (const page of queryPages({ pk: partition('wine', { merchant }) })) {
    for (const { item } of page) sum = grown(sum, amountsOf(wineOf(item)))
  }
  return sum
}

const countWines = async (merchant: MerchantId, tries = 5): Promise<void> => {
  const { version } = await readAmounts(merchant)
  const set = await sumOfWines(merchant)
  try {
    await updateItem(key('catalogue', { merchant }), { set }, [equals('version', version)])
  } catch (error) {
    // A wine was written meanwhile.
    if (!(error instanceof ConditionFailed) || tries === 1) throw error
    await countWines(merchant, tries - 1)
  }
}

/** Counting reads all records; below half of the limit it would tell nothing that matters. */
export const isNear = ({ taken, limit }: Use): boolean => taken === null || taken > limit / 2

/**
 * Counts anew what a merchant takes of its quotas, all of them or those that are due. Throws ConditionFailed when its
 * wines are changed all the time.
 */
export const recount = async (merchant: MerchantId, isDue: (use: Use) => boolean = () => true): Promise<void> => {
  const { uses } = await readAmounts(merchant)
  for (const name of amountNames) {
    if (name === 'wines' || name === 'public_bytes' || !isDue(uses[name])) continue
    const stored = await counts[name](merchant)
    // What others take meanwhile stays counted.
    await updateItem(key('quota', { merchant, name }), { add: { taken: stored - (uses[name].taken ?? 0) } })
  }
  if (isDue(uses.wines) || isDue(uses.public_bytes)) await countWines(merchant)
}

/**
 * Counts anew what a merchant takes of the quotas that are near their limits. The first look is eventually consistent, at
 * half the price; what it misses, the next run counts.
 */
export const recountNear = async (merchant: MerchantId): Promise<void> => {
  const { uses } = await readAmounts(merchant, { eventual: true })
  if (Object.values(uses).some(isNear)) await recount(merchant, isNear)
}
