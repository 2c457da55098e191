import { labelPages } from '../../shared/contract/routes/label-pages.ts'
import { labelReply } from '../../shared/documents/elabels/serve.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(labelPages, async ({ body, headers, baseUrl }) =>
  labelReply({ ...body, headers, baseUrl }),
)
