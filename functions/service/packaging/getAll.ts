import { packagingGetAll } from '../../../shared/contract/packaging.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listPackages } from '../../../shared/orders/packaging.ts'

export const handler = serve(packagingGetAll, async ({ merchant }) => listPackages(merchant))
