import { type FilterField, filterFields, type IdList, isFilterField, kindOf, type ScalarField } from './fields.ts'
import { isAbsent, isObject, member, type Parsed, type Problem, parsed, refused } from './problem.ts'
import { expectedOf, readKey } from './read.ts'
import type { Scalar } from './values.ts'

/** A field that must have one of some values, given as sort keys; null stands for no value or an empty list. */
export type Condition = { field: ScalarField | IdList; keys: Scalar[] }

/** Conditions that must all hold. */
export type Filter = Condition[]

const maxFilterFields = 20

/** Reads a caller's `filter`: equality by field, a list means any of its values. */
export const parseFilter = (input: unknown, path = 'filter'): Parsed<Filter> => {
  if (isAbsent(input)) return parsed([])
  if (!isObject(input)) return refused(path, 'type', 'an object')
  const entries = Object.entries(input)
  if (entries.length > maxFilterFields) return refused(path, 'max_fields', String(maxFilterFields))
  const conditions = entries.map(([key, value]) => parseCondition(key, value, member(path, key)))
  return parsed(
    conditions.flatMap(condition => condition.value ?? []),
    conditions.flatMap(condition => condition.problems ?? []),
  )
}

const parseCondition = (key: string, value: unknown, path: string): Parsed<Condition> => {
  if (!isFilterField(key)) return refused(path, 'unknown_field', `one of ${filterFields.join(', ')}`)
  const kind = kindOf(key)
  if (!Array.isArray(value)) {
    const only = readKey(kind, value)
    return only === undefined ? refused(path, 'type', expectedOf[kind]) : parsed({ field: key, keys: [only] })
  }
  const keys = value.map(one => readKey(kind, one))
  const bad = keys.indexOf(undefined)
  return bad === -1
    ? parsed({ field: key, keys: keys as Scalar[] })
    : refused(`${path}.${bad}`, 'type', expectedOf[kind])
}

/** Reads the list of fields whose distinct values a caller wants; each field once. */
export const parseFields = (input: unknown, path = 'filter'): Parsed<FilterField[]> => {
  if (!Array.isArray(input)) return refused(path, 'type', 'a list of field names')
  if (input.length > filterFields.length) return refused(path, 'max_fields', String(filterFields.length))
  const problems: Problem[] = []
  const fields = new Set<FilterField>()
  for (const [index, name] of input.entries()) {
    if (typeof name === 'string' && isFilterField(name)) fields.add(name)
    else
      problems.push({ path: `${path}.${index}`, rule: 'unknown_field', expected: `one of ${filterFields.join(', ')}` })
  }
  return parsed([...fields], problems)
}
