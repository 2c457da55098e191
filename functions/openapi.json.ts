import { openApi } from '../shared/contract/routes/reference.ts'
import { serve } from '../shared/http/serve.ts'
import { openApiReply } from '../shared/reference/serve.ts'

export const handler = serve(openApi, async ({ baseUrl, headers }) => openApiReply(baseUrl, headers['if-none-match']))
