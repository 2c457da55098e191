import { listWineries } from '../../../shared/catalogue/wineries.ts'
import { wineriesGetAll } from '../../../shared/contract/routes/wineries.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(wineriesGetAll, async ({ body, merchant }) => listWineries(merchant, body))
