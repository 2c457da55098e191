import { orderOf } from '../../shared/orders/record.ts'
import { equals } from '../../shared/platform/table/expressions.ts'
import { ConditionFailed } from '../../shared/platform/table/failures.ts'
import { indexKey, key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { queryPages, updateItem } from '../../shared/platform/table/table.ts'

/**
 * Brings the orders that were placed before clients could see theirs into the lists of their clients; returns how many.
 * One that is changed meanwhile is written into its list by that change.
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
