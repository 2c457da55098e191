import type { Client } from '../clients/record.ts'
import type { Address } from '../contract/addresses.ts'
import { type BadField, Problem } from '../contract/errors.ts'
import type { NewOrder } from '../contract/orders.ts'
import type { Merchant } from '../merchants/records.ts'
import { type Key, key, type MerchantId } from '../table/keys.ts'
import { getItem, getItems } from '../table/table.ts'
import { wineOf } from '../wines/item.ts'
import type { Wine } from '../wines/record.ts'
import type { Numbers } from './numbers.ts'

/** Whom an order names, on one of its sides. */
export type Party = { type: 'client'; id: number; record: Client } | { type: 'address'; id: number; record: Address }

/** Everything an order refers to, as it is at this moment. */
export type References = {
  merchant: Merchant
  numbers: Numbers
  billing: Party
  /** null when the buyer collects the goods. */
  delivery: Party | null
  client: Client | null
  wines: Map<number, Wine>
}

type Wanted = { type: 'client' | 'address'; id: number }

const billingWanted = ({ billing_type, billing_id }: NewOrder): Wanted => ({ type: billing_type, id: billing_id })

/** Where the goods go: as said, else to the billing side, else nowhere (`none`). */
const deliveryWanted = (data: NewOrder): Wanted | null => {
  if (data.delivery_type === 'none') return null
  if (!data.delivery_id && !data.delivery_type) return billingWanted(data)
  return { type: data.delivery_type ?? 'client', id: data.delivery_id ?? data.billing_id }
}

const partyKey = (merchant: MerchantId, { type, id }: Wanted): Key =>
  type === 'client' ? key('client', { merchant, id }) : key('address', { merchant, id })

const missing = (path: string, type: string) => {
  const field: BadField = {
    path,
    rule: 'reference',
    expected: `the id of ${type === 'client' ? 'a client' : 'an address'}`,
  }
  return new Problem('reference_not_found', { details: `${path} names no ${type}`, fields: [field] })
}

const stripped = <T>(item: object): T => {
  const { pk, sk, by, ...record } = item as Record<string, unknown>
  return record as T
}

const partyOf = (wanted: Wanted, item: object | undefined, path: string): Party => {
  if (!item || (item as { deleted?: number }).deleted) throw missing(path, wanted.type)
  return { ...wanted, record: stripped(item) } as Party
}

const clientOf = async (merchant: MerchantId, billing: Party): Promise<Client | null> => {
  if (billing.type === 'client') return billing.record
  if (!billing.record.client_id) return null
  const item = await getItem(key('client', { merchant, id: billing.record.client_id }))
  return item ? stripped<Client>(item) : null
}

/** Reads what an order refers to, in one request. Throws reference_not_found. */
export const readReferences = async (merchant: MerchantId, data: NewOrder): Promise<References> => {
  const billingSide = billingWanted(data)
  const deliverySide = deliveryWanted(data)
  const ids = [...new Set(data.items.map(item => item.item_id))]
  const [settings, numbers, billingItem, deliveryItem, ...wines] = await getItems([
    key('merchant', { merchant }),
    key('numbers', { merchant }),
    partyKey(merchant, billingSide),
    partyKey(merchant, deliverySide ?? billingSide),
    ...ids.map(id => key('wine', { merchant, id })),
  ])
  const billing = partyOf(billingSide, billingItem, 'data.billing_id')
  return {
    merchant: settings as unknown as Merchant,
    numbers: numbers as unknown as Numbers,
    billing,
    delivery: deliverySide && partyOf(deliverySide, deliveryItem, 'data.delivery_id'),
    client: await clientOf(merchant, billing),
    wines: new Map(wines.flatMap(item => (item ? [wineOf(item)] : [])).map(wine => [wine.id, wine])),
  }
}
