import * as v from 'valibot'
import { wineTypes } from '../labels/labels.ts'
import { filterFields, scalarFields } from '../records/wine-fields.ts'
import { max } from './lists.ts'
import {
  FieldNames,
  maxFields,
  optional,
  PublicOrder,
  SearchFilter,
  SearchOrder,
  SearchQuery,
} from './wine-parameters.ts'
import { described, documented, Flag, Id, inshop, optionalPageSize, paging, requirement, scalar } from './wire.ts'

/** The fields whose values over all matches a list may include. */
const clusterFields = [...filterFields, 'categories', 'winery'] as const
export type ClusterField = (typeof clusterFields)[number]

const isClusterField = (name: unknown): name is ClusterField => clusterFields.some(field => field === name)

/** The fields of `cluster` without duplicates; unknown names are ignored. */
const Clusters = v.pipe(
  optional<unknown[]>(
    scalar(
      'type',
      'a list of field names',
      input => {
        if (typeof input === 'string') return input.split(',').map(name => name.trim())
        return Array.isArray(input) ? input : undefined
      },
      {
        input: {
          type: ['string', 'array'],
          items: {},
        },
      },
    ),
  ),
  v.transform(names => [...new Set((names ?? []).filter(isClusterField))]),
)

/** The parameters for values over all matches and their counts. */
const clusters = {
  cluster: described(
    Clusters,
    `Fields whose values over all matches are returned as \`clusters\`: ${clusterFields.join(', ')}; a list, or a text separated by commas.`,
  ),
  clusterCounts: described(v.nullish(Flag), 'True also returns the number of matches of each value.'),
}

const pageSize = optionalPageSize('Without it a page has `max` wines, 100 at most, or 16. A page has at most 1.5 MB.')
const pageSizeOfWhole = optionalPageSize('Without it the response has all wines, at most `max` and 1.5 MB.')

/** The common parameters of all lists of wines; `max` is the limit if there is no pageSize. */
const common = {
  ...paging,
  pageSize,
  max,
  query: described(
    SearchQuery,
    'Text that any searchable field contains, or an object of texts by field, in either case.',
  ),
  filter: described(SearchFilter, 'Values that the wines must have, by field; a list means any of its values.'),
  orderBy: SearchOrder,
}

/** The parameters of the Service lists. */
export const ServiceListParameters = v.object({
  ...common,
  ...clusters,
  inshop,
  inwinelist: described(v.nullish(Flag), 'True returns only wines that are active and public.'),
  qrcodes: described(v.nullish(Flag), 'True also returns the QR codes of each wine.'),
})

/** The parameters of the Public lists. */
export const PublicListParameters = v.object({
  ...common,
  orderBy: PublicOrder,
  winery_id: described(v.nullish(Id), 'Only wines of this winery.'),
})

const splitNames = (input: unknown): unknown =>
  typeof input === 'string' ? input.split(',', maxFields + 1).map(name => name.trim()) : input

/** The parameters of getFilters; the names of the fields may also be separated by commas. */
export const FilterFields = v.object({
  filter: described(
    v.pipe(v.unknown(), v.transform(splitNames), FieldNames, documented({ anyOf: [FieldNames, v.string()] })),
    'Names of the fields; a list, or a text separated by commas.',
  ),
})

const direction = v.nullish(v.picklist(['ASC', 'DESC', 'asc', 'desc']))

type Direction = v.InferOutput<typeof direction>

const isOneDirection = (given: { sortDirection?: Direction; sortDirectition?: Direction }): boolean =>
  !given.sortDirection ||
  !given.sortDirectition ||
  given.sortDirection.toUpperCase() === given.sortDirectition.toUpperCase()

/** The parameters of getByType. */
export const TypeListParameters = v.object({
  type: described(v.picklist(wineTypes), 'Type of the wines.'),
  ...paging,
  pageSize: pageSizeOfWhole,
  max,
  ...clusters,
  inshop,
})

/** The parameters of getByCategory; the original interface spells the direction in two ways. */
export const CategoryListParameters = v.pipe(
  v.object({
    ...common,
    pageSize: pageSizeOfWhole,
    ...clusters,
    inshop,
    id: described(v.nullish(Id), 'Id of the category; `id` or `path_segment` must be given.'),
    path_segment: described(v.nullish(v.string()), 'Name of the category in URLs.'),
    sortBy: described(v.nullish(v.picklist(scalarFields)), 'Field to sort by.'),
    sortDirection: described(direction, 'Direction of `sortBy`; `ASC` if left out.'),
    sortDirectition: described(direction, 'Another spelling of `sortDirection`, for existing clients.'),
  }),
  v.forward(
    v.partialCheck(
      [['sortDirection'], ['sortDirectition']],
      requirement('same', 'the same as sortDirection, or left out', isOneDirection),
    ),
    ['sortDirectition'],
  ),
)
