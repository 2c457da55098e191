import { isError, type NewOrder, type Order } from '../../client/index.ts'
import { Refusal } from '../errors.ts'
import { orderMail } from '../mails.ts'
import { isShown, shownOrder } from '../records.ts'
import type { Visit } from '../visit.ts'
import { readBasket } from './basket.ts'

/** Refuses goods that the shop no longer shows: the service would still sell them. */
const mustBeShown = async (visit: Visit): Promise<void> => {
  const items = (await readBasket(visit))?.basketItems ?? []
  const hidden = items.filter(({ item_type, item }) => item && !isShown(item_type, item))
  if (hidden.length === 0) return
  const fields = hidden.map(({ item_type, item_id }) => ({
    ...{ path: 'data.basket', rule: 'item_unavailable', expected: 'goods that the shop shows', item_type, item_id },
  }))
  throw new Refusal(422, 'item_unavailable', fields)
}

/** The order of the checkout. The service sets the prices; `gross` is the amount that the page showed. */
const orderOf = async ({ client, isSignedIn, cookies, fields, origin }: Visit): Promise<NewOrder> => {
  const { billing, delivery, isCollected, payment_type, client_remark, gross } = fields
  const own = isSignedIn && (await client.call('/service/clients/get')).data.id
  const billed = own ? ({ billing_type: 'client', billing_id: own, client_id: own } as const) : billing && { billing }
  // A client whose session has expired must not order as a guest.
  if (!billed) throw new Refusal(401, 'client_token_invalid')
  const basket = cookies.get('basket')
  return {
    source: 'shop',
    ...(basket ? { basket } : { items: [] }),
    invoice_type: 'gross',
    ...(payment_type && { payment_type }),
    client_remark: client_remark ?? null,
    gross: gross ?? null,
    ...billed,
    ...(isCollected ? { delivery_type: 'none' } : delivery ? { delivery } : {}),
    return_url: `${origin}/shop/payment`,
    cancel_url: `${origin}/shop/payment/cancelled`,
  }
}

/** Returns the order with its prices, packaging and tax, without placing it. */
export const price = async (visit: Visit) => {
  const data = await orderOf(visit)
  await mustBeShown(visit)
  const answer = await visit.client.call('/service/orders/add', { data, inshop: 1, dry_run: 1 })
  return { order: shownOrder(answer.data) }
}

/** Confirms a placed order by mail; the next wine opens another basket. */
const confirm = async ({ client, cookies, language, mailbox }: Visit, order: Order): Promise<void> => {
  cookies.remove('basket')
  const { data: merchant } = await client.call('/service/customers/getMy')
  mailbox.send(cookies, orderMail(shownOrder(order), merchant, language))
}

/** Places the order; `targetUrl` is the page of the payment provider, if the payment needs a provider. */
export const place = async (visit: Visit) => {
  const { client, cookies, idempotencyKey } = visit
  const data = await orderOf(visit)
  await mustBeShown(visit)
  const answer = await client.call('/service/orders/add', { data, inshop: 1 }, { idempotencyKey })
  cookies.set('order', answer.data.uuid)
  // A debit has no payment; its targetUrl only leads to the return page.
  const targetUrl = answer.payment && answer.targetUrl
  if (!targetUrl) await confirm(visit, answer.data)
  return { order: shownOrder(answer.data), targetUrl }
}

const lastOrder = ({ cookies }: Visit): string => {
  const uuid = cookies.get('order')
  if (!uuid) throw new Refusal(404, 'order_not_found')
  return uuid
}

/** The visitor's last order. */
export const order = async (visit: Visit) => ({
  order: shownOrder((await visit.client.call('/service/orders/get', { uuid: lastOrder(visit) })).data),
})

/**
 * Cancels the visitor's last order, which returns its goods to the basket. Only an order that waits for a provider: any link
 * may lead to the page that calls this.
 */
export const cancel = async (visit: Visit) => {
  const { client } = visit
  const uuid = lastOrder(visit)
  const { data } = await client.call('/service/orders/get', { uuid, include: [] })
  if (data.status !== 'new' && data.status !== 'cancelled')
    throw new Refusal(409, data.paid ? 'order_paid' : 'order_not_cancellable')
  return { status: (await client.call('/service/checkouts/cancel', { uuid })).data.status }
}

/** Finishes the order of a returning payer: `payed` or `pending`. Shows the order only to the visitor who placed it. */
export const payment = async (visit: Visit) => {
  const { client, cookies, fields } = visit
  try {
    const { data, order } = await client.call('/service/payments/execute', { uuid: fields.pid })
    const isOwn = order.uuid === cookies.get('order')
    if (isOwn) await confirm(visit, order)
    return { status: data.status, order: isOwn ? shownOrder(order) : null }
  } catch (error) {
    // The basket can then be paid in another way, unless it has been ordered already.
    if (isError(error, 'payment_declined'))
      await cancel(visit).catch(refused => {
        if (!(refused instanceof Refusal)) throw refused
      })
    throw error
  }
}
