import { publicSearch } from '../../shared/contract/wines.ts'
import { serve } from '../../shared/http/serve.ts'
import { listPublic } from '../../shared/wines/lists.ts'

export const handler = serve(publicSearch, async ({ body }) => listPublic(body))
