import { elabelsGet } from '../../shared/contract/routes/facts.ts'
import { readElabel } from '../../shared/documents/elabels/read.ts'
import { serve } from '../../shared/http/serve.ts'

export const handler = serve(elabelsGet, async ({ body, baseUrl }) => readElabel(body.uuid, body.language, baseUrl))
