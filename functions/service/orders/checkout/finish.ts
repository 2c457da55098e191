import { checkoutFinish } from '../../../../shared/contract/orders.ts'
import { notBuilt, serve } from '../../../../shared/http/serve.ts'

export const handler = serve(checkoutFinish, notBuilt)
