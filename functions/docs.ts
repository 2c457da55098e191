import { docs } from '../shared/contract/routes/reference.ts'
import { serve } from '../shared/http/serve.ts'
import { pageReply } from '../shared/reference/page.ts'

export const handler = serve(docs, async ({ headers }) => pageReply(headers['if-none-match']))
