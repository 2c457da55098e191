import { docsAssets } from '../../shared/contract/reference.ts'
import { assetReply } from '../../shared/http/reference/assets.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(docsAssets, async ({ body, headers }) => assetReply(body, headers))
