import { randomUUID } from 'node:crypto'
import { isExternal } from '../../../shared/orders/states.ts'
import type { Answer } from '../../client/client.ts'
import { demand, same } from '../compare.ts'
import { sendListed } from '../listed.ts'
import { type ByHand, byHand, type Walk } from '../walk.ts'
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

const finishRequestOf = (walk: Walk) => {
  const { order = randomUUID(), uuid = randomUUID(), external = 'none' } = walk.things.payment ?? {}
  const { payer = 'nobody', paymentType = 'paypal' } = walk.things
  return { payment_type: paymentType, order_id: order, payment_id: uuid, external_id: external, payer_id: payer }
}

const noProvider = 'the merchant takes no payments at a provider'

/**
 * A payment at a provider. At the sandbox it is approved so that it stays pending: the order can then be finished and
 * still be cancelled. Elsewhere nobody approves it, and no money moves.
 */
export const paymentSteps: readonly ByHand[] = [
  byHand('/service/orders/add', 'opens a payment at the provider', async (walk, listed) => {
    const type = walk.need('payments').find(isExternal)
    if (!type) return noProvider
    const expect = { data: { status: 'new' } }
    const or = ['payment_type_not_allowed', 'redirect_url_invalid'] as const
    const { json, word } = await sendListed(walk, { ...listed, request: orderOf(walk, type), expect, or })
    if (word) return `not taken here: ${word}`
    const { data, targetUrl = '', payment } = json as Answer<'/service/orders/add'>
    demand(URL.canParse(targetUrl) && payment !== undefined, 'targetUrl or payment is missing')
    const { uuid = '', external_id } = payment ?? {}
    walk.things.payment = { order: data.uuid, uuid, external: external_id ?? '', targetUrl }
    walk.things.paymentType = type
    return undefined
  }),
  byHand('/service/payments/execute', 'is refused before the payment is approved', async (walk, listed) => {
    const { uuid } = walk.things.payment ?? {}
    const refused = uuid ? 'payment_not_approved' : 'payment_not_found'
    await sendListed(walk, { ...listed, request: { uuid: uuid ?? randomUUID() }, refused })
    return refused
  }),
  byHand('/payments/paypal/webhook', 'is refused without a signature', async (walk, listed) => {
    const { uuid } = walk.things.payment ?? {}
    if (!uuid) return noProvider
    const resource = { purchase_units: [{ custom_id: uuid }] }
    const request = { id: 'WH-{mark}', event_type: 'CHECKOUT.ORDER.APPROVED', resource }
    await sendListed(walk, { ...listed, request, refused: 'webhook_signature_invalid' })
    return 'webhook_signature_invalid'
  }),
  byHand('/service/orders/checkout/finish', 'finishes the order', async (walk, listed) => {
    const page = sandboxPageOf(walk)
    if (!page) {
      const refused = walk.things.payment ? 'payment_not_approved' : 'order_not_found'
      await sendListed(walk, { ...listed, request: finishRequestOf(walk), refused })
      return `not paid, ${refused}`
    }
    const back = await choose(walk, page, 'approve', 'pending')
    walk.things.payer = back.searchParams.get('PayerID') ?? ''
    const expect = { data: { uuid: '{payment.order}', status: 'need_payment' }, payment: { uuid: '{payment.uuid}' } }
    await sendListed(walk, { ...listed, request: finishRequestOf(walk), expect })
    return 'at the sandbox, where the payment stays pending'
  }),
  byHand('/service/payments/execute', 'reads the state of the payment', async (walk, listed) => {
    if (!walk.things.payer) return 'not paid: real money'
    const expect = { data: { uuid: '{payment.uuid}', status: 'pending' }, order: { uuid: '{payment.order}' } }
    await sendListed(walk, { ...listed, request: { uuid: '{payment.external}' }, expect })
    return undefined
  }),
  byHand('/service/checkouts/cancel', 'cancels the order', async (walk, listed) => {
    const uuid = walk.things.payment?.order ?? walk.need('order').uuid
    await sendListed(walk, { ...listed, request: { uuid }, expect: { data: { uuid, status: 'cancelled' } } })
    const page = sandboxPageOf(walk)
    // Otherwise the sweep would query the sandbox until the buyer decides.
    if (page && walk.things.payer) await choose(walk, page, 'fail', 'prompt')
  }),
  byHand('/service/payments/getOpen', 'lists the open payment', async (walk, listed) => {
    const { uuid, order } = walk.things.payment ?? {}
    const { data } = (await sendListed(walk, listed)).json as Answer<'/service/payments/getOpen'>
    if (!uuid) return noProvider
    same(
      data.find(one => one.uuid === uuid),
      { uuid, order_uuid: order, review: 0 },
      'the payment',
    )
    return undefined
  }),
  byHand('/service/payments/decide', 'has nothing to decide about the payment', async (walk, listed) => {
    const { uuid } = walk.things.payment ?? {}
    const refused = uuid ? 'not_in_this_status' : 'payment_not_found'
    await sendListed(walk, { ...listed, request: { uuid: uuid ?? randomUUID(), decision: 'accept' }, refused })
    return refused
  }),
]
