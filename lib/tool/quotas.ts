import { amountsTaken, recount } from '../../shared/catalogue/recount.ts'
import {
  amountNames,
  defaults,
  type ListedName,
  limitOf,
  listedNames,
  type QuotaName,
  things,
} from '../../shared/merchants/quotas.ts'
import { ConditionFailed } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { countItems, getItem, updateItem } from '../../shared/platform/table/table.ts'
import { Refused } from './merchants.ts'

const rateNames = ['sessions', 'requests', 'uploads'] as const satisfies QuotaName[]

/** All quotas, in display order. */
export const quotaNames: readonly QuotaName[] = [...amountNames, ...listedNames, ...rateNames]

/** New limits; null means the default. */
export type Limits = Partial<Record<QuotaName, number | null>>

/** Reads a limit: a whole number, or `default`. Throws Refused. */
export const readLimit = (text: string): number | null => {
  if (text === 'default') return null
  const limit = Number(text)
  if (/^\d{1,15}$/.test(text) && limit > 0) return limit
  throw new Refused('a quota must be a whole number of 1 or more, or default')
}

const isRate = (name: QuotaName): name is (typeof rateNames)[number] => rateNames.some(one => one === name)

const keyOf = (merchant: MerchantId, name: QuotaName) =>
  isRate(name) ? key('rate', { owner: merchant, name }) : key('quota', { merchant, name })

/** Sets limits of a merchant; function instances apply them within a minute. */
export const changeLimits = async (merchant: MerchantId, limits: Limits): Promise<void> => {
  for (const name of quotaNames) {
    const limit = limits[name]
    if (limit === undefined) continue
    await updateItem<{ limit?: number }>(
      keyOf(merchant, name),
      limit === null ? { remove: ['limit'] } : { set: { limit } },
    )
  }
}

const lineOf = (name: QuotaName, limit: number, taken?: number | null): string => {
  const count = taken === undefined || taken === null ? '' : `${taken} of `
  return `  ${things[name].padEnd(22)}${count}${limit}${limit === defaults[name] ? '' : '  (set by the operator)'}`
}

const kinds = { products: 'product', categories: 'category', price_ranges: 'priceRange' } as const

const listedLine = async (merchant: MerchantId, name: ListedName): Promise<string> => {
  const limit = limitOf(name, await getItem(key('quota', { merchant, name })))
  return lineOf(name, limit, await countItems(partition(kinds[name], { merchant })))
}

const note = '  its wines are being written at this moment: they are as they were counted with each, not recounted'

/** A merchant's quotas with their recounted usage, as lines of text. */
export const quotaLines = async (merchant: MerchantId): Promise<string[]> => {
  const notes: string[] = []
  await recount(merchant).catch(error => {
    if (!(error instanceof ConditionFailed)) throw error
    notes.push(note)
  })
  const taken = await amountsTaken(merchant)
  const rates = await Promise.all(
    rateNames.map(async name =>
      lineOf(name, (await getItem(key('rate', { owner: merchant, name })))?.limit ?? defaults[name]),
    ),
  )
  const listed = await Promise.all(listedNames.map(name => listedLine(merchant, name)))
  return [...notes, ...amountNames.map(name => lineOf(name, taken[name].limit, taken[name].taken)), ...listed, ...rates]
}
