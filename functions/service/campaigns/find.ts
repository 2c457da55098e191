import { campaignsFind } from '../../../shared/contract/campaigns.ts'
import { Problem } from '../../../shared/contract/errors.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(campaignsFind, async () => {
  throw new Problem('campaign_not_found', { beside: { errors: ['CAMPAIGN_NOT_FOUND'] } })
})
