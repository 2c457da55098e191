import { downloadExpertise } from '../../shared/contract/routes/expertise.ts'
import { expertiseLink } from '../../shared/documents/expertise/serve.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(downloadExpertise, async ({ body, baseUrl }) =>
  expertiseLink(body.wineId, body.expertiseFileName, baseUrl),
)
