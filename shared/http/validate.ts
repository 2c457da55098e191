import * as v from 'valibot'
import type { BadField } from '../contract/errors.ts'
import { brokenRule, validationProblem } from '../contract/refusal.ts'

type Nested = { entries?: Readonly<Record<string, Nested>>; wrapped?: Nested }

const nestedAt = (schema: Nested | undefined, keys: readonly unknown[]): Nested | undefined => {
  if (schema?.wrapped) return nestedAt(schema.wrapped, keys)
  return keys.length === 0 ? schema : nestedAt(schema?.entries?.[String(keys[0])], keys.slice(1))
}

const badFields = (schema: Nested, issue: v.GenericIssue): BadField[] => {
  const field = { path: v.getDotPath(issue) ?? '', ...brokenRule(issue) }
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
