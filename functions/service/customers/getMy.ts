import { customersGetMy } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { ownMerchant } from '../../../shared/merchants/incomplete.ts'
import { readNumbered } from '../../../shared/orders/numbering/change.ts'

export const handler = serveMerchant(customersGetMy, async ({ merchant, session }) =>
  ownMerchant(await readNumbered(merchant), session.role),
)
