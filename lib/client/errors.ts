import type { ErrorWord } from './routes.ts'

/** A bad field of a request, the rule that it breaks and, for an item of an order, the goods. */
export type BadField = { path: string; rule: string; expected: string; item_type?: string; item_id?: number }

/** A received answer; `body` is undefined unless it is a JSON object. */
export type Arrived = { status: number; headers: Headers; body: Record<string, unknown> | undefined }

// A gateway or proxy that answers instead of the service may send anything.
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const secondsIn = (text: string | null): number | undefined => (/^\d+$/.test(text ?? '') ? Number(text) : undefined)

/** The request id that the service, or its gateway, gave. */
export const requestIdOf = ({ headers, body }: Arrived): string | undefined =>
  textIn(body?.request_id) ?? headers.get('x-request-id') ?? headers.get('apigw-requestid') ?? undefined

/** The service refused a request or failed. `message` is for people; branch on `word`. */
export class WeinkontorError extends Error {
  /** The route that was called; `/service/login` if the sign-in failed. */
  readonly path: string
  readonly status: number
  /** The error word of the contract; undefined if a gateway answered instead of the service. */
  readonly word: ErrorWord | undefined
  /** A sentence for people, in English. */
  readonly details: string
  /** The bad fields of the request, 20 at most. */
  readonly fields: readonly BadField[]
  /** Quote it when you report the error. */
  readonly requestId: string | undefined
  /** Seconds after which the request may be repeated; undefined without a Retry-After. */
  readonly retryAfter: number | undefined

  constructor(path: string, answer: Arrived) {
    const { status, headers, body = {} } = answer
    const { error, details, message, fields } = body
    const word = textIn(error) as ErrorWord | undefined
    const text = textIn(details) ?? textIn(message) ?? `The answer has the status ${status} and is none of the service.`
    super(`${path}: ${text} (${word ?? status})`)
    this.name = 'WeinkontorError'
    this.path = path
    this.status = status
    this.word = word
    this.details = text
    this.fields = Array.isArray(fields) ? fields : []
    this.requestId = requestIdOf(answer)
    this.retryAfter = secondsIn(headers.get('retry-after'))
  }
}

/** The innermost cause: the error of fetch itself is only "fetch failed". */
const rootOf = (error: unknown): { code: string | undefined; message: string } => {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  if (error.cause instanceof Error) return rootOf(error.cause)
  const code = textIn((error as { code?: unknown }).code)
  // Node's message mostly contains the code, but is empty if several addresses of a host failed.
  return { code, message: error.message || (code ?? error.name) }
}

/** No answer arrived, because of the network or the timeout. The service may have carried out the request. */
export class ConnectionError extends Error {
  /** The route that was called. */
  readonly path: string
  /** The host with its port. */
  readonly host: string
  /** The system's error code, such as ECONNREFUSED; undefined in browsers and after a timeout. */
  readonly code: string | undefined

  constructor(path: string, host: string, cause: unknown) {
    const { code, message } = rootOf(cause)
    super(`${path}: no answer from ${host} (${message})`, { cause })
    this.name = 'ConnectionError'
    this.path = path
    this.host = host
    this.code = code
  }
}

/** True if the error is a WeinkontorError with any of these words, or any WeinkontorError if no word is given. */
export const isError = <Word extends ErrorWord = ErrorWord>(
  error: unknown,
  ...words: readonly Word[]
): error is WeinkontorError & { readonly word: Word } =>
  error instanceof WeinkontorError && (words.length === 0 || words.some(word => word === error.word))
