import { editCategory } from '../../../shared/catalogue/category-edit.ts'
import { categoriesEdit } from '../../../shared/contract/routes/categories.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(categoriesEdit, async ({ merchant, body }) =>
  editCategory(merchant, body.id, body.data),
)
