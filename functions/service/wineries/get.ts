import { findWinery } from '../../../shared/catalogue/wineries.ts'
import { wineriesGet } from '../../../shared/contract/routes/wineries.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(wineriesGet, async ({ body, merchant }) => findWinery(merchant, body))
