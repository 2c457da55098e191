import { winesSearch } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listWines } from '../../../shared/wines/lists.ts'

export const handler = serve(winesSearch, async ({ body, merchant, baseUrl }) => listWines(merchant, body, baseUrl))
