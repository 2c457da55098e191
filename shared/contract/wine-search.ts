import * as v from 'valibot'
import { wineTypes } from './labels.ts'
import { filterFields, scalarFields } from './records/wine-fields.ts'
import {
  FieldNames,
  maxFields,
  optional,
  PublicOrder,
  SearchFilter,
  SearchOrder,
  SearchQuery,
} from './wine-parameters.ts'
import { documented, Flag, Id, paging, requirement, scalar } from './wire.ts'

/** Fields whose values over all matches a list may bring along. */
const clusterFields = [...filterFields, 'categories', 'winery'] as const
export type ClusterField = (typeof clusterFields)[number]

const isClusterField = (name: unknown): name is ClusterField => clusterFields.some(field => field === name)

/** The fields of `cluster`, each once; what is no such field is left out. */
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
        takes: {
          type: ['string', 'array'],
          items: {},
          description: `some of ${clusterFields.join(', ')}; as text separated by commas`,
        },
      },
    ),
  ),
  v.transform(names => [...new Set((names ?? []).filter(isClusterField))]),
)

/** What the Service lists tell of fields besides: their values over all matches, and how many matches have each. */
const clusters = { cluster: Clusters, clusterCounts: v.nullish(Flag) }

/** What all lists of wines understand; `max` is a limit when no pageSize is given. */
const common = {
  page: paging.page,
  pageSize: v.nullish(paging.pageSize.wrapped),
  start: paging.start,
  short: paging.short,
  max: v.nullish(Id),
  query: SearchQuery,
  filter: SearchFilter,
  orderBy: SearchOrder,
}

/** The parameters of the Service lists. */
export const ServiceSearch = v.object({
  ...common,
  ...clusters,
  inshop: v.nullish(Flag),
  inwinelist: v.nullish(Flag),
  qrcodes: v.nullish(Flag),
})

/** The parameters of the Public lists. */
export const PublicSearch = v.object({ ...common, orderBy: PublicOrder, winery_id: v.nullish(Id) })

const splitNames = (input: unknown): unknown =>
  typeof input === 'string' ? input.split(',', maxFields + 1).map(name => name.trim()) : input

/** The parameters of getFilters; the names of the fields may also be separated by commas. */
export const FilterFields = v.object({
  filter: v.pipe(v.unknown(), v.transform(splitNames), FieldNames, documented({ anyOf: [FieldNames, v.string()] })),
})

const direction = v.nullish(v.picklist(['ASC', 'DESC', 'asc', 'desc']))

type Direction = v.InferOutput<typeof direction>

const isOneDirection = (given: { sortDirection?: Direction; sortDirectition?: Direction }): boolean =>
  !given.sortDirection ||
  !given.sortDirectition ||
  given.sortDirection.toUpperCase() === given.sortDirectition.toUpperCase()

/** The parameters of getByType. */
export const TypeSearch = v.object({
  type: v.picklist(wineTypes),
  page: paging.page,
  pageSize: v.nullish(paging.pageSize.wrapped),
  start: paging.start,
  max: v.nullish(Id),
  short: paging.short,
  ...clusters,
  inshop: v.nullish(Flag),
})

/** The parameters of getByCategory; the interface document spells the direction in two ways. */
export const CategorySearch = v.pipe(
  v.object({
    ...common,
    ...clusters,
    inshop: v.nullish(Flag),
    id: v.nullish(Id),
    path_segment: v.nullish(v.string()),
    sortBy: v.nullish(v.picklist(scalarFields)),
    sortDirection: direction,
    sortDirectition: direction,
  }),
  v.forward(
    v.partialCheck(
      [['sortDirection'], ['sortDirectition']],
      requirement('same', 'the same as sortDirection, or left out', isOneDirection),
    ),
    ['sortDirectition'],
  ),
)
