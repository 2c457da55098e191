import { publicGetFilters } from '../../shared/contract/wines.ts'
import { serve } from '../../shared/http/serve.ts'
import { publicFilters } from '../../shared/wines/lists.ts'

export const handler = serve(publicGetFilters, async ({ body }) => publicFilters(body.filter))
