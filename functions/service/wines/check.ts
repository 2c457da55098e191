import { checkWines } from '../../../shared/catalogue/wines/check.ts'
import { winesCheck } from '../../../shared/contract/routes/facts.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { languageOf } from '../../../shared/merchants/settings.ts'

export const handler = serveMerchant(winesCheck, async ({ merchant, body }) =>
  checkWines(merchant, body, body.language ?? (await languageOf(merchant))),
)
