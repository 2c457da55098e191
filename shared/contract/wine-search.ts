import * as v from 'valibot'
import { scalarFields } from '../wines/search/engine/fields.ts'
import { parseFields, parseFilter } from '../wines/search/engine/filters.ts'
import type { Parsed } from '../wines/search/engine/problem.ts'
import { parseQuery } from '../wines/search/engine/query.ts'
import { parseSortOrder } from '../wines/search/engine/sort-order.ts'
import { Flag, Id, paging } from './wire.ts'

/** A part of the request that the catalogue reads itself; its problems become the schema's, each at its own path. */
const readBy = <T>(parse: (input: unknown, path: string) => Parsed<T>) =>
  v.pipe(
    v.optional(v.unknown()),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const { value, problems } = parse(dataset.value, '')
      if (!problems) return value
      for (const { path, rule, expected } of problems) {
        const key = path.replace(/^\./, '')
        const item = { type: 'unknown', origin: 'value', input: dataset.value, key, value: undefined } as const
        addIssue({ message: `${rule}: ${expected}`, ...(key && { path: [item] }) })
      }
      return NEVER
    }),
  )

const Max = v.nullish(Id)

/** What all lists of wines understand; `max` is a limit when no pageSize is given. */
const common = {
  page: paging.page,
  pageSize: v.nullish(paging.pageSize.wrapped),
  max: Max,
  query: readBy(parseQuery),
  filter: readBy(parseFilter),
  orderBy: readBy(parseSortOrder),
}

/** The parameters of the Service lists. */
export const ServiceSearch = v.object({
  ...common,
  inshop: v.nullish(Flag),
  inwinelist: v.nullish(Flag),
  qrcodes: v.nullish(Flag),
})

/** The parameters of the Public lists. */
export const PublicSearch = v.object({ ...common, winery_id: v.nullish(Id) })

/** The parameters of getFilters: the fields whose values are asked for, as a list or separated by commas. */
export const FilterFields = v.object({
  filter: v.pipe(
    v.unknown(),
    v.transform(input => (typeof input === 'string' ? input.split(',').map(name => name.trim()) : input)),
    readBy(parseFields),
  ),
})

const direction = v.nullish(v.picklist(['ASC', 'DESC', 'asc', 'desc']))

/** The parameters of getByCategory; the interface document spells the direction in two ways. */
export const CategorySearch = v.object({
  ...common,
  id: v.nullish(Id),
  path_segment: v.nullish(v.string()),
  sortBy: v.nullish(v.picklist(scalarFields)),
  sortDirection: direction,
  sortDirectition: direction,
})
