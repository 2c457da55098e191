import { ordersAdd } from '../../../shared/contract/routes/orders.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { placeOrder, previewOrder } from '../../../shared/orders/placing/place.ts'

export const handler = serveClient(ordersAdd, async ({ body, merchant, session, client, headers, setHeader }) => {
  const { data, inshop } = body
  const placing = { merchant, user: session.user, client }
  const owner = client ? `client ${client.id}` : (data.basket_uuid ?? data.basket)
  const request = { data, idempotencyKey: idempotencyKeyOf(headers, owner), inshop: inshop === 1 }
  const { replayed, ...placed } = await (body.dry_run ? previewOrder(placing, request) : placeOrder(placing, request))
  if (replayed) setHeader('idempotency-replayed', 'true')
  return placed
})
