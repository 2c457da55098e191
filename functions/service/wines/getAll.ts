import { winesGetAll } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listWines } from '../../../shared/wines/store.ts'

export const handler = serve(winesGetAll, async ({ body, merchant }) => listWines(merchant, body))
