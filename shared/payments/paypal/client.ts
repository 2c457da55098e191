import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { Problem } from '../../contract/errors.ts'
import { log } from '../../platform/log.ts'
import { ProviderRefusal, providerFailure } from '../provider-failure.ts'
import { reasonIn, Token } from './wire.ts'

/** A PayPal app's credentials, the origin of the API they belong to, and the id of the app's webhook, if it has one. */
export type Credentials = { clientId: string; clientSecret: string; baseUrl: string; webhookId?: string }

/** Milliseconds: for one call, for all calls of one verb together, and at most between two tries. */
export type Limits = { call: number; verb: number; pause: number }

/** The limits of the port. */
export const paypalLimits: Limits = { call: 5000, verb: 10_500, pause: 250 }

/** A request that changes something has an id, under which PayPal knows it again: it is sent more than once. */
export type PayPalCall =
  | { method: 'GET'; path: string }
  | { method: 'POST'; path: string; requestId: string; body: object }

/** What PayPal responded; `json` is undefined when the body was no JSON. */
export type PayPalResponse = { status: number; json: unknown }

/** Sends one call of a verb. Throws payment_provider_timeout or payment_provider_error when no answer came of it. */
export type Ask = (call: PayPalCall) => Promise<PayPalResponse>

type PayPalRequest = { path: string; init: RequestInit }
type HeldToken = { text: string; expires: number }

const tries = 3
const maxBody = 64 * 1024
// A token that is about to expire could do so on its way.
const expiryMargin = 60_000

class TooLarge extends Error {}

const cappedText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBody) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Why a try may be made again: `timeout` when the call may still take effect at PayPal. `after` is how long PayPal
 * wants to be left alone, in milliseconds.
 */
type Retryable = { again: 'timeout' | 'network' | `status ${number}`; after?: number }

const longestWait = 24 * 3600_000

/** The wait that a Retry-After header asks for, in milliseconds, up to a day; undefined when it says none. */
export const waitIn = (header: string | null, now = Date.now()): number | undefined => {
  if (header === null) return undefined
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), longestWait)
}

// With a fixed request id, PayPal answers 409 while the first of two equal requests is still at work.
const setbackOf = ({ status, headers }: Response): Retryable | undefined => {
  if (status === 409) return { again: 'timeout' }
  if (status !== 429 && status < 500) return undefined
  const after = waitIn(headers.get('retry-after'))
  return { again: `status ${status}`, ...(after !== undefined && { after }) }
}

const attempt = async (url: string, init: RequestInit, limit: number): Promise<PayPalResponse | Retryable> => {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(limit) })
    const text = await cappedText(response)
    return setbackOf(response) ?? { status: response.status, json: parsed(text) }
  } catch (error) {
    // No retry makes it smaller.
    if (error instanceof TooLarge) return { status: 502, json: undefined }
    return { again: (error as Error).name === 'TimeoutError' ? 'timeout' : 'network' }
  }
}

/** Hands out a token, and fetches one for all who wait when there is none, or the one at hand was refused. */
const tokenSource = (fetchToken: (until: number) => Promise<HeldToken>) => {
  let held: Promise<HeldToken> | undefined
  return async (until: number, refused?: string): Promise<string> => {
    const waited = held
    const known = await waited?.catch(() => undefined)
    if (known && known.text !== refused && known.expires > Date.now()) return known.text
    if (held === waited) held = fetchToken(until)
    return ((await held) as HeldToken).text
  }
}

/** Calls PayPal's REST API; `begin` starts the time of one verb. Secrets and tokens never reach the log. */
export const paypalClient = ({ clientId, clientSecret, baseUrl }: Credentials, limits: Limits) => {
  const send = async ({ path, init }: PayPalRequest, until: number): Promise<PayPalResponse> => {
    let failure: Retryable = { again: 'timeout' }
    for (let n = 1; n <= tries; n++) {
      const left = until - Date.now()
      // A try with hardly any time left would only look like another timeout.
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
    // The caller is told what PayPal told us: an earlier repeat would be turned away again.
    const headers: Record<string, string> =
      after === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(after / 1000))) }
    throw new Problem(again === 'timeout' ? 'payment_provider_timeout' : 'payment_provider_error', { headers })
  }

  const fetchToken = async (until: number): Promise<HeldToken> => {
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

/**
 * Logs a refusal in PayPal's own words, whose debug id its support asks for, and returns what to throw: a
 * ProviderRefusal when PayPal says that it did nothing.
 */
export const refusal = (verb: string, { status, json }: PayPalResponse): Problem => {
  const { name, issue, debugId } = reasonIn(json)
  log.warn('paypal refused', { verb, status, name, issue, debug_id: debugId })
  const isDefinite = status >= 400 && name !== null
  return isDefinite ? new ProviderRefusal(issue ?? name) : new Problem('payment_provider_error')
}
