import type { Profile } from '../../contract/records/merchant.ts'
import type { PaymentType, ProviderName, Role } from '../../contract/vocabulary.ts'

/**
 * A merchant with its profile and settings; `id` is the customers_id of all its records. Amounts are
 * strings with two decimals.
 */
export type Merchant = Partial<Profile> & {
  id: number
  name: string
  authid: string
  payment_types: PaymentType[]
  default_payment_type: PaymentType
  /** The provider of external payments; absent for the sandbox. */
  payment_provider?: ProviderName
  /** Gross value of goods from which the package is free; null for never. */
  freight_free_from: string | null
  /** Hosts that return_url and cancel_url may name; empty for any. */
  redirect_hosts: string[]
  /** Countries that it ships to; absent or empty for all. */
  ships_to?: string[]
  /** The time zone of its days; absent or null for that of its country. */
  timezone?: string | null
  /** The path of its logo. */
  image?: string | null
  crstamp: string
}

/** A live API token as the operator sees it. */
type LiveToken = Pick<CredentialItem, 'id' | 'number' | 'name' | 'role' | 'crstamp'>

/** A merchant with its live tokens, and how many were issued in all. */
export type MerchantItem = Merchant & { tokens: LiveToken[]; issued: number }

/** An API token of a merchant; the token itself is never stored. */
export type CredentialItem = {
  id: string
  customers_id: number
  authid: string
  /** Numbers the merchant's tokens from 1; it is the cruser_id of what the token's holder creates. */
  number: number
  name: string
  /** Absent for a shop. */
  role?: Exclude<Role, 'shop'>
  digest: string
  crstamp: string
  revoked?: string
}

/** A session that an API token opened; `expires` is unix seconds, and DynamoDB's TTL. */
export type SessionItem = { credential: string; customers_id: number; expires: number }
