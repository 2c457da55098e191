import { wineriesGetAll } from '../../../shared/contract/wineries.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listWineries } from '../../../shared/wineries/store.ts'

export const handler = serve(wineriesGetAll, async ({ body, merchant }) => listWineries(merchant, body))
