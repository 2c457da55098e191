import { validationProblem } from '../contract/refusal.ts'

/** The caller's Idempotency-Key, null without one. Throws validation_failed unless it is 1 to 255 printable characters. */
export const idempotencyKeyOf = (headers: Readonly<Record<string, string | undefined>>): string | null => {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw validationProblem([{ path: 'Idempotency-Key', rule: 'printable', expected: '1 to 255 printable characters' }])
}
