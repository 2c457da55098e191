import { ordersCredit } from '../../../shared/contract/routes/order-steps.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { creditOrder } from '../../../shared/orders/credit/credit.ts'

export const handler = serveMerchant(ordersCredit, async ({ body, merchant, session, headers, setHeader }) => {
  const { positions, refund, remark } = body
  const wish = { positions, package: body.package === 1, refund, restock: body.restock === 1, remark }
  const { replayed, ...credited } = await creditOrder(merchant, body, wish, {
    actor: session.user.name,
    // No key of orders/add.
    idempotencyKey: idempotencyKeyOf(headers, 'orders/credit'),
    isPreview: body.dry_run === 1,
  })
  if (replayed) setHeader('idempotency-replayed', 'true')
  return credited
})
