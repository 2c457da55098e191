import { type BadField, ConnectionError, WeinkontorError } from '../client/index.ts'

/** A refusal of the shop itself. `word` is an error word that the pages have a sentence for. */
export class Refusal extends Error {
  readonly status: number
  readonly word: string
  readonly fields: readonly BadField[]

  constructor(status: number, word: string, fields: readonly BadField[] = []) {
    super(word)
    this.status = status
    this.word = word
    this.fields = fields
  }
}

// A failure of the merchant's own credential does not concern the visitor.
const credentialErrors = /^(token_|credentials_|login_throttled)/

/** A JSON response, which no cache may store. */
export const jsonResponse = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })

/** The response to a failed request: `{ error, fields, request_id }`. Logs errors of the shop itself. */
export const errorResponse = (error: unknown): Response => {
  if (error instanceof Refusal) return jsonResponse(error.status, { error: error.word, fields: error.fields })
  if (error instanceof ConnectionError) return jsonResponse(503, { error: 'temporarily_unavailable', fields: [] })
  if (!(error instanceof WeinkontorError) || credentialErrors.test(error.word ?? '')) {
    process.stderr.write(`shop: ${error instanceof Error ? error.stack : error}\n`)
    return jsonResponse(500, { error: 'internal_error', fields: [] })
  }
  const { status, word = 'internal_error', fields, requestId, retryAfter } = error
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonResponse(status, { error: word, fields, request_id: requestId }, headers)
}
