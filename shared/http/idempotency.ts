import { validationProblem } from '../contract/refusal.ts'

/**
 * The caller's Idempotency-Key, null without one; one of an owner within the merchant, a client or a basket, is another key
 * than the same of anybody else. Throws validation_failed unless it is 1 to 255 printable characters.
 */
export const idempotencyKeyOf = (
  headers: Readonly<Record<string, string | undefined>>,
  owner: string | null | undefined,
): string | null => {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // No key holds a line end, so none is another owner's.
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return owner ? `${owner}\n${key}` : key
  throw validationProblem([{ path: 'Idempotency-Key', rule: 'printable', expected: '1 to 255 printable characters' }])
}
