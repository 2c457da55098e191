import { localization } from '../../shared/contract/localization.ts'
import { serve } from '../../shared/http/serve.ts'
import { localizationReply } from '../../shared/localization/serve.ts'

export const handler = serve(localization, async ({ body, headers }) =>
  localizationReply(body.path, headers['if-none-match']),
)
