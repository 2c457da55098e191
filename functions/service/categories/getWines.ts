import { categoriesGetWines } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listCategory } from '../../../shared/wines/lists.ts'

export const handler = serve(categoriesGetWines, async ({ body, merchant }) => listCategory(merchant, body))
