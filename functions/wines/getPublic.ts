import { publicGetPublic } from '../../shared/contract/wines.ts'
import { serve } from '../../shared/http/serve.ts'
import { findPublic } from '../../shared/wines/public-store.ts'

export const handler = serve(publicGetPublic, async ({ body }) => findPublic(body))
