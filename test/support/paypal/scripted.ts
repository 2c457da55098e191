import type { LocalServer } from '../../../lib/twin/loopback.ts'
import type { Answer } from './answers.ts'
import { callOf, type Incoming } from './api.ts'
import type { Verb as ApiVerb } from './faults.ts'
import { servePayPal } from './server.ts'

/** A request as it arrived. */
type Seen = Omit<Incoming, 'method'> & { verb: Verb }

export type Verb = ApiVerb | 'token'

/** Ids and amounts that the documented answers below are about. */
export const orderId = '5O190127TN364715T'
export const captureId = '3C679366HH908993F'
export const payment = '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47'

/** A token as /v1/oauth2/token gives it. */
export const token = (access_token = 'A21AAFs9YK-token', expires_in = 31_668): Answer => ({
  status: 200,
  body: { scope: 'https://uri.paypal.com/services/payments/payment', access_token, token_type: 'Bearer', expires_in },
})

const approvePage = `https://www.sandbox.paypal.com/checkoutnow?token=${orderId}`

/** A new order, in short. */
export const created = (rel = 'payer-action', href = approvePage): Answer => ({
  status: 201,
  body: {
    id: orderId,
    status: rel === 'approve' ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    links: [
      { href: `https://api-m.sandbox.paypal.com/v2/checkout/orders/${orderId}`, rel: 'self', method: 'GET' },
      { href, rel, method: 'GET' },
    ],
  },
})

const money = (value: string, currency_code = 'EUR') => ({ currency_code, value })

/** A capture in an order. */
export const captured = (status = 'COMPLETED', changes: object = {}) => ({
  id: captureId,
  status,
  ...(status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
  amount: money('25.19'),
  final_capture: true,
  seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
  seller_receivable_breakdown: { gross_amount: money('25.19'), paypal_fee: money('1.14'), net_amount: money('24.05') },
  custom_id: payment,
  create_time: '2026-03-01T21:20:49Z',
  ...changes,
})

/** A whole order, with its captures and refunds if there are any. */
export const order = (
  status: string,
  captures: object[] = [],
  changes: object = {},
  refunds: object[] = [],
): Answer => ({
  status: 200,
  body: {
    id: orderId,
    intent: 'CAPTURE',
    status,
    payment_source: { paypal: { email_address: 'buyer@example.com', account_id: 'QYR5Z8XDVJNXQ' } },
    purchase_units: [
      {
        reference_id: 'd9f80740-38f0-11e8-b467-0ed5f89f718b',
        amount: money('25.19'),
        custom_id: payment,
        invoice_id: '1-6f0c2e91ab47',
        ...(captures.length > 0 && { payments: { captures, ...(refunds.length > 0 && { refunds }) } }),
      },
    ],
    payer: { name: { given_name: 'John', surname: 'Doe' }, payer_id: 'QYR5Z8XDVJNXQ' },
    links: [{ href: `https://api-m.sandbox.paypal.com/v2/checkout/orders/${orderId}`, rel: 'self', method: 'GET' }],
    ...changes,
  },
})

/** A refund. */
export const refund = (status = 'COMPLETED', value = '25.19'): Answer => ({
  status: 201,
  body: { id: '1JU08902781691411', amount: money(value), status, note_to_payer: '' },
})

/** A refund in an order. */
export const refunded = (value: string, status = 'COMPLETED') => ({
  id: `R${value.replace('.', '')}`,
  status,
  amount: money(value),
})

/** A refusal by an issue, as the documentation of errors has it. */
export const refusal = (issue: string, status = 422, name = 'UNPROCESSABLE_ENTITY'): Answer => ({
  status,
  body: {
    name,
    details: [{ issue, description: `what ${issue} means` }],
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
    debug_id: 'f7707100bc347',
    links: [{ href: 'https://developer.paypal.com/docs/api/orders/v2/#error', rel: 'information_link', method: 'GET' }],
  },
})

/** The refusal of a token that has expired. */
export const expired: Answer = {
  status: 401,
  body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
}

const usual: Record<Verb, Answer> = {
  token: token(),
  create: created(),
  look: order('APPROVED'),
  capture: { ...order('COMPLETED', [captured()]), status: 201 },
  refund: refund(),
  lookRefund: { ...refund(), status: 200 },
}

/** A PayPal that answers by a script. */
type PayPalServer = LocalServer & {
  /** All requests since the last `answers`, or only those of one verb. */
  seen(verb?: Verb): Seen[]
  /** Starts afresh: what is answered in turn, the last answer ever after; the usual answers to other verbs. */
  answers(script: Partial<Record<Verb, Answer[]>>): void
}

/** Starts a PayPal that answers by a script. */
export const startPayPal = async (): Promise<PayPalServer> => {
  let requests: Seen[] = []
  let script: Partial<Record<Verb, Answer[]>> = {}

  const next = (verb: Verb): Answer => {
    const answers = script[verb] ?? []
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? usual[verb]
  }

  const server = await servePayPal(async incoming => {
    const verb = callOf(incoming)?.verb
    if (!verb) return undefined
    const { path, headers, body } = incoming
    requests.push({ verb, path, headers, body })
    return next(verb)
  })
  return {
    ...server,
    seen: verb => requests.filter(request => !verb || request.verb === verb),
    answers: wanted => {
      requests = []
      script = Object.fromEntries(Object.entries(wanted).map(([verb, answers]) => [verb, [...answers]]))
    },
  }
}
