import { publicFilters } from '../../shared/catalogue/wines/public-lists.ts'
import { publicGetFilters } from '../../shared/contract/routes/wine-lists.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(publicGetFilters, async ({ body }) => publicFilters(body.filter))
