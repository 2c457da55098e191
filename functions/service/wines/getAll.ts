import { winesGetAll } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listWines } from '../../../shared/wines/lists.ts'

export const handler = serve(winesGetAll, async ({ body, merchant, baseUrl }) => listWines(merchant, body, baseUrl))
