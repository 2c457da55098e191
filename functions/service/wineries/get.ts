import { wineriesGet } from '../../../shared/contract/wineries.ts'
import { serve } from '../../../shared/http/serve.ts'
import { findWinery } from '../../../shared/wineries/store.ts'

export const handler = serve(wineriesGet, async ({ body, merchant }) => findWinery(merchant, body))
