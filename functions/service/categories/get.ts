import { findCategory } from '../../../shared/catalogue/categories.ts'
import { categoriesGet } from '../../../shared/contract/routes/categories.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(categoriesGet, async ({ body, merchant }) => findCategory(merchant, body))
