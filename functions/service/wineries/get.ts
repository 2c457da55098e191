import { findWinery } from '../../../shared/catalogue/wineries.ts'
import { wineriesGet } from '../../../shared/contract/wineries.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(wineriesGet, async ({ body, merchant }) => findWinery(merchant, body))
