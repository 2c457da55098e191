import { listCategories } from '../../../shared/catalogue/categories.ts'
import { categoriesGetAll } from '../../../shared/contract/routes/categories.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(categoriesGetAll, async ({ body, merchant }) => listCategories(merchant, body))
