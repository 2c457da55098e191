import { randomUUID } from 'node:crypto'
import { isExternal } from '../../../shared/orders/states.ts'
import { demand, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'
import { orderOf } from './orders.ts'

/** The URL of the sandbox's approve page; undefined at a provider that takes real money. */
const sandboxPageOf = (walk: Walk): string | undefined => {
  const { targetUrl = '' } = walk.things.payment ?? {}
  return URL.parse(targetUrl)?.pathname.startsWith('/sandbox/pay/') ? targetUrl : undefined
}

/** Sends a decision from the sandbox's page, as a payer's browser does; returns the URL it is redirected to. */
const choose = async (walk: Walk, page: string, choice: string, behaviour: string): Promise<URL> => {
  const shown = await walk.send({ url: page, method: 'GET', headers: {} })
  const [, nonce = ''] = /name="nonce" value="(\w+)"/.exec(shown.bytes.toString()) ?? []
  demand(nonce !== '', `the sandbox's page cannot be read (status ${shown.status})`)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ nonce, choice, behaviour }).toString()
  const chosen = await walk.send({ url: page, method: 'POST', headers, body })
  const location = chosen.headers.get('location') ?? ''
  demand(URL.canParse(location), `the sandbox's page leads nowhere (status ${chosen.status})`)
  return new URL(location)
}

const finishing = (walk: Walk) => {
  const { order = randomUUID(), uuid = randomUUID(), external = 'none' } = walk.things.payment ?? {}
  const { payer = 'nobody' } = walk.things
  return { payment_type: 'paypal', order_id: order, payment_id: uuid, external_id: external, payer_id: payer } as const
}

const noProvider = 'the merchant takes no payments at a provider'

/**
 * A payment at a provider. At the sandbox it is approved so that it stays pending: the order can then be finished and
 * still be cancelled. Elsewhere nobody approves it, and no money moves.
 */
export const paymentSteps: readonly Step[] = [
  step('/service/orders/add', 'opens a payment at the provider', async walk => {
    const type = walk.need('payments').find(isExternal)
    if (!type) return noProvider
    walk.writes('order')
    const body = { data: orderOf(walk, type) }
    const answer = await walk.askUnless('/service/orders/add', body, [
      'payment_type_not_allowed',
      'redirect_url_invalid',
    ])
    if (typeof answer === 'string') return `not taken here: ${answer}`
    const { data, targetUrl = '', payment } = answer
    demand(URL.canParse(targetUrl) && payment !== undefined, 'targetUrl or payment is missing')
    const { uuid = '', external_id } = payment ?? {}
    walk.things.payment = { order: data.uuid, uuid, external: external_id ?? '', targetUrl }
    walk.things.paymentType = type
    same(data.status, 'new', 'data.status')
  }),
  step('/service/payments/execute', 'is refused before the payment is approved', async walk => {
    const { uuid } = walk.things.payment ?? {}
    const word = uuid ? 'payment_not_approved' : 'payment_not_found'
    await walk.refused('/service/payments/execute', { uuid: uuid ?? randomUUID() }, word)
    return word
  }),
  step('/payments/paypal/webhook', 'ignores an event of an unknown type', async walk => {
    const body = { id: `WH-${walk.mark}`, event_type: 'CUSTOMER.DISPUTE.CREATED', resource: {} }
    const { json } = await walk.succeed('/payments/paypal/webhook', body)
    same(json, { handled: false }, 'the answer')
  }),
  step('/payments/paypal/webhook', 'is refused without a signature', async walk => {
    const { uuid } = walk.things.payment ?? {}
    if (!uuid) return noProvider
    const resource = { purchase_units: [{ custom_id: uuid }] }
    const body = { id: `WH-${walk.mark}`, event_type: 'CHECKOUT.ORDER.APPROVED', resource }
    await walk.refused('/payments/paypal/webhook', body, 'webhook_signature_invalid')
    return 'webhook_signature_invalid'
  }),
  step('/service/orders/checkout/finish', 'finishes the order', async walk => {
    const page = sandboxPageOf(walk)
    if (!page) {
      const word = walk.things.payment ? 'payment_not_approved' : 'order_not_found'
      await walk.refused('/service/orders/checkout/finish', finishing(walk), word)
      return `not paid, ${word}`
    }
    const back = await choose(walk, page, 'approve', 'pending')
    walk.things.payer = back.searchParams.get('PayerID') ?? ''
    const body = { ...finishing(walk), payment_type: walk.need('paymentType') }
    const { data, payment } = await walk.ask('/service/orders/checkout/finish', body)
    same(data, { uuid: body.order_id, status: 'need_payment' })
    same(payment.uuid, body.payment_id, 'payment.uuid')
    return 'at the sandbox, where the payment stays pending'
  }),
  step('/service/payments/execute', 'reads the state of the payment', async walk => {
    if (!walk.things.payer) return 'not paid: real money'
    const { order, uuid, external } = walk.need('payment')
    const answer = await walk.ask('/service/payments/execute', { uuid: external })
    same(answer.data, { uuid, status: 'pending' })
    same(answer.order.uuid, order, 'order.uuid')
  }),
  step('/service/checkouts/cancel', 'cancels the order', async walk => {
    const uuid = walk.things.payment?.order ?? walk.need('order').uuid
    same((await walk.ask('/service/checkouts/cancel', { uuid })).data, { uuid, status: 'cancelled' })
    const page = sandboxPageOf(walk)
    // Otherwise the sweep would query the sandbox until the buyer decides.
    if (page && walk.things.payer) await choose(walk, page, 'fail', 'prompt')
  }),
  step('/service/payments/getOpen', 'lists the open payment', async walk => {
    const { uuid } = walk.things.payment ?? {}
    const { data } = await walk.ask('/service/payments/getOpen', { pageSize: 100 })
    if (!uuid) return noProvider
    same(
      data.find(one => one.uuid === uuid),
      { uuid, order_uuid: walk.things.payment?.order, review: 0 },
      'the payment',
    )
  }),
  step('/service/payments/decide', 'has nothing to decide about the payment', async walk => {
    const { uuid } = walk.things.payment ?? {}
    const word = uuid ? 'not_in_this_status' : 'payment_not_found'
    await walk.refused('/service/payments/decide', { uuid: uuid ?? randomUUID(), decision: 'accept' }, word)
    return word
  }),
]
