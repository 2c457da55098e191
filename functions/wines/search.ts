import { listPublic } from '../../shared/catalogue/wines/public-lists.ts'
import { publicWinesSearch } from '../../shared/contract/routes/wine-lists.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(publicWinesSearch, async ({ body }) => listPublic(body))
