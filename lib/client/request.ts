import { type Arrived, ConnectionError, requestIdOf, WeinkontorError } from './errors.ts'
import { unlessAborted } from './repeat.ts'

export type Request = { path: string; url: string; method: 'GET' | 'POST'; headers: Headers; body: string | undefined }

type Fields = Readonly<Record<string, unknown>>

const valueIn = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * The URL of a GET: fields that the path names are in the path, the others in the query string. Throws TypeError if one
 * of the path is missing, or would lead to another path.
 */
export const urlOfGet = (base: string, path: string, fields: Fields): string => {
  const inPath = new Set<string>()
  const filled = path.replace(/\{(\w+)(\+?)\}/g, (_, name: string, isGreedy: string) => {
    if (!isGiven(fields[name])) throw new TypeError(`${path} needs ${name}`)
    inPath.add(name)
    const parts = isGreedy ? String(fields[name]).split('/') : [String(fields[name])]
    if (parts.some(part => part === '.' || part === '..')) throw new TypeError(`${name} of ${path} may not be . or ..`)
    return parts.map(encodeURIComponent).join('/')
  })
  const rest = Object.entries(fields).filter(([name, value]) => !inPath.has(name) && isGiven(value))
  const query = new URLSearchParams(Object.fromEntries(rest.map(([name, value]) => [name, valueIn(value)])))
  return base + filled + (rest.length > 0 ? `?${query}` : '')
}

/** The URL of a path; a URL stays unchanged. */
export const linkTo = (base: string, path: string): string => {
  if (/^https?:\/\//i.test(path)) return path
  return `${base}/${path.replace(/^\/+/, '')}`
}

const parseJson = (text: string): Arrived['body'] => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? ((value ?? undefined) as Arrived['body']) : undefined
  } catch {
    return undefined
  }
}

// The maximum of setTimeout; a longer timeout has no timer.
const maxTimerMs = 2 ** 31 - 1

/** A finished attempt of a request. */
export type Attempt = {
  path: string
  method: 'GET' | 'POST'
  /** The HTTP status; undefined if no answer arrived. */
  status: number | undefined
  /** The duration in milliseconds, including the answer's body. */
  ms: number
  /** The number of the attempt in its call, from 1. */
  attempt: number
  /** The id of the request in the service's log. */
  requestId: string | undefined
}

/** `timeout` is in milliseconds and includes the answer's body; `attempt` counts from 1. */
export type AttemptOptions = { signal: AbortSignal | undefined; timeout: number; attempt: number }

/** The base URL of the service, without a trailing slash. Throws TypeError if it is no http URL. */
export const baseOf = (url: string): string => {
  // new URL accepts localhost:3000, with localhost as its scheme.
  if (!/^https?:\/\//i.test(url)) {
    throw new TypeError(
      `url must begin with http:// or https://, as in http://localhost:3000; it is ${JSON.stringify(url)}`,
    )
  }
  return new URL(url).href.replace(/\/+$/, '')
}

/** Returns a function that sends a request once, and reports the attempt to `onAttempt`. */
export const sender = (fetch: typeof globalThis.fetch, onAttempt?: (attempt: Attempt) => void) => {
  const sendRequest = async (request: Request, signal: AbortSignal): Promise<Arrived> => {
    const { url, method, headers, body } = request
    // The service never redirects; a followed redirect would send the credential elsewhere.
    const init = { method, headers, signal, redirect: 'manual' } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
  }

  /**
   * Returns the body of the answer. Throws WeinkontorError for a refusal, ConnectionError if no answer arrives, and the
   * reason of the caller's signal if that aborts.
   */
  return async (request: Request, { signal, timeout, attempt }: AttemptOptions): Promise<unknown> => {
    signal?.throwIfAborted()
    const { path, method, url } = request
    const began = Date.now()
    const report = (answer?: Arrived): void =>
      onAttempt?.({
        path,
        method,
        status: answer?.status,
        ms: Date.now() - began,
        attempt,
        requestId: answer && requestIdOf(answer),
      })
    const ending = new AbortController()
    const abort = () => ending.abort(signal?.reason)
    const giveUp = () => ending.abort(new Error(`none within ${timeout} ms`))
    const timer = timeout > maxTimerMs ? undefined : setTimeout(giveUp, timeout)
    signal?.addEventListener('abort', abort, { once: true })
    // A custom fetch may ignore the signal.
    const answer = await unlessAborted(sendRequest(request, ending.signal), ending.signal)
      .catch(error => {
        report()
        if (signal?.aborted) throw signal.reason
        throw new ConnectionError(path, new URL(url).host, ending.signal.aborted ? ending.signal.reason : error)
      })
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
    report(answer)
    if (answer.status >= 200 && answer.status < 300 && answer.body) return answer.body
    throw new WeinkontorError(path, answer)
  }
}
