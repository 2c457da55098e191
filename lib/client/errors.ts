import type { ErrorWord } from './routes.ts'

/** One bad field of a request: where, and the rule it breaks; of an item also which goods it is about. */
export type BadField = { path: string; rule: string; expected: string; item_type?: string; item_id?: number }

/** What arrived of an answer: `body` is parsed, undefined unless it is a JSON object. */
export type Arrived = { status: number; headers: Headers; body: Record<string, unknown> | undefined }

// What stands before the service, and answers in its place, may write anything there.
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const secondsIn = (text: string | null): number | undefined => (/^\d+$/.test(text ?? '') ? Number(text) : undefined)

/** What the service, or the gateway before it, calls the request of an answer. */
export const requestIdOf = ({ headers, body }: Arrived): string | undefined =>
  textIn(body?.request_id) ?? headers.get('x-request-id') ?? headers.get('apigw-requestid') ?? undefined

/** The service refused a request, or failed. `message` is for people; decide by `word`. */
export class WeinkontorError extends Error {
  /** The route that was called; `/service/login` when nobody could be signed in. */
  readonly path: string
  /** The HTTP status. */
  readonly status: number
  /** The error word of the contract; undefined when something before the service answered, as its gateway does. */
  readonly word: ErrorWord | undefined
  /** A sentence for people, in English. */
  readonly details: string
  /** Every bad field of the request, 20 at most. */
  readonly fields: readonly BadField[]
  /** What to quote when the answer is reported. */
  readonly requestId: string | undefined
  /** In so many seconds the request may be repeated; undefined where the answer does not say. */
  readonly retryAfter: number | undefined

  constructor(path: string, answer: Arrived) {
    const { status, headers, body = {} } = answer
    const { error, details, message, fields } = body
    const word = textIn(error) as ErrorWord | undefined
    const said = textIn(details) ?? textIn(message) ?? `The answer has the status ${status} and is none of the service.`
    super(`${path}: ${said} (${word ?? status})`)
    this.name = 'WeinkontorError'
    this.path = path
    this.status = status
    this.word = word
    this.details = said
    this.fields = Array.isArray(fields) ? fields : []
    this.requestId = requestIdOf(answer)
    this.retryAfter = secondsIn(headers.get('retry-after'))
  }
}

/** The failure below others: fetch says "fetch failed", and why in its cause. */
const rootOf = (error: unknown): { code: string | undefined; message: string } => {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  if (error.cause instanceof Error) return rootOf(error.cause)
  const code = textIn((error as { code?: unknown }).code)
  // The message of Node mostly has the code, but is empty when several addresses of a host failed.
  return { code, message: error.message || (code ?? error.name) }
}

/** No answer arrived: the network failed, or the time was over. What the request was to do may have been done. */
export class ConnectionError extends Error {
  /** The route that was called. */
  readonly path: string

  /** The host that was asked, with its port. */
  readonly host: string
  /** The system's code of the failure, as ECONNREFUSED; undefined in browsers, which hide it, and after a timeout. */
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

/** Whether the service refused with one of these words; with any, or none, where no word is given. */
export const isError = <Word extends ErrorWord = ErrorWord>(
  error: unknown,
  ...words: readonly Word[]
): error is WeinkontorError & { readonly word: Word } =>
  error instanceof WeinkontorError && (words.length === 0 || words.some(word => word === error.word))
