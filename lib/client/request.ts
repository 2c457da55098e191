import { type Arrived, ConnectionError, requestIdOf, WeinkontorError } from './errors.ts'
import { unlessAborted } from './repeat.ts'

/** A request as it is sent, once or more often. */
export type Request = { path: string; url: string; method: 'GET' | 'POST'; headers: Headers; body: string | undefined }

type Fields = Readonly<Record<string, unknown>>

const valueIn = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * The URL of a GET with its fields: those that the path names stand there, the others in the query string. Throws a
 * TypeError when one is missing that the path names, or would lead to another path.
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

/** The path of a link: the records of the service hold paths; what is a whole URL stays one. */
export const linkTo = (base: string, path: string): string => {
  if (/^https?:\/\//i.test(path)) return path
  return `${base}/${path.replace(/^\/+/, '')}`
}

const parsed = (text: string): Arrived['body'] => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? ((value ?? undefined) as Arrived['body']) : undefined
  } catch {
    return undefined
  }
}

// Timers take no longer one; whoever waits for ever has none.
const longestTimer = 2 ** 31 - 1

/** One try of a request, when it is over. */
export type Attempt = {
  path: string
  method: 'GET' | 'POST'
  /** The HTTP status; undefined when no answer arrived. */
  status: number | undefined
  /** How long the try took, in milliseconds, its answer's body included. */
  ms: number
  /** 1 for the first try of a call. */
  attempt: number
  /** What the service calls this request in its log. */
  requestId: string | undefined
}

/** How one try is made: `timeout` in milliseconds, its answer's body included; `attempt` counts from 1. */
export type Try = { signal: AbortSignal | undefined; timeout: number; attempt: number }

/** The base URL of the service, without a slash at its end. Throws a TypeError when it is no http URL. */
export const baseOf = (url: string): string => {
  // new URL takes localhost:3000 for a scheme named localhost.
  if (!/^https?:\/\//i.test(url)) {
    throw new TypeError(
      `url must begin with http:// or https://, as in http://localhost:3000; it is ${JSON.stringify(url)}`,
    )
  }
  return new URL(url).href.replace(/\/+$/, '')
}

/** Sends requests by `fetch`, and tells `onAttempt` of each try. */
export const sender = (fetch: typeof globalThis.fetch, onAttempt?: (attempt: Attempt) => void) => {
  const arrived = async (request: Request, signal: AbortSignal): Promise<Arrived> => {
    const { url, method, headers, body } = request
    // The service leads nowhere else. Whoever does would be sent the credential, in a body that fetch sends along.
    const init = { method, headers, signal, redirect: 'manual' } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
  }

  /**
   * The body of the answer. Throws WeinkontorError for a refusal, ConnectionError when no answer arrives, and the reason
   * of the caller's signal when that aborts.
   */
  return async (request: Request, { signal, timeout, attempt }: Try): Promise<unknown> => {
    signal?.throwIfAborted()
    const { path, method, url } = request
    const began = Date.now()
    const tell = (answer?: Arrived): void =>
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
    const timer = timeout > longestTimer ? undefined : setTimeout(giveUp, timeout)
    signal?.addEventListener('abort', abort, { once: true })
    // A fetch of the caller's may not heed the signal.
    const answer = await unlessAborted(arrived(request, ending.signal), ending.signal)
      .catch(error => {
        tell()
        if (signal?.aborted) throw signal.reason
        throw new ConnectionError(path, new URL(url).host, ending.signal.aborted ? ending.signal.reason : error)
      })
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
    tell(answer)
    if (answer.status >= 200 && answer.status < 300 && answer.body) return answer.body
    throw new WeinkontorError(path, answer)
  }
}
