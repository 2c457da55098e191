import type { Merchant } from '../merchants/records.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { getItem } from '../table/table.ts'
import type { Provider } from './provider.ts'
import { providerOf } from './providers.ts'

/** A merchant's settings. */
export const settingsOf = async (merchant: MerchantId): Promise<Merchant> => {
  const settings = await getItem<Merchant>(key('merchant', { merchant }))
  if (!settings) throw new Error('the merchant of a payment is gone')
  return settings
}

/** The provider that a merchant is set to. */
export const providerFor = async (merchant: MerchantId): Promise<Provider> => providerOf(await settingsOf(merchant))
