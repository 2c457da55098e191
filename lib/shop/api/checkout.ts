import { isError, type NewOrder, type Order } from '../../client/index.ts'
import { orderMail } from '../mails.ts'
import { isShown, shownOrder } from '../records.ts'
import { Refusal } from '../refusal.ts'
import type { Visit } from '../visit.ts'
import { readBasket } from './basket.ts'

/** Throws a Refusal for a basket with goods that the shop no longer shows, which the service would sell all the same. */
const mustBeShown = async (visit: Visit): Promise<void> => {
  const items = (await readBasket(visit))?.basketItems ?? []
  const hidden = items.filter(({ item_type, item }) => item && !isShown(item_type, item))
  if (hidden.length === 0) return
  const fields = hidden.map(({ item_type, item_id }) => ({
    ...{ path: 'data.basket', rule: 'item_unavailable', expected: 'goods that the shop shows', item_type, item_id },
  }))
  throw new Refusal(422, 'item_unavailable', fields)
}

/** The order that the visitor's checkout asks for. Prices are the service's; `gross` is only what the page showed. */
const orderOf = async ({ client, isSignedIn, cookies, fields, origin }: Visit): Promise<NewOrder> => {
  const { billing, delivery, isCollected, payment_type, client_remark, gross } = fields
  const own = isSignedIn && (await client.call('/service/clients/get')).data.id
  const billed = own ? ({ billing_type: 'client', billing_id: own, client_id: own } as const) : billing && { billing }
  // Somebody whose session ended in between is no guest.
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

/** What the order would be, without placing it: its prices, its packaging and its tax. */
export const price = async (visit: Visit) => {
  const data = await orderOf(visit)
  await mustBeShown(visit)
  const answer = await visit.client.call('/service/orders/add', { data, inshop: 1, dry_run: 1 })
  return { order: shownOrder(answer.data) }
}

/** An order is on its way: the next wine goes into another basket, and the buyer gets a mail. */
const confirm = async ({ client, cookies, language, mailbox }: Visit, order: Order): Promise<void> => {
  cookies.remove('basket')
  const { data: merchant } = await client.call('/service/customers/getMy')
  mailbox.send(cookies, orderMail(shownOrder(order), merchant, language))
}

/** Places the order; `targetUrl` is where the visitor pays, if that is at a provider. */
export const place = async (visit: Visit) => {
  const { client, cookies, idempotencyKey } = visit
  const data = await orderOf(visit)
  await mustBeShown(visit)
  const answer = await client.call('/service/orders/add', { data, inshop: 1 }, { idempotencyKey })
  cookies.set('order', answer.data.uuid)
  // A debit has a targetUrl too, but no payment: it leads to the return page only.
  const targetUrl = answer.payment && answer.targetUrl
  if (!targetUrl) await confirm(visit, answer.data)
  return { order: shownOrder(answer.data), targetUrl }
}

/** The visitor's last order. */
export const order = async ({ client, cookies }: Visit) => {
  const uuid = cookies.get('order')
  if (!uuid) throw new Refusal(404, 'order_not_found')
  return { order: shownOrder((await client.call('/service/orders/get', { uuid })).data) }
}

/** Whether an order may be given up by a return from the provider: a payment there is what it still waits for. */
const isWaiting = ({ status }: Pick<Order, 'status'>): boolean => status === 'new' || status === 'cancelled'

/**
 * Cancels the visitor's last order if it waits for a payment at a provider; its goods then are in the basket again. Any
 * link leads to the page that asks for this: an order that is on its way is not cancelled by one.
 */
export const cancel = async ({ client, cookies }: Visit) => {
  const uuid = cookies.get('order')
  if (!uuid) throw new Refusal(404, 'order_not_found')
  const { data } = await client.call('/service/orders/get', { uuid, include: [] })
  if (!isWaiting(data)) throw new Refusal(409, data.paid ? 'order_paid' : 'order_not_cancellable')
  return { status: (await client.call('/service/checkouts/cancel', { uuid })).data.status }
}

/**
 * Finishes the order of a payment whose payer came back: `payed` or `pending`. Only the visitor who placed the order is
 * shown it, whoever has the address of the return page.
 */
export const payment = async (visit: Visit) => {
  const { client, cookies, fields } = visit
  try {
    const { data, order } = await client.call('/service/payments/execute', { uuid: fields.pid })
    const isOwn = order.uuid === cookies.get('order')
    if (isOwn) await confirm(visit, order)
    return { status: data.status, order: isOwn ? shownOrder(order) : null }
  } catch (error) {
    // So that the basket can be ordered anew, paid in another way; unless it is ordered already.
    if (isError(error, 'payment_declined'))
      await cancel(visit).catch(refused => {
        if (!(refused instanceof Refusal)) throw refused
      })
    throw error
  }
}
