import { Problem } from '../../../shared/contract/errors.ts'
import { campaignsFind } from '../../../shared/contract/routes/campaigns.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(campaignsFind, async () => {
  throw new Problem('campaign_not_found', { topLevel: { errors: ['CAMPAIGN_NOT_FOUND'] } })
})
