import { listPublic } from '../../shared/catalogue/wines/public-lists.ts'
import { publicGetAll } from '../../shared/contract/routes/wine-lists.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(publicGetAll, async ({ body }) => listPublic(body))
