import { docsAssets } from '../../shared/contract/routes/reference.ts'
import { serve } from '../../shared/http/serve.ts'
import { assetReply } from '../../shared/reference/assets.ts'

export const handler = serve(docsAssets, async ({ body, headers }) => assetReply(body, headers))
