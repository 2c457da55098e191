import type { PaymentType } from '../orders/states.ts'
import type { ProviderName } from '../payments/provider.ts'

/** A merchant and its settings; `id` is the customers_id of all its records. Amounts are strings with two decimals. */
export type Merchant = {
  id: number
  name: string
  authid: string
  payment_types: PaymentType[]
  default_payment_type: PaymentType
  /** Who takes external payments; the sandbox when it is not said. */
  payment_provider?: ProviderName
  /** Gross value of goods from which the package is free; null for never. */
  freight_free_from: string | null
  /** Hosts that return_url and cancel_url may name; empty for any. */
  redirect_hosts: string[]
  crstamp: string
}

/** One API token of a merchant; the token itself is never stored. */
export type Credential = {
  id: string
  customers_id: number
  authid: string
  /** Numbers the merchant's tokens from 1; it is the cruser_id of what the token's holder creates. */
  number: number
  name: string
  digest: string
  crstamp: string
  revoked?: string
}

/** A session that an API token opened; `expires` is unix seconds, and DynamoDB's TTL. */
export type Session = { credential: string; customers_id: number; expires: number }
