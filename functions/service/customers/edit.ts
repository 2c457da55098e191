import { customersEdit } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { changeNumbered } from '../../../shared/orders/numbering/change.ts'

export const handler = serveMerchant(customersEdit, ({ merchant, body }) => changeNumbered(merchant, body.data))
