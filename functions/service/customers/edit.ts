import { customersEdit } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { changeMerchant } from '../../../shared/merchants/edit.ts'
import { shownMerchant } from '../../../shared/merchants/settings.ts'

export const handler = serveMerchant(customersEdit, async ({ merchant, body }) =>
  shownMerchant(await changeMerchant(merchant, body.data)),
)
