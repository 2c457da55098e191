import * as v from 'valibot'
import { documented, must, scalar } from './wire.ts'

/** One key of a sort order. */
export type SortTerm<Field extends string> = { field: Field; descending: boolean }

const maxTerms = 5

const splitTerms = (input: unknown): unknown[] | undefined =>
  typeof input === 'string' ? input.split(',', maxTerms + 1) : undefined

const isOneOf = <Field extends string>(fields: readonly Field[], word: string): word is Field =>
  fields.some(field => field === word)

const termIn =
  <Field extends string>(fields: readonly Field[]) =>
  (input: unknown): SortTerm<Field> | undefined => {
    const [field = '', direction = 'asc', ...rest] = String(input).trim().split(/\s+/, 3)
    const way = direction.toLowerCase()
    if (!isOneOf(fields, field) || rest.length > 0 || (way !== 'asc' && way !== 'desc')) return undefined
    return { field, descending: way === 'desc' }
  }

const isNothing = (input: unknown): boolean => input === null || input === ''

/** Whether no field is named in both directions. */
const isOneWay = (terms: readonly SortTerm<string>[]): boolean =>
  terms.every(({ field, descending }) => terms.every(one => one.field !== field || one.descending === descending))

/** The keyword of the document that lists the fields of an `orderBy`. */
export const sortFieldsKeyword = 'x-sort-fields'

/**
 * A caller's `orderBy`: up to five of `fields`, each optionally followed by ASC or DESC in any case; `usual` where it is left
 * out. `what` names the fields in a refusal, as in "a wine field".
 */
export const sortOrder = <Field extends string>(
  fields: readonly Field[],
  what: string,
  usual: readonly SortTerm<Field>[],
) => {
  const terms = v.pipe(
    scalar('type', 'a text', splitTerms, {
      takes: {
        type: 'string',
        description: `${what}, then nothing, ASC or DESC; up to ${maxTerms}, separated by commas`,
        [sortFieldsKeyword]: [...fields],
      },
    }),
    must<unknown[]>('max_terms', String(maxTerms), all => all.length <= maxTerms, {}),
    v.array(scalar('sort_term', `${what}, then nothing, ASC or DESC`, termIn(fields), { takes: { type: 'string' } })),
    must<SortTerm<Field>[]>('one_direction', 'a list that names no field in both directions', isOneWay, {}),
  )
  return v.pipe(
    v.optional(v.unknown(), null),
    v.transform(input => (isNothing(input) ? undefined : input)),
    v.optional(terms),
    v.transform(order => order ?? [...usual]),
    documented({ also: ['', null] }),
  )
}
