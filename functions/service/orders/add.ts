import { ordersAdd } from '../../../shared/contract/orders.ts'
import { idempotencyKeyOf } from '../../../shared/http/idempotency.ts'
import { serve } from '../../../shared/http/serve.ts'
import { placeOrder, previewOrder } from '../../../shared/orders/placing/place.ts'

export const handler = serve(ordersAdd, async ({ body, merchant, session, headers, setHeader }) => {
  const placing = { merchant, user: session.user }
  const request = { data: body.data, idempotencyKey: idempotencyKeyOf(headers), inshop: body.inshop === 1 }
  const { replayed, ...placed } = await (body.dry_run ? previewOrder(placing, request) : placeOrder(placing, request))
  if (replayed) setHeader('idempotency-replayed', 'true')
  return placed
})
