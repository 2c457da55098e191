import { customersGetMy } from '../../../shared/contract/customers.ts'
import { serve } from '../../../shared/http/serve.ts'
import { showMerchant } from '../../../shared/merchants/show.ts'

export const handler = serve(customersGetMy, async ({ merchant }) => showMerchant(merchant))
