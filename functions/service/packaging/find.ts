import { packagingFind } from '../../../shared/contract/packaging.ts'
import { serve } from '../../../shared/http/serve.ts'
import { findPackaging } from '../../../shared/orders/packaging.ts'

export const handler = serve(packagingFind, async ({ body, merchant, client }) => findPackaging(merchant, body, client))
