import { type BadField, ConnectionError, WeinkontorError } from '../client/index.ts'

/** A refusal of the shop's own. `word` is one of the service's, or one of the shop's that its pages know. */
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

// That the merchant's own credential fails is no matter of the visitor.
const ownWords = /^(token_|credentials_|login_throttled)/

const answer = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })

/** Shows a failure to the pages: `{ error, fields, request_id }`, where `error` is a word that they have a sentence for. */
export const refused = (error: unknown): Response => {
  if (error instanceof Refusal) return answer(error.status, { error: error.word, fields: error.fields })
  if (error instanceof ConnectionError) return answer(503, { error: 'temporarily_unavailable', fields: [] })
  if (!(error instanceof WeinkontorError) || ownWords.test(error.word ?? '')) {
    // Whoever runs the shop must see it; the visitor need not.
    process.stderr.write(`shop: ${error instanceof Error ? error.stack : error}\n`)
    return answer(500, { error: 'internal_error', fields: [] })
  }
  const { status, word = 'internal_error', fields, requestId, retryAfter } = error
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return answer(status, { error: word, fields, request_id: requestId }, headers)
}
