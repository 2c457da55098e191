import * as v from 'valibot'
import { formatMoney } from '../../values/money.ts'
import { bareView, type OpenRequest, type PaymentView, type Provider, type RefundView } from '../provider.ts'
import { providerFailure } from '../provider-failure.ts'
import { type Ask, type Credentials, type PayPalResponse, paypalClient, paypalLimits, refusal } from './client.ts'
import { approveUrl } from './hosts.ts'
import { refusedCaptures, refusedRefunds } from './issues.ts'
import { hasCapture, viewOf } from './view.ts'
import { Created, Order, Refund, reasonIn } from './wire.ts'

const refundStates = new Map<string, RefundView['state']>([
  ['PENDING', 'pending'],
  ['COMPLETED', 'refunded'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
])

const isSuccess = ({ status }: PayPalResponse): boolean => status === 200 || status === 201

const readAs = <S extends v.GenericSchema>(
  schema: S,
  verb: string,
  { status, json }: PayPalResponse,
): v.InferOutput<S> => {
  const { success, output } = v.safeParse(schema, json)
  if (success) return output
  throw providerFailure('paypal response is not as documented', { verb, status })
}

const orderIn = (verb: string, response: PayPalResponse, externalId: string): Order => {
  const order = readAs(Order, verb, response)
  if (order.id === externalId) return order
  throw providerFailure('paypal responds with another order', { verb })
}

/** An id as a path segment. Other characters could lead to another path. */
const segment = (id: string): string => {
  if (/^[A-Za-z0-9-]{1,64}$/.test(id)) return id
  throw providerFailure('not an id of paypal')
}

/** PayPal's invoice ids are unique per account, which several merchants may share: hence random digits of the payment's UUID. */
const invoiceId = ({ order, payment }: OpenRequest): string => `${order.number}-${payment.slice(-12)}`.slice(-127)

const newOrder = (request: OpenRequest) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: request.order.uuid,
      custom_id: request.payment,
      invoice_id: invoiceId(request),
      amount: { currency_code: request.currency, value: formatMoney(request.amount) },
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: [...request.merchantName].slice(0, 127).join(''),
        // PayPal must not ask for another delivery address.
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        return_url: request.returnUrl,
        cancel_url: request.cancelUrl,
      },
    },
  },
})

const look = async (ask: Ask, externalId: string): Promise<PaymentView> => {
  const response = await ask({ method: 'GET', path: `/v2/checkout/orders/${segment(externalId)}` })
  if (isSuccess(response)) return viewOf(orderIn('inspect', response, externalId))
  // PayPal deletes orders that nobody approved, within hours.
  if (response.status === 404 && reasonIn(response.json).name === 'RESOURCE_NOT_FOUND') return bareView('missing')
  throw refusal('inspect', response)
}

const refusedRefund = (response: PayPalResponse): RefundView => {
  const { issue } = reasonIn(response.json)
  // The request id may have expired, or the merchant has refunded manually; PayPal then names no refund.
  if (issue === 'CAPTURE_FULLY_REFUNDED') return { state: 'refunded', refundId: null }
  const problem = refusal('refund', response)
  if (issue && refusedRefunds.has(issue)) return { state: 'failed', refundId: null }
  throw problem
}

/**
 * PayPal's Orders v2 REST API. A verb takes at most 10.5 seconds: up to three tries a call, of 5 seconds each. PayPal
 * captures an order once, whatever the request ids.
 */
export const paypal = (credentials: Credentials, limits = paypalLimits): Provider => {
  const client = paypalClient(credentials, limits)

  return {
    account: credentials.clientId,

    open: async request => {
      const ask = client.begin()
      const body = newOrder(request)
      const response = await ask({ method: 'POST', path: '/v2/checkout/orders', requestId: request.requestId, body })
      if (!isSuccess(response)) throw refusal('open', response)
      const { id, links } = readAs(Created, 'open', response)
      const link = links.find(({ rel }) => rel === 'payer-action') ?? links.find(({ rel }) => rel === 'approve')
      const targetUrl = link && approveUrl(link.href, credentials.baseUrl)
      if (targetUrl) return { externalId: id, targetUrl }
      throw providerFailure('paypal returned no approve page on its own hosts', { verb: 'open' })
    },

    inspect: async externalId => look(client.begin(), externalId),

    capture: async (externalId, requestId) => {
      const ask = client.begin()
      const path = `/v2/checkout/orders/${segment(externalId)}/capture`
      const response = await ask({ method: 'POST', path, requestId, body: {} })
      if (isSuccess(response)) {
        const order = orderIn('capture', response, externalId)
        // A completed order may have a declined capture.
        return hasCapture(order) ? viewOf(order) : look(ask, externalId)
      }
      const { name, issue } = reasonIn(response.json)
      if (issue === 'ORDER_ALREADY_CAPTURED' || name === 'RESOURCE_NOT_FOUND') return look(ask, externalId)
      const state = issue && refusedCaptures.get(issue)
      if (state) return bareView(state, state === 'open' ? null : issue)
      throw refusal('capture', response)
    },

    refund: async (captureId, amount, requestId, payment, currency) => {
      const ask = client.begin()
      const path = `/v2/payments/captures/${segment(captureId)}/refund`
      // Webhook events about the refund identify the payment by the custom id.
      const body = { amount: { currency_code: currency, value: formatMoney(amount) }, custom_id: payment }
      const response = await ask({ method: 'POST', path, requestId, body })
      if (!isSuccess(response)) return refusedRefund(response)
      const refund = readAs(Refund, 'refund', response)
      const isRight = !refund.amount || (refund.amount.value === amount && refund.amount.currency_code === currency)
      const state = refundStates.get(refund.status)
      if (isRight && state) return { state, refundId: refund.id }
      throw providerFailure('paypal did not refund as asked', { status: refund.status.slice(0, 32), refund: refund.id })
    },

    inspectRefund: async refundId => {
      const response = await client.begin()({ method: 'GET', path: `/v2/payments/refunds/${segment(refundId)}` })
      if (!isSuccess(response)) throw refusal('inspectRefund', response)
      const { id, status } = readAs(Refund, 'inspectRefund', response)
      if (id !== refundId) throw providerFailure('paypal responds with another refund', { verb: 'inspectRefund' })
      // An unknown status may still become either.
      return { state: refundStates.get(status) ?? 'pending', refundId: id }
    },
  }
}
