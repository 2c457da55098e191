import { type BadField, Problem } from './errors.ts'

const phrases: Record<string, (expected: string) => string> = {
  required: () => 'is required',
  not_writable: () => 'cannot be set',
  min_value: expected => `must be at least ${expected}`,
  max_value: expected => `must be at most ${expected}`,
  min_items: expected => `must have at least ${expected} elements`,
  max_items: expected => `must have at most ${expected} elements`,
  one_of: expected => `must be one of ${expected}`,
}

const sentence = ({ path, rule, expected }: BadField): string =>
  `${path || 'the body'} ${phrases[rule]?.(expected) ?? `must be ${expected}`}`

/** A refusal over bad fields: all of them listed (20 at most), the first one as the sentence. */
export const validationProblem = (fields: readonly BadField[]): Problem => {
  const word = fields.some(({ rule }) => rule === 'not_writable') ? 'field_not_writable' : 'validation_failed'
  const listed = fields.slice(0, 20)
  const [first] = listed
  const more = listed.length > 1 ? ` (and ${listed.length - 1} more in fields)` : ''
  return new Problem(word, { ...(first && { details: sentence(first) + more }), fields: listed })
}
