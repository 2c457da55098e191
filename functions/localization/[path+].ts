import { localizationReply } from '../../shared/catalogue/localization/serve.ts'
import { localization } from '../../shared/contract/routes/localization.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(localization, async ({ body, headers }) =>
  localizationReply(body.path, headers['if-none-match']),
)
