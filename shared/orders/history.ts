import type { OrderStep } from '../contract/records/order.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import type { OrderRecord } from './record.ts'
import { type OrderIdentifier, readIdentified, readOrderVersion } from './store.ts'

const unknown = { status: null, documents: null, payment: null, remark: null }

/** The steps of an order, oldest first. Throws order_not_found, missing_identifier or identifier_conflict. */
export const orderHistory = async (merchant: MerchantId, identifier: OrderIdentifier): Promise<OrderStep[]> => {
  const { order } = await readIdentified(merchant, identifier, id => readOrderVersion(merchant, id))
  return order.history.map(step => ({ ...unknown, ...step }))
}

/** The time at which the goods were sent; null before that. */
export const sentAt = ({ history }: Pick<OrderRecord, 'history'>): string | null =>
  history.find(({ event }) => event === 'ship')?.at ?? null
