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

/** The body as the schema has it. Throws payment_provider_error when it is something else. */
const readAs = <S extends v.GenericSchema>(
  schema: S,
  verb: string,
  { status, json }: PayPalResponse,
): v.InferOutput<S> => {
  const { success, output } = v.safeParse(schema, json)
  if (success) return output
  throw providerFailure('paypal responds what it does not document', { verb, status })
}

const orderIn = (verb: string, response: PayPalResponse, externalId: string): Order => {
  const order = readAs(Order, verb, response)
  if (order.id === externalId) return order
  throw providerFailure('paypal responds with another order', { verb })
}

/** An id as a part of a path. An id of other letters is none of PayPal's, and could lead elsewhere. */
const segment = (id: string): string => {
  if (/^[A-Za-z0-9-]{1,64}$/.test(id)) return id
  throw providerFailure('that is no id of paypal')
}

/**
 * PayPal wants invoice ids unique per account, and several merchants may share one: the order's number, then the last
 * twelve digits of the payment's UUID, which are random.
 */
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
        // The order's delivery address is settled; PayPal shall not ask for another.
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
  // PayPal forgets orders that nobody approved, within hours.
  if (response.status === 404 && reasonIn(response.json).name === 'RESOURCE_NOT_FOUND') return bareView('missing')
  throw refusal('inspect', response)
}

const refusedRefund = (response: PayPalResponse): RefundView => {
  const { issue } = reasonIn(response.json)
  // PayPal keeps request ids for a while only, and merchants refund by hand as well; it names no refund then.
  if (issue === 'CAPTURE_FULLY_REFUNDED') return { state: 'refunded', refundId: null }
  const problem = refusal('refund', response)
  if (issue && refusedRefunds.has(issue)) return { state: 'failed', refundId: null }
  throw problem
}

/**
 * PayPal's Orders v2 over its REST API. One verb takes at most 10.5 seconds: up to three tries a call, of 5 seconds
 * each. What PayPal refuses for good is thrown as ProviderRefusal; it takes the money of an order once, whatever the
 * request ids.
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
      throw providerFailure('paypal names no approve page of its own', { verb: 'open' })
    },

    inspect: async externalId => look(client.begin(), externalId),

    capture: async (externalId, requestId) => {
      const ask = client.begin()
      const path = `/v2/checkout/orders/${segment(externalId)}/capture`
      const response = await ask({ method: 'POST', path, requestId, body: {} })
      if (isSuccess(response)) {
        const order = orderIn('capture', response, externalId)
        // That the order is completed does not say what became of the money.
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
      // Events about the refund name the payment by it.
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
      // What is not known here may still become either.
      return { state: refundStates.get(status) ?? 'pending', refundId: id }
    },
  }
}
