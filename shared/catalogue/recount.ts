import { type AmountName, amountNames, limitOf } from '../merchants/quotas.ts'
import type { reservedNames } from '../merchants/reservations.ts'
import { equals } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { countItems, getItems, queryPages, type ReadOptions, updateItem } from '../platform/table/table.ts'
import { unixSeconds } from '../values/time.ts'
import { type Amounts, addAmounts, amountsIn, amountsOf } from './wines/quota-use.ts'
import { wineOf } from './wines/stored.ts'

/** The use of a quota (null: never counted) and its limit. */
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

/** The counted use of a merchant's quotas of amounts, with their limits. */
export const amountsTaken = async (merchant: MerchantId): Promise<Record<AmountName, Use>> =>
  (await readAmounts(merchant)).uses

const counts: Record<(typeof reservedNames)[number], (merchant: MerchantId) => Promise<number>> = {
  clients: merchant => countItems(partition('client', { merchant })),
  addresses: merchant => countItems(partition('address', { merchant })),
  // Ordered and expired baskets are removed by themselves.
  baskets: merchant =>
    countItems(partition('basket', { merchant }), [
      { attribute: 'ordered', is: 'absent' },
      { attribute: 'expires', is: '>', value: unixSeconds(Date.now()) },
    ]),
}

const sumOfWines = async (merchant: MerchantId): Promise<Amounts> => {
  let sum: Amounts = { wines: 0, public_bytes: 0 }
  for await (const page of queryPages({ pk: partition('wine', { merchant }) })) {
    for (const { item } of page) sum = addAmounts(sum, amountsOf(wineOf(item)))
  }
  return sum
}

const countWines = async (merchant: MerchantId, tries = 5): Promise<void> => {
  const { version } = await readAmounts(merchant)
  const set = await sumOfWines(merchant)
  try {
    await updateItem(key('catalogue', { merchant }), { set }, [equals('version', version)])
  } catch (error) {
    // A wine was written since.
    if (!(error instanceof ConditionFailed) || tries === 1) throw error
    await countWines(merchant, tries - 1)
  }
}

/** True if a recount is worthwhile: it reads all records, and below half of the limit its result would not matter. */
export const isNear = ({ taken, limit }: Use): boolean => taken === null || taken > limit / 2

/** Recounts a merchant's use of its quotas, of all or of those due. Throws ConditionFailed if its wines change all the time. */
export const recount = async (merchant: MerchantId, isDue: (use: Use) => boolean = () => true): Promise<void> => {
  const { uses } = await readAmounts(merchant)
  for (const name of amountNames) {
    if (name === 'wines' || name === 'public_bytes' || !isDue(uses[name])) continue
    const stored = await counts[name](merchant)
    // An addition, so that concurrent changes stay counted.
    await updateItem(key('quota', { merchant, name }), { add: { taken: stored - (uses[name].taken ?? 0) } })
  }
  if (isDue(uses.wines) || isDue(uses.public_bytes)) await countWines(merchant)
}

/** Recounts the quotas near their limits. The first look is eventually consistent, at half the price: the next run has the rest. */
export const recountNear = async (merchant: MerchantId): Promise<void> => {
  const { uses } = await readAmounts(merchant, { eventual: true })
  if (Object.values(uses).some(isNear)) await recount(merchant, isNear)
}
