import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, Refused } from './answers.ts'
import type { Books, Order, Refund } from './books.ts'
import type { FaultList, Mishap, Target, Verb } from './faults.ts'
import type { RequestIds } from './request-ids.ts'

/** A request as it arrived; `body` is its text. */
export type Incoming = { method: string; path: string; headers: Record<string, string | undefined>; body: string }

/** A call as a test may look at it later. */
export type Call = {
  verb: Verb
  order: string | null
  requestId: string | null
  status: number | 'cut'
  repeated: boolean
}

type Performed = { answer: Answer; repeated: boolean }

type Stores = { url: () => string; books: Books; ids: RequestIds; faults: FaultList; calls: Call[] }
type Found = { verb: Verb; id: string; target: Target; order: Order | undefined }

const routes: [Verb | 'token', RegExp][] = [
  ['token', /^POST \/v1\/oauth2\/token()$/],
  ['create', /^POST \/v2\/checkout\/orders()$/],
  ['look', /^GET \/v2\/checkout\/orders\/([^/]+)$/],
  ['capture', /^POST \/v2\/checkout\/orders\/([^/]+)\/capture$/],
  ['refund', /^POST \/v2\/payments\/captures\/([^/]+)\/refund$/],
  ['lookRefund', /^GET \/v2\/payments\/refunds\/([^/]+)$/],
]

/** A request's verb and id; undefined if its path is not one of the API's. */
export const callOf = ({ method, path }: Incoming) => {
  for (const [verb, route] of routes) {
    const [found, id = ''] = route.exec(`${method} ${path}`) ?? []
    if (found) return { verb, id }
  }
  return undefined
}

const cut: Answer = { status: 0, cut: true }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(400, 'INVALID_REQUEST', 'MALFORMED_REQUEST_JSON')
  }
}

const orderBody = (order: Order, url: string): object => {
  const { id, status, reference, payment, invoice, amount, payer, captures, refunds } = order
  const payments = {
    captures: captures.map(({ id: captureId, status: state, reason, amount: taken, created }) => ({
      id: captureId,
      status: state,
      ...(reason && state !== 'COMPLETED' && { status_details: { reason } }),
      amount: taken,
      final_capture: true,
      custom_id: payment,
      invoice_id: invoice,
      create_time: created,
    })),
    ...(refunds.length > 0 && { refunds: refunds.map(refund => refundBody(refund)) }),
  }
  return {
    id,
    intent: 'CAPTURE',
    status,
    purchase_units: [
      {
        reference_id: reference,
        custom_id: payment,
        invoice_id: invoice,
        amount,
        ...(captures.length > 0 && { payments }),
      },
    ],
    ...(payer && { payer: { payer_id: payer }, payment_source: { paypal: { account_id: payer } } }),
    links: [
      { href: `${url}/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
      { href: `${url}/checkoutnow?token=${id}`, rel: 'payer-action', method: 'GET' },
    ],
  }
}

const refundBody = ({ id, status, amount, capture }: Refund): object => ({
  id,
  status,
  amount,
  ...(status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
  links: [{ href: `/v2/payments/captures/${capture}`, rel: 'up', method: 'GET' }],
})

/** PayPal's REST API as it is documented, as far as this project uses it, over some books. */
export const paypalApi = ({ url, books, ids, faults, calls }: Stores) => {
  const targetOf = (verb: Verb, id: string, body: string): Omit<Found, 'verb' | 'id'> => {
    if (verb === 'create') {
      // biome-ignore lint/suspicious/noExplicitAny: what is not there meets no fault
      const sent = parsed(body) as any
      const brand = sent?.payment_source?.paypal?.experience_context?.brand_name
      return { target: { brand, payment: sent?.purchase_units?.[0]?.custom_id }, order: undefined }
    }
    const order = books
      .all()
      .find(
        one =>
          one.id === id ||
          one.captures.some(capture => capture.id === id) ||
          one.refunds.some(refund => refund.id === id),
      )
    return {
      target: { brand: order?.brand ?? '', payment: order?.payment ?? '', ...(order && { id: order.id }) },
      order,
    }
  }

  const effect = ({ verb, id }: Found, account: string, body: string): Answer => {
    if (verb === 'create') return { status: 201, body: orderBody(books.create(account, parsed(body)), url()) }
    if (verb === 'look') return { status: 200, body: orderBody(books.find(id, account), url()) }
    if (verb === 'capture') return { status: 201, body: orderBody(books.capture(account, id), url()) }
    if (verb === 'lookRefund') return { status: 200, body: refundBody(books.findRefund(account, id)) }
    const { amount } = parsed(body || '{}') as { amount?: Order['amount'] }
    return { status: 201, body: refundBody(books.refund(account, id, amount)) }
  }

  const done = (work: () => Answer): Answer => {
    try {
      return work()
    } catch (error) {
      if (error instanceof Refused) return error.answer
      throw error
    }
  }

  /** The failure that replaces the effect, if any. */
  const turnedAway = (mishap: Mishap | undefined): Answer | undefined => {
    if (mishap?.kind === 'down') return { status: 503, body: { name: 'SERVICE_UNAVAILABLE' } }
    if (mishap?.kind === 'cut' && mishap.when === 'before') return cut
    if (mishap?.kind !== 'throttle') return undefined
    const headers: Record<string, string> = mishap.retryAfter ? { 'retry-after': mishap.retryAfter } : {}
    return { status: 429, body: { name: 'RATE_LIMIT_REACHED' }, headers }
  }

  const withMishap = async (mishap: Mishap | undefined, work: () => Answer): Promise<Answer> => {
    const wait = mishap?.kind === 'slow' ? mishap : undefined
    if (wait?.when === 'before') await pause(wait.milliseconds, undefined, { ref: false })
    const answer = done(() => {
      if (mishap?.kind === 'issue') throw new Refused(422, 'UNPROCESSABLE_ENTITY', mishap.issue)
      return work()
    })
    if (wait?.when === 'after') await pause(wait.milliseconds, undefined, { ref: false })
    return answer
  }

  const perform = async (
    found: Found,
    account: string,
    { headers, body, method, path }: Incoming,
  ): Promise<Performed> => {
    const mishap = faults.next(found.verb, found.target)
    const away = turnedAway(mishap)
    if (away) return { answer: away, repeated: false }
    const requestId = method === 'POST' ? headers['paypal-request-id'] : undefined
    const first = requestId && ids.recall(account, requestId, `${path} ${body}`)
    const isCut = mishap?.kind === 'cut'
    if (first) return { answer: isCut ? cut : first, repeated: true }
    const answer = await withMishap(mishap, () => effect(found, account, body)).catch(error => {
      if (requestId) ids.keep(account, requestId, null)
      throw error
    })
    if (requestId) ids.keep(account, requestId, answer)
    return { answer: isCut ? cut : answer, repeated: false }
  }

  /** Responds to a call; undefined when the path is none of the API's. */
  return async (incoming: Incoming): Promise<Answer | undefined> => {
    const { headers, body } = incoming
    const call = callOf(incoming)
    if (!call) return undefined
    const { verb, id } = call
    if (verb === 'token') return token(headers.authorization)
    const account = accountOf(headers.authorization)
    if (!account) return { status: 401, body: { error: 'invalid_token' } }
    const found: Found = { verb, id, ...targetOf(verb, id, body) }
    const { answer, repeated } = await perform(found, account, incoming).catch((error): Performed => {
      if (error instanceof Refused) return { answer: error.answer, repeated: false }
      throw error
    })
    const status = answer.cut ? 'cut' : answer.status
    calls.push({
      verb,
      order: found.target.id ?? null,
      requestId: headers['paypal-request-id'] ?? null,
      status,
      repeated,
    })
    return answer
  }
}

/** A token names the account it was given to. */
const token = (authorization = ''): Answer => {
  const [clientId = '', secret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
  if (!clientId || !secret) return { status: 401, body: { error: 'invalid_client' } }
  const access_token = `A21.${Buffer.from(clientId).toString('base64url')}`
  return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 31_668 } }
}

const accountOf = (authorization = ''): string | undefined => {
  const [, account] = /^Bearer A21\.([\w-]+)$/.exec(authorization) ?? []
  return account && Buffer.from(account, 'base64url').toString()
}
