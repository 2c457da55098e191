import * as v from 'valibot'
import type { BadField } from '../contract/errors.ts'
import { validationProblem } from '../contract/refusal.ts'

type Issue = v.GenericIssue

// Built from the kind of issue only: valibot's own messages contain the received value.
const ruleOf = (issue: Issue): Omit<BadField, 'path'> => {
  const key = issue.path?.at(-1)
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return { rule: 'not_writable', expected: 'left out' }
  if (/^(strict_|loose_)?object/.test(issue.type) && issue.expected?.startsWith('"') && key) {
    return { rule: 'required', expected: 'given' }
  }
  if (issue.type === 'min_value' || issue.type === 'max_value')
    return { rule: issue.type, expected: String(issue.requirement) }
  if (issue.type === 'max_length' || issue.type === 'min_length') {
    return { rule: issue.type === 'max_length' ? 'max_items' : 'min_items', expected: String(issue.requirement) }
  }
  // A variant that is no object at all has the wrong type; any other misses its words.
  if (/^(picklist|literal|variant)$/.test(issue.type) && issue.expected !== 'Object') {
    return { rule: 'one_of', expected: (issue.expected ?? '').replaceAll(/[()"]/g, '').replaceAll(' | ', ', ') }
  }
  if (issue.kind === 'schema') return { rule: 'type', expected: typeName(issue.expected ?? '') }
  const [rule = 'valid', ...expected] = issue.message.split(': ')
  return { rule, expected: expected.join(': ') }
}

const typeName = (expected: string): string =>
  ({ Object: 'an object', Array: 'a list', string: 'text', number: 'a number', boolean: 'true or false' })[expected] ??
  expected

type Nested = { entries?: Readonly<Record<string, Nested>>; wrapped?: Nested }

const nestedAt = (schema: Nested | undefined, keys: readonly unknown[]): Nested | undefined => {
  if (schema?.wrapped) return nestedAt(schema.wrapped, keys)
  return keys.length === 0 ? schema : nestedAt(schema?.entries?.[String(keys[0])], keys.slice(1))
}

const badFields = (schema: Nested, issue: Issue): BadField[] => {
  const field = { path: v.getDotPath(issue) ?? '', ...ruleOf(issue) }
  const above = issue.path?.slice(0, -1).map(({ key }) => key) ?? []
  const entries = field.rule === 'not_writable' && nestedAt(schema, above)?.entries
  if (!entries) return [field]
  // A strict object stops at the first key it does not know; the caller is told of all.
  const unknown = Object.keys(issue.path?.at(-1)?.input as object).filter(key => !Object.hasOwn(entries, key))
  return unknown.map(key => ({ ...field, path: [...above, key].join('.') }))
}

/** What a schema makes of a value. Throws validation_failed or field_not_writable with every bad field. */
export const validate = <S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw validationProblem(result.issues.flatMap(issue => badFields(schema as Nested, issue)))
}
