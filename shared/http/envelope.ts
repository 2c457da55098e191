import { Problem } from '../contract/errors.ts'
import type { Language } from '../contract/labels/labels.ts'
import type { Route } from '../contract/route.ts'
import type { Page } from '../contract/schema/lists.ts'
import { languageOf } from '../merchants/settings.ts'
import { ConditionFailed, TooLarge, TransactionRefused, Unavailable } from '../platform/table/failures.ts'
import { inFieldOrder } from './field-order.ts'
import { commonHeaders, type Middleware, type Reply, type ReplyHeaders, type RequestEvent } from './middleware.ts'
import { requestFields } from './request.ts'

// Lambda's limit for a response, which is JSON itself: the body is escaped once more in it.
const maxBytes = 6 * 1024 * 1024

const isTooLarge = (reply: Reply): boolean => {
  // A character takes three bytes at most, a quote or backslash two; the headers take less than a third of the limit.
  if ((reply.body?.length ?? 0) * 3 < (maxBytes * 2) / 3) return false
  return Buffer.byteLength(JSON.stringify(reply)) > maxBytes
}

const typedReply = (statusCode: number, headers: ReplyHeaders, type: string, body: string): Reply => ({
  statusCode,
  headers: { ...headers, 'content-type': `${type}; charset=utf-8` },
  body,
})

const json = (statusCode: number, headers: ReplyHeaders, body: object): Reply =>
  typedReply(statusCode, headers, 'application/json', JSON.stringify(body))

/** Returns the response for a Problem: its page, else the contract's error format. */
export const problemReply = (
  problem: Problem,
  headers: ReplyHeaders,
  requestId: string,
  details = problem.message,
): Reply => {
  const { status, page } = problem
  const sent = { ...headers, 'cache-control': 'no-store', ...problem.headers }
  if (page !== undefined) return typedReply(status, sent, 'text/html', page)
  return json(status, sent, {
    info: 'error',
    code: status,
    error: problem.word,
    details,
    ...(problem.fields.length > 0 && { fields: problem.fields }),
    ...problem.topLevel,
    request_id: requestId,
  })
}

const aliasesIn = ({ aliases = {} }: Route, parts: { data: unknown; pages?: unknown }): object =>
  Object.fromEntries(Object.entries(aliases).map(([name, part]) => [name, parts[part]]))

const envelopeOf = (route: Route, value: unknown): object => {
  const { envelope, response, listFields, isFlat } = route
  if (envelope === 'bare') return { info: 'success', ...(inFieldOrder(response, value) as object) }
  if (envelope === 'data') {
    const data = inFieldOrder(response, value)
    return { info: 'success', data, ...aliasesIn(route, { data }), ...(isFlat && (data as object)) }
  }
  const { data: records, totalCount, pages, ...more } = value as Page<unknown>
  const data = records.map(one => inFieldOrder(response, one))
  const extra = listFields ? (inFieldOrder(listFields, more) as object) : {}
  return { info: 'success', data, totalCount, pages, ...aliasesIn(route, { data, pages }), ...extra }
}

/** Returns a handler's value in the envelope of its route; a raw response only gets the common headers. */
export const successReply = (route: Route, value: unknown, headers: ReplyHeaders): Reply => {
  if (route.envelope === 'raw') {
    const raw = value as Reply
    return { ...raw, headers: { ...headers, ...raw.headers } }
  }
  const reply = json(200, headers, envelopeOf(route, value))
  if (!isTooLarge(reply)) return reply
  throw new Problem('payload_too_large', {
    details: 'The response is too large. Request fewer records with a smaller `pageSize`.',
  })
}

/**
 * Returns the refusal for an error: a Problem as it is, a record too large for the table as 413, a busy table as 503,
 * anything else as 500 without internals.
 */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof TooLarge) {
    return new Problem('payload_too_large', {
      details: 'The record is too large to be stored. Shorten its texts.',
    })
  }
  const busy =
    error instanceof Unavailable ||
    error instanceof TransactionRefused ||
    error instanceof ConditionFailed ||
    (error instanceof Error && error.name === 'TimeoutError')
  return busy
    ? new Problem('temporarily_unavailable', { because: error.message, headers: { 'retry-after': '1' } })
    : new Problem('internal_error')
}

/**
 * Returns the language in a request's `language`, such as `de` or `de_DE`; undefined without a language or for an
 * unsupported language.
 */
const requestedLanguage = (event: RequestEvent): Language | undefined => {
  try {
    const { language } = requestFields(event)
    const [, named] = /^(de|en)\b/i.exec(String(language).replace('_', '-')) ?? []
    return named?.toLowerCase() as Language | undefined
  } catch {
    // The body is invalid, which the refusal reports.
    return undefined
  }
}

/** Returns the `details` of a refusal for a buyer, in the language of the request, else of the merchant. */
const detailsFor = async (problem: Problem, event: RequestEvent): Promise<string> => {
  const { german, message } = problem
  const { session } = event.state
  if (!german || !session) return message
  // A failure of the table must not replace the refusal.
  const language = requestedLanguage(event) ?? (await languageOf(session.merchant).catch(() => 'en'))
  return language === 'de' ? german : message
}

/** Wraps the handler's value, or the refusal of an error, in the contract's envelope. */
export const envelope = (route: Route): Middleware => ({
  after: request => {
    request.response = successReply(route, request.response, request.event.state.headers)
  },
  onError: async request => {
    const { requestId } = request.event.state
    const problem = problemOf(request.error)
    const details = route.forBuyers ? await detailsFor(problem, request.event) : problem.message
    request.response = problemReply(problem, commonHeaders(route, requestId), requestId, details)
  },
})
