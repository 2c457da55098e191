import { orderOf } from '../../shared/orders/record.ts'
import { equals } from '../../shared/platform/table/expressions.ts'
import { ConditionFailed } from '../../shared/platform/table/failures.ts'
import { indexKey, key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { queryPages, updateItem } from '../../shared/platform/table/table.ts'

/**
 * Adds orders that were placed before client accounts existed to the lists of their clients; returns the number. A
 * concurrent change of an order adds it as well.
 */
export const listOrdersOfClients = async (merchant: MerchantId): Promise<number> => {
  let listed = 0
  for await (const entries of queryPages({ pk: partition('order', { merchant }) })) {
    for (const { item, index } of entries) {
      const { id, client_id: client } = orderOf(item).header
      if (index !== undefined || client === null) continue
      const change = { set: {}, index: indexKey('order', { client, id }) }
      await updateItem(key('order', { merchant, id }), change, [equals('version', item.version)])
        .then(() => listed++)
        .catch(error => {
          if (!(error instanceof ConditionFailed)) throw error
        })
    }
  }
  return listed
}
