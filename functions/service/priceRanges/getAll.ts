import { listPriceRanges } from '../../../shared/catalogue/price-ranges.ts'
import { priceRangesGetAll } from '../../../shared/contract/routes/price-ranges.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(priceRangesGetAll, async ({ merchant, body }) => listPriceRanges(merchant, body))
