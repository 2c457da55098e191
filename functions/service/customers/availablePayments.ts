import { customersAvailablePayments } from '../../../shared/contract/customers.ts'
import { serve } from '../../../shared/http/serve.ts'
import { paymentTypesOf } from '../../../shared/merchants/show.ts'

export const handler = serve(customersAvailablePayments, async ({ merchant }) => paymentTypesOf(merchant))
