import { getStocks } from '../../../shared/catalogue/stock.ts'
import { stocksGet } from '../../../shared/contract/routes/stocks.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(stocksGet, async ({ merchant, body }) => getStocks(merchant, body))
