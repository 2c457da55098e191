import { leavesRoom, limitOf, tooMany } from '../../merchants/quotas.ts'
import type { Clause } from '../../platform/table/expressions.ts'
import type { CatalogueItem, QuotaItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { isPublic, publicView, type StoredWine } from './stored.ts'

/** What wines take of their merchant's quotas: their number, and the bytes that everybody may see of them. */
export type Amounts = { wines: number; public_bytes: number }

const names = ['wines', 'public_bytes'] as const

/** What a catalogue takes; null for one from before its wines were counted, which nothing limits until they are. */
export const amountsIn = (catalogue: CatalogueItem | undefined): Amounts | null => {
  const { version = 0, wines, public_bytes } = catalogue ?? {}
  if (wines !== undefined && public_bytes !== undefined) return { wines, public_bytes }
  return version === 0 ? { wines: 0, public_bytes: 0 } : null
}

/** The keys of the items that hold the limits of a catalogue. */
export const limitKeys = (merchant: MerchantId) => names.map(name => key('quota', { merchant, name }))

/** The limits in the items read by limitKeys. */
export const limitsIn = ([wines, bytes]: readonly (QuotaItem | undefined)[]): Amounts => ({
  wines: limitOf('wines', wines),
  public_bytes: limitOf('public_bytes', bytes),
})

/** What everybody may see of a wine, as it is kept. */
export const publicText = (wine: StoredWine): string => JSON.stringify(publicView(wine))

/** What one wine takes. */
export const amountsOf = (wine: StoredWine | null): Amounts => ({
  wines: wine ? 1 : 0,
  public_bytes: wine && isPublic(wine) ? Buffer.byteLength(publicText(wine)) : 0,
})

/** What changes of wines add to the amounts; negative where they take away. */
export const growthOf = (changes: readonly { before: StoredWine | null; after: StoredWine }[]): Amounts => {
  const growth = { wines: 0, public_bytes: 0 }
  for (const { before, after } of changes) {
    const [had, has] = [amountsOf(before), amountsOf(after)]
    for (const name of names) growth[name] += has[name] - had[name]
  }
  return growth
}

/** Amounts after a growth. */
export const grown = (amounts: Amounts, growth: Amounts): Amounts => ({
  wines: amounts.wines + growth.wines,
  public_bytes: amounts.public_bytes + growth.public_bytes,
})

/** Throws quota_exceeded when something would grow beyond its limit; what is too much already may stay, or shrink. */
export const checkGrowth = (amounts: Amounts, growth: Amounts, limits: Amounts): void => {
  for (const name of names) {
    if (growth[name] > 0 && amounts[name] + growth[name] > limits[name]) throw tooMany(name, limits[name])
  }
}

/** Hold while the catalogue has room for a growth, whoever else wrote since its amounts were read. */
export const roomFor = (growth: Amounts, limits: Amounts): Clause<CatalogueItem>[] =>
  names.filter(name => growth[name] > 0).map(name => leavesRoom(name, limits[name], growth[name]))
