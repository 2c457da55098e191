import { listWineries } from '../../../shared/catalogue/wineries.ts'
import { wineriesGetAll } from '../../../shared/contract/wineries.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(wineriesGetAll, async ({ body, merchant }) => listWineries(merchant, body))
