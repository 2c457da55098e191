import { customersGetMy } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { readNumbered } from '../../../shared/orders/numbering/change.ts'

export const handler = serveMerchant(customersGetMy, ({ merchant }) => readNumbered(merchant))
