import { packagesDelete } from '../../../shared/contract/routes/packaging.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { deletePackage } from '../../../shared/orders/shipping/packages.ts'

export const handler = serveMerchant(packagesDelete, async ({ merchant, body }) => deletePackage(merchant, body.id))
