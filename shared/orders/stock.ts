import type { CountedStock } from '../catalogue/goods.ts'
import { present } from '../platform/table/expressions.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { type Action, update } from '../platform/table/transact.ts'

const actionName = ({ type, id }: CountedStock): string => `stock ${type}#${id}`

/** Takes counted stock for a sale: refused when it is not counted any more, or less is left. */
export const takeStock = (merchant: MerchantId, counted: CountedStock): Action => {
  const { type, id, quantity } = counted
  return update(actionName(counted), key('stock', { merchant, type, id }), { add: { quantity: -quantity } }, [
    { attribute: 'quantity', is: '>=', value: quantity },
  ])
}

/** Gives the stock of a sale back: refused when it is not counted any more. */
export const returnStock = (merchant: MerchantId, counted: CountedStock): Action => {
  const { type, id, quantity } = counted
  return update(actionName(counted), key('stock', { merchant, type, id }), { add: { quantity } }, [present])
}
