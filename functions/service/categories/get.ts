import { findCategory } from '../../../shared/catalogue/categories.ts'
import { categoriesGet } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(categoriesGet, async ({ body, merchant }) => findCategory(merchant, body))
