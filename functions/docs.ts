import { docs } from '../shared/contract/reference.ts'
import { pageReply } from '../shared/http/reference/page.ts'
import { serve } from '../shared/http/serve.ts'

export const handler = serve(docs, async ({ headers }) => pageReply(headers['if-none-match']))
