import { leavesRoom, limitOf, tooMany } from '../../merchants/quotas.ts'
import type { Clause } from '../../platform/table/expressions.ts'
import type { CatalogueItem, QuotaItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { isPublic, publicView, type StoredWine } from './stored.ts'

/** The use that wines make of their merchant's quotas: their number, and the bytes of their public records. */
export type Amounts = { wines: number; public_bytes: number }

const names = ['wines', 'public_bytes'] as const

/** A catalogue's use of its quotas; null if it was never counted: then no limit applies. */
export const amountsIn = (catalogue: CatalogueItem | undefined): Amounts | null => {
  const { version = 0, wines, public_bytes } = catalogue ?? {}
  if (wines !== undefined && public_bytes !== undefined) return { wines, public_bytes }
  return version === 0 ? { wines: 0, public_bytes: 0 } : null
}

export const limitKeys = (merchant: MerchantId) => names.map(name => key('quota', { merchant, name }))

/** The limits in the items of limitKeys. */
export const limitsIn = ([wines, bytes]: readonly (QuotaItem | undefined)[]): Amounts => ({
  wines: limitOf('wines', wines),
  public_bytes: limitOf('public_bytes', bytes),
})

/** The public record of a wine as it is stored. */
export const publicText = (wine: StoredWine): string => JSON.stringify(publicView(wine))

export const amountsOf = (wine: StoredWine | null): Amounts => ({
  wines: wine ? 1 : 0,
  public_bytes: wine && isPublic(wine) ? Buffer.byteLength(publicText(wine)) : 0,
})

/** The growth of the amounts by changes of wines; negative where they shrink. */
export const growthOf = (changes: readonly { before: StoredWine | null; after: StoredWine }[]): Amounts => {
  const growth = { wines: 0, public_bytes: 0 }
  for (const { before, after } of changes) {
    const [had, has] = [amountsOf(before), amountsOf(after)]
    for (const name of names) growth[name] += has[name] - had[name]
  }
  return growth
}

export const addAmounts = (amounts: Amounts, growth: Amounts): Amounts => ({
  wines: amounts.wines + growth.wines,
  public_bytes: amounts.public_bytes + growth.public_bytes,
})

/** Throws quota_exceeded if an amount would grow beyond its limit; an amount above its limit may stay, or shrink. */
export const checkGrowth = (amounts: Amounts, growth: Amounts, limits: Amounts): void => {
  for (const name of names) {
    if (growth[name] > 0 && amounts[name] + growth[name] > limits[name]) throw tooMany(name, limits[name])
  }
}

/** Conditions of a write that keep the amounts within their limits, whatever was written since they were read. */
export const roomFor = (growth: Amounts, limits: Amounts): Clause<CatalogueItem>[] =>
  names.filter(name => growth[name] > 0).map(name => leavesRoom(name, limits[name], growth[name]))
