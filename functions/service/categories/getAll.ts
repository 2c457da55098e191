import { listCategories } from '../../../shared/catalogue/categories.ts'
import { categoriesGetAll } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(categoriesGetAll, async ({ body, merchant }) => listCategories(merchant, body))
