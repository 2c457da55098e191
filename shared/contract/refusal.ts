import type * as v from 'valibot'
import { type BadField, Problem, type Rule } from './errors.ts'

const typeNames: Record<string, string> = {
  Object: 'an object',
  Array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  '(string | Array)': 'text or a list',
}

// Valibot's own checks, each of which requires a number, and the rules they stand for.
const bounds: Record<string, string> = {
  min_value: 'min_value',
  max_value: 'max_value',
  min_length: 'min_items',
  max_length: 'max_items',
}

const isRule = (requirement: unknown): requirement is Rule => typeof requirement === 'function' && 'rule' in requirement

/** The rule that an issue is about, read from the schema alone: what was received appears nowhere in it. */
export const brokenRule = ({ kind, type, expected, requirement, path }: v.GenericIssue): Rule => {
  if (isRule(requirement)) return { rule: requirement.rule, expected: requirement.expected }
  const bound = bounds[type]
  if (bound) return { rule: bound, expected: String(requirement) }
  if (type === 'strict_object' && expected === 'never') return { rule: 'not_writable', expected: 'left out' }
  // An object names the key it misses as what it expected.
  if (/^(strict_|loose_)?object$/.test(type) && expected?.startsWith('"') && path)
    return { rule: 'required', expected: 'given' }
  // A variant that is no object at all has the wrong type; any other misses its words.
  if (/^(picklist|literal|variant)$/.test(type) && expected !== 'Object')
    return { rule: 'one_of', expected: (expected ?? '').replaceAll(/[()"]/g, '').replaceAll(' | ', ', ') }
  return kind === 'schema'
    ? { rule: 'type', expected: typeNames[expected ?? ''] ?? expected ?? 'another type' }
    : { rule: type, expected: 'valid' }
}

const phrases: Record<string, (expected: string) => string> = {
  required: () => 'is required',
  not_writable: () => 'cannot be set',
  min_value: expected => `must be at least ${expected}`,
  max_value: expected => `must be at most ${expected}`,
  min_items: expected => `must have at least ${expected} elements`,
  max_items: expected => `must have at most ${expected} elements`,
  max_fields: expected => `must have at most ${expected} fields`,
  max_terms: expected => `must name at most ${expected} fields`,
  max_bytes: expected => `is too long: a record has ${expected}`,
  one_of: expected => `must be one of ${expected}`,
}

const sentence = ({ path, rule, expected }: BadField): string =>
  `${path || 'the body'} ${phrases[rule]?.(expected) ?? `must be ${expected}`}`

/** So many bad fields are listed at most. */
export const mostFields = 20

/** A refusal over bad fields: all of them listed (20 at most), the first one as the sentence. */
export const validationProblem = (fields: readonly BadField[]): Problem => {
  const word = fields.some(({ rule }) => rule === 'not_writable') ? 'field_not_writable' : 'validation_failed'
  const listed = fields.slice(0, mostFields)
  const [first] = listed
  const more = listed.length > 1 ? ` (and ${listed.length - 1} more in fields)` : ''
  return new Problem(word, { ...(first && { details: sentence(first) + more }), fields: listed })
}
