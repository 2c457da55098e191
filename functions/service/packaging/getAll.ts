import { packagingGetAll } from '../../../shared/contract/packaging.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listPackages } from '../../../shared/packaging/find.ts'

export const handler = serve(packagingGetAll, async ({ merchant }) => listPackages(merchant))
