import type { Merchant } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'

/** A merchant with its settings. */
export const readMerchant = async (merchant: MerchantId): Promise<Merchant> => {
  const found = await getItem(key('merchant', { merchant }))
  if (!found) throw new Error(`there is no merchant ${merchant}, though records of it are`)
  return found
}
