import type { Order } from '../contract/records/order.ts'
import { retry } from '../platform/table/failures.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { transact } from '../platform/table/transact.ts'
import { unixSeconds } from '../values/time.ts'
import {
  checkOwnOrder,
  type OrderIdentifier,
  type OrderOwner,
  putOrder,
  readIdentified,
  readOrderVersion,
} from './store.ts'
import { orderView } from './view.ts'

/**
 * Sets the time at which an order was read; a signed-in client may do that for its own orders. Throws order_not_found.
 */
export const touchOrder = (merchant: MerchantId, identifier: OrderIdentifier, client?: OrderOwner): Promise<Order> =>
  retry(async () => {
    const { order, version } = await readIdentified(merchant, identifier, id => readOrderVersion(merchant, id))
    checkOwnOrder(order, client)
    const touched = { ...order, header: { ...order.header, touched: unixSeconds(Date.now()) } }
    await transact([putOrder(merchant, touched, version)])
    return orderView(touched, new Set())
  })
