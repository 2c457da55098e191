import { openApi } from '../shared/contract/reference.ts'
import { openApiReply } from '../shared/http/reference/serve.ts'
import { serve } from '../shared/http/serve.ts'

export const handler = serve(openApi, async ({ baseUrl, headers }) => openApiReply(baseUrl, headers['if-none-match']))
