import { packagingGetAll } from '../../../shared/contract/routes/packaging.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { listPackages } from '../../../shared/orders/shipping/quote.ts'

export const handler = serveMerchant(packagingGetAll, async ({ merchant }) => listPackages(merchant))
