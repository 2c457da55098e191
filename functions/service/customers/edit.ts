import { customersEdit } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { ownMerchant } from '../../../shared/merchants/incomplete.ts'
import { changeNumbered } from '../../../shared/orders/numbering/change.ts'

export const handler = serveMerchant(customersEdit, async ({ merchant, body, session }) =>
  ownMerchant(await changeNumbered(merchant, body.data), session.role),
)
