import { winesGetExpertise } from '../../../shared/contract/routes/expertise.ts'
import { ensureExpertise } from '../../../shared/documents/expertise/store.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(winesGetExpertise, async ({ body, merchant, baseUrl }) =>
  ensureExpertise(merchant, body.id, baseUrl),
)
