import { changeStock } from '../../../shared/catalogue/stock.ts'
import { stocksAdd } from '../../../shared/contract/routes/stocks.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(stocksAdd, async ({ merchant, body, headers, setHeader }) => {
  const idempotencyKey = idempotencyKeyOf(headers, 'stocks/add')
  const { replayed, ...stock } = await changeStock(merchant, { change: body, idempotencyKey })
  if (replayed) setHeader('idempotency-replayed', 'true')
  return stock
})
