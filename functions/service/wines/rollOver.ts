import { rollOverWine } from '../../../shared/catalogue/wines/roll-over.ts'
import { winesRollOver } from '../../../shared/contract/routes/wine-writes.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(winesRollOver, async ({ body, merchant, session }) =>
  rollOverWine(merchant, session.user.id, body),
)
