import { factsGetAll } from '../../../shared/contract/routes/facts.ts'
import { readFacts } from '../../../shared/documents/elabels/read.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(factsGetAll, async ({ body, merchant, baseUrl }) =>
  readFacts(merchant, body.wine_id, body.language, baseUrl),
)
