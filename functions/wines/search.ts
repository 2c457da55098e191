import { listPublic } from '../../shared/catalogue/wines/public-lists.ts'
import { publicSearch } from '../../shared/contract/wine-lists.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(publicSearch, async ({ body }) => listPublic(body))
