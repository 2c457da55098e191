import { addWine } from '../../../shared/catalogue/wines/edit.ts'
import { winesAdd } from '../../../shared/contract/routes/wine-writes.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(winesAdd, async ({ body, merchant, session }) =>
  addWine(merchant, session.user.id, body.data),
)
