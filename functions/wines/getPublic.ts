import { findPublic } from '../../shared/catalogue/wines/public-store.ts'
import { publicGetPublic } from '../../shared/contract/routes/wines.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(publicGetPublic, async ({ body }) => findPublic(body))
