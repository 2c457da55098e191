import { customersGetMy } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { readMerchant, shownMerchant } from '../../../shared/merchants/settings.ts'

export const handler = serveMerchant(customersGetMy, async ({ merchant }) =>
  shownMerchant(await readMerchant(merchant)),
)
