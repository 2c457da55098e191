import * as v from 'valibot'
import { brokenRule } from '../../shared/contract/errors.ts'
import { FieldNames, SearchFilter, SearchOrder, SearchQuery } from '../../shared/contract/schema/wine-parameters.ts'

/** The parsed value, or the rules that the input breaks, each at its path. */
type Parsed<T> =
  | { value: T; problems?: undefined }
  | { value?: undefined; problems: { path: string; rule: string; expected: string }[] }

const parsing =
  <T>(name: string, schema: v.GenericSchema<unknown, T>) =>
  (input?: unknown): Parsed<T> => {
    const { success, output, issues } = v.safeParse(v.object({ [name]: schema }), { [name]: input })
    if (success) return { value: output[name] as T }
    return { problems: issues.map(issue => ({ path: v.getDotPath(issue) ?? '', ...brokenRule(issue) })) }
  }

export const parseQuery = parsing('query', SearchQuery)
export const parseFilter = parsing('filter', SearchFilter)
export const parseFields = parsing('filter', FieldNames)
export const parseSortOrder = parsing('orderBy', SearchOrder)
