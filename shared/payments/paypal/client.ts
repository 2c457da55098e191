import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { Problem } from '../../contract/errors.ts'
import { log } from '../../platform/log.ts'
import { ProviderRefusal, providerFailure } from '../provider-failure.ts'
import { cappedBody, jsonIn, reasonIn, Token, TooLarge } from './wire.ts'

/** A PayPal app's credentials; `baseUrl` is the origin of its API. */
export type Credentials = { clientId: string; clientSecret: string; baseUrl: string; webhookId?: string }

/** Milliseconds for one call, for all calls of one verb, and the longest pause between two tries. */
export type Limits = { call: number; verb: number; pause: number }

export const paypalLimits: Limits = { call: 5000, verb: 10_500, pause: 250 }

/** `requestId` is PayPal's idempotency key, since a request may be sent more than once. */
export type PayPalCall =
  | { method: 'GET'; path: string }
  | { method: 'POST'; path: string; requestId: string; body: object }

/** `json` is undefined if the body is not JSON. */
export type PayPalResponse = { status: number; json: unknown }

/** Sends one call of a verb. Throws payment_provider_timeout or payment_provider_error if there is no answer. */
export type Ask = (call: PayPalCall) => Promise<PayPalResponse>

type PayPalRequest = { path: string; init: RequestInit }
type AccessToken = { text: string; expires: number }

const tries = 3
// A token that is about to expire could do so in transit.
const expiryMargin = 60_000

/** Why a call may be retried: after a `timeout` it may still take effect. `after` is PayPal's retry-after in milliseconds. */
type Retryable = { again: 'timeout' | 'network' | `status ${number}`; after?: number }

const maxWait = 24 * 3600_000

/** The milliseconds of a Retry-After header, a day at most; undefined if it has none. */
export const waitIn = (header: string | null, now = Date.now()): number | undefined => {
  // Stryker disable next-line ConditionalExpression: Without the check null is read as a date, which it is not:
  // undefined either way.
  if (header === null) return undefined
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), maxWait)
}

// PayPal answers 409 while it still handles an equal request.
const setbackOf = ({ status, headers }: Response): Retryable | undefined => {
  if (status === 409) return { again: 'timeout' }
  if (status !== 429 && status < 500) return undefined
  const after = waitIn(headers.get('retry-after'))
  // Stryker disable next-line ConditionalExpression: A key without a value is read as no key.
  // Stryker disable next-line StringLiteral: Only the log contains it.
  return { again: `status ${status}`, ...(after !== undefined && { after }) }
}

const attempt = async (url: string, init: RequestInit, limit: number): Promise<PayPalResponse | Retryable> => {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(limit) })
    const body = await cappedBody(response)
    return setbackOf(response) ?? { status: response.status, json: jsonIn(body.toString()) }
  } catch (error) {
    // A retry would be as large.
    if (error instanceof TooLarge) return { status: 502, json: undefined }
    // Stryker disable next-line StringLiteral: Only the log distinguishes it from other words that are not timeout.
    return { again: (error as Error).name === 'TimeoutError' ? 'timeout' : 'network' }
  }
}

/** Caches the access token; concurrent callers share one fetch when there is none, or it was refused. */
const tokenSource = (fetchToken: (until: number) => Promise<AccessToken>) => {
  let cached: Promise<AccessToken> | undefined
  return async (until: number, refused?: string): Promise<string> => {
    const waited = cached
    const known = await waited?.catch(() => undefined)
    if (known && known.text !== refused && known.expires > Date.now()) return known.text
    if (cached === waited) cached = fetchToken(until)
    return ((await cached) as AccessToken).text
  }
}

/** Calls PayPal's REST API; `begin` starts the time limit of one verb. Secrets and tokens are never logged. */
export const paypalClient = ({ clientId, clientSecret, baseUrl }: Credentials, limits: Limits) => {
  const send = async ({ path, init }: PayPalRequest, until: number): Promise<PayPalResponse> => {
    let failure: Retryable = { again: 'timeout' }
    for (let n = 1; n <= tries; n++) {
      const left = until - Date.now()
      // A try with hardly any time left would only be another timeout.
      if (left < limits.call / 10) break
      const outcome = await attempt(new URL(path, baseUrl).href, init, Math.min(limits.call, left))
      if ('status' in outcome) return outcome
      failure = outcome
      const wait = outcome.after ?? limits.pause * (0.5 + Math.random() / 2)
      if (n === tries || Date.now() + wait > until - limits.call / 10) break
      await pause(wait)
    }
    const { again, after } = failure
    log.warn('paypal did not answer', { method: init.method, path, failure: again, retry_after: after })
    // An earlier repeat would be throttled again.
    const headers: Record<string, string> =
      after === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(after / 1000))) }
    const word = again === 'timeout' ? 'payment_provider_timeout' : 'payment_provider_error'
    throw new Problem(word, { because: `paypal did not answer: ${again}`, headers })
  }

  const fetchToken = async (until: number): Promise<AccessToken> => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', headers, body: 'grant_type=client_credentials' }
    const { status, json } = await send({ path: '/v1/oauth2/token', init }, until)
    const token = v.safeParse(Token, json)
    if (status !== 200 || !token.success) {
      throw providerFailure('paypal gave no token', { status })
    }
    const { access_token, expires_in } = token.output
    return { text: access_token, expires: Date.now() + expires_in * 1000 - expiryMargin }
  }

  const tokenOf = tokenSource(fetchToken)

  const requestOf = (call: PayPalCall, token: string): PayPalRequest => {
    const { method, path } = call
    const usual = { authorization: `Bearer ${token}`, accept: 'application/json' }
    if (call.method === 'GET') return { path, init: { method, headers: usual } }
    const headers = {
      ...usual,
      'content-type': 'application/json',
      prefer: 'return=representation',
      'paypal-request-id': call.requestId,
    }
    return { path, init: { method, headers, body: JSON.stringify(call.body) } }
  }

  const begin = (): Ask => {
    const until = Date.now() + limits.verb
    return async call => {
      const token = await tokenOf(until)
      const response = await send(requestOf(call, token), until)
      if (response.status !== 401) return response
      return send(requestOf(call, await tokenOf(until, token)), until)
    }
  }
  return { begin }
}

/** Logs PayPal's refusal with its debug id, for its support. Returns what to throw: a ProviderRefusal if it is definite. */
export const refusal = (verb: string, { status, json }: PayPalResponse): Problem => {
  const { name, issue, debugId } = reasonIn(json)
  log.warn('paypal refused', { verb, status, name, issue, debug_id: debugId })
  const isDefinite = status >= 400 && name !== null
  return isDefinite
    ? new ProviderRefusal(issue ?? name)
    : new Problem('payment_provider_error', { because: `paypal said ${status}` })
}
