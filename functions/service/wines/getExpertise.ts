import { winesGetExpertise } from '../../../shared/contract/expertise.ts'
import { ensureExpertise } from '../../../shared/documents/expertise/store.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(winesGetExpertise, async ({ body, merchant }) =>
  ensureExpertise(merchant, body.id),
)
