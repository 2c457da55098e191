import { packagesEdit } from '../../../shared/contract/routes/packaging.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { editPackage } from '../../../shared/orders/shipping/packages.ts'

export const handler = serveMerchant(packagesEdit, async ({ merchant, body }) =>
  editPackage(merchant, body.id, body.data),
)
