import { pdf } from '../../../shared/contract/routes/expertise.ts'
import { expertiseBytes } from '../../../shared/documents/expertise/serve.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(pdf, async ({ body, headers, baseUrl }) =>
  expertiseBytes(body.id, body.file, { baseUrl, range: headers.range, ifNoneMatch: headers['if-none-match'] }),
)
