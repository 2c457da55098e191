import { type MerchantId, partition } from '../../platform/table/keys.ts'
import { deleteItem, queryPages } from '../../platform/table/table.ts'

// Milliseconds after which the request that laid an order down is over, whatever it waited for.
const over = 60_000

/** Deletes the orders that requests laid down and then died: they hold names and addresses. */
export const clearAbandoned = async (merchant: MerchantId): Promise<void> => {
  const pk = partition('waitingOrder', { merchant })
  const before = Date.now() - over
  for await (const entries of queryPages({ pk, mayLag: true })) {
    const abandoned = entries.filter(({ item }) => item.until < before)
    await Promise.all(abandoned.map(({ sk }) => deleteItem({ pk, sk })))
  }
}
