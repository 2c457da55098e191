import { newAddress } from '../../addresses/store.ts'
import { newClient } from '../../clients/new-client.ts'
import type { InlineAddress, NewOrder } from '../../contract/orders.ts'
import { timeOrderedId } from '../../ids.ts'
import { type Key, key, type MerchantId } from '../../table/keys.ts'
import type { Party } from './party.ts'

/** A record that an order brings along; it is written in the order's own transaction. */
export type NewRecord = { key: Key; item: Record<string, unknown> }

type InlineParty = { party: Party; record: NewRecord }

const inlineClient = (merchant: MerchantId, { name, ...inline }: InlineAddress): InlineParty => {
  const id = timeOrderedId()
  const record = newClient(merchant, id, { ...inline, last_name: inline.last_name ?? name })
  return { party: { type: 'client', id, record }, record: { key: key('client', { merchant, id }), item: record } }
}

const inlineAddress = (
  merchant: MerchantId,
  userId: number,
  inline: InlineAddress,
  kind: { type: 'invoice' | 'shipping'; client_id: number | null },
): InlineParty => {
  const { address, by } = newAddress(merchant, userId, { ...inline, ...kind })
  const record = { key: key('address', { merchant, id: address.id }), item: { ...address, by } }
  return { party: { type: 'address', id: address.id, record: address }, record }
}

const billingOf = (
  merchant: MerchantId,
  userId: number,
  { billing, billing_id, billing_type, client_id }: NewOrder,
): InlineParty | null => {
  if (!billing || billing_id) return null
  // A known client, or the word `address`, means another address; nothing means a new client.
  const isAddress = client_id || billing_type === 'address'
  return isAddress
    ? inlineAddress(merchant, userId, billing, { type: 'invoice', client_id: client_id ?? null })
    : inlineClient(merchant, billing)
}

/** The records that inline addresses of an order become. */
export const inlineParties = (merchant: MerchantId, userId: number, data: NewOrder) => {
  const billing = billingOf(merchant, userId, data)
  const own = billing?.party.type === 'client' ? billing.party.id : (data.client_id ?? null)
  const client_id = own ?? (data.billing_id && data.billing_type !== 'address' ? data.billing_id : null)
  const isDelivered = data.delivery && !data.delivery_id && data.delivery_type !== 'none'
  const delivery =
    isDelivered && data.delivery
      ? inlineAddress(merchant, userId, data.delivery, { type: 'shipping', client_id })
      : null
  return {
    billing: billing?.party ?? null,
    delivery: delivery?.party ?? null,
    items: [billing, delivery].flatMap(one => (one ? [one.record] : [])),
  }
}
