import { customersAvailablePayments } from '../../../shared/contract/routes/customers.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { paymentTypesOf } from '../../../shared/merchants/settings.ts'

export const handler = serveMerchant(customersAvailablePayments, async ({ merchant }) => paymentTypesOf(merchant))
