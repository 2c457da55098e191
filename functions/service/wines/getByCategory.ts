import { winesGetByCategory } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listCategory } from '../../../shared/wines/lists.ts'

export const handler = serve(winesGetByCategory, async ({ body, merchant }) => listCategory(merchant, body))
