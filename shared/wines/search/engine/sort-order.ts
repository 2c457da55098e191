import { isScalarField, type ScalarField } from './fields.ts'
import { type Parsed, type Problem, parsed, refused } from './problem.ts'

/** One key of a sort order. */
export type Term = { field: ScalarField; descending: boolean }

/** Sort keys by weight; what they leave equal is ordered by ascending id. */
export type SortOrder = Term[]

/** The order of a list that names none. */
export const defaultSortOrder: SortOrder = [
  { field: 'chstamp', descending: true },
  { field: 'name', descending: false },
]

const maxTerms = 5

/** Reads a caller's `orderBy`: up to five wine fields, each optionally followed by ASC or DESC in any case. */
export const parseSortOrder = (input: unknown, path = 'orderBy'): Parsed<SortOrder> => {
  if (input === undefined || input === null || input === '') return parsed(defaultSortOrder)
  if (typeof input !== 'string') return refused(path, 'type', 'a text')
  const texts = input.split(',', maxTerms + 1)
  if (texts.length > maxTerms) return refused(path, 'max_terms', String(maxTerms))
  const problems: Problem[] = []
  const order: SortOrder = []
  for (const [index, text] of texts.entries()) {
    const term = parseTerm(text)
    if (term) order.push(term)
    else
      problems.push({
        path: `${path}.${index}`,
        rule: 'sort_term',
        expected: 'a wine field, then nothing, ASC or DESC',
      })
  }
  return parsed(order, problems)
}

const parseTerm = (text: string): Term | undefined => {
  const [field = '', direction = 'asc', ...rest] = text.trim().split(/\s+/)
  const way = direction.toLowerCase()
  if (!isScalarField(field) || rest.length > 0 || (way !== 'asc' && way !== 'desc')) return undefined
  return { field, descending: way === 'desc' }
}

/** One text for each order, the same for orders that are the same. */
export const sortOrderKey = (order: SortOrder): string =>
  order.map(({ field, descending }) => (descending ? `${field} desc` : field)).join()
