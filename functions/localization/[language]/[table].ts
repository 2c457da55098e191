import { localizationTable } from '../../../shared/contract/localization.ts'
import { serve } from '../../../shared/http/serve.ts'
import { localizationReply } from '../../../shared/localization/serve.ts'

export const handler = serve(localizationTable, async ({ body, headers }) =>
  localizationReply(body, headers['if-none-match']),
)
