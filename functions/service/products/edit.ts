import { editProduct } from '../../../shared/catalogue/products/edit.ts'
import { productsEdit } from '../../../shared/contract/routes/products.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(productsEdit, async ({ merchant, body }) =>
  editProduct(merchant, body.id, body.data),
)
