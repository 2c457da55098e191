import * as v from 'valibot'
import { Category } from '../records/category.ts'
import { route } from '../route.ts'
import {
  CategoryListParameters,
  FilterFields,
  PublicListParameters,
  ServiceListParameters,
  TypeListParameters,
} from '../schema/wine-search.ts'
import { described } from '../schema/wire.ts'
import { AnsweredPublicWine, Named, publicRead, ShownWine } from './wines.ts'

const QrCode = v.strictObject({
  hash: described(v.string(), 'Public name of the wine.'),
  url: described(
    v.string(),
    'URL that the code leads to: the electronic label of the wine if it is published, else its public record.',
  ),
})

/** A wine in a list, with its QR codes if requested: their text and their URL. */
export const ListedWine = v.strictObject({
  ...ShownWine.entries,
  qrcodes: described(v.optional(v.array(QrCode)), 'QR codes of the wine. Present if `qrcodes` was asked for.'),
})

/**
 * The values of the fields in `cluster` over all matches; categories and wineries with their names. With `clusterCounts: 1`
 * also the number of matches by field and value (an id where it has a name); both then ignore the filter of the field
 * itself, as the facets of a shop need it.
 */
const WithClusters = v.object({
  clusters: described(
    v.optional(v.record(v.string(), v.union([v.array(v.union([v.string(), v.number()])), Named]))),
    'Values over all matches, by field. Present if `cluster` was given.',
  ),
  clusterCounts: described(
    v.optional(v.record(v.string(), v.record(v.string(), v.number()))),
    'Number of matches by field and value. Present if `clusterCounts` was asked for.',
  ),
})

const readWines = {
  wine: ['queryIndex', 'batchGet'],
  merchant: ['get'],
  category: ['get', 'query'],
  winery: ['get', 'query'],
  recordsVersion: ['get'],
} as const

/** The common properties of all Service lists of wines; existing clients read them under further names. */
const listWines = {
  client: 'prices',
  level: 'service',
  envelope: 'list',
  permissions: readWines,
  files: ['readSnapshots'],
  memory: 1024,
  aliases: { wines: 'data', pagination: 'pages' },
  listFields: WithClusters,
} as const

// The date when the successor routes were introduced.
const deprecated = Date.UTC(2026, 0, 1) / 1000

export const winesGetAll = route({
  path: '/service/wines/getAll',
  ...listWines,
  body: ServiceListParameters,
  response: ListedWine,
  summary: "Lists the merchant's wines.",
})

export const winesSearch = route({
  path: '/service/wines/search',
  ...listWines,
  body: ServiceListParameters,
  response: ListedWine,
  summary: "Searches the merchant's wines.",
})

export const winesGetByCategory = route({
  path: '/service/wines/getByCategory',
  ...listWines,
  body: CategoryListParameters,
  response: ShownWine,
  deprecated,
  errors: ['missing_identifier'],
  summary: 'Lists the wines of a category. Use getAll with a filter on categoryIds.',
})

export const winesGetByType = route({
  path: '/service/wines/getByType',
  ...listWines,
  body: TypeListParameters,
  response: ShownWine,
  deprecated,
  summary: 'Lists the wines of a type. Use getAll with a filter on type.',
})

export const categoriesGetWines = route({
  path: '/service/categories/getWines',
  ...listWines,
  permissions: listWines.permissions,
  body: CategoryListParameters,
  response: ShownWine,
  errors: ['missing_identifier', 'identifier_conflict'],
  summary: 'Lists the wines of a category; an empty list if there is no such category.',
})

export const categoriesGetWithWines = route({
  path: '/service/categories/getWithWines',
  ...listWines,
  permissions: listWines.permissions,
  body: CategoryListParameters,
  response: ShownWine,
  listFields: v.object({ ...listWines.listFields.entries, category: described(Category, 'The category.') }),
  errors: ['missing_identifier', 'identifier_conflict', 'category_not_found'],
  summary: 'Lists the wines of a category, with the category.',
})

/**
 * The sorted values of each field, at most 2 MB. `cut` names the fields whose values are incomplete.
 */
const FilterValues = v.object({
  data: described(
    v.record(v.string(), v.array(v.union([v.string(), v.number()]))),
    'Sorted distinct values, by field.',
  ),
  cut: described(v.optional(v.array(v.string())), 'Fields of which only the first values are returned.'),
})

const publicList = {
  ...publicRead,
  permissions: { publicWine: ['queryIndex', 'batchGet'], merchant: ['batchGet'] },
  files: ['readSnapshots'],
  memory: 1024,
} as const

export const publicGetAll = route({
  path: '/wines/getAll',
  ...publicList,
  envelope: 'list',
  body: PublicListParameters,
  response: AnsweredPublicWine,
  summary: 'Lists publicly visible wines.',
})

export const publicWinesSearch = route({
  path: '/wines/search',
  ...publicList,
  envelope: 'list',
  body: PublicListParameters,
  response: AnsweredPublicWine,
  summary: 'Searches publicly visible wines.',
})

export const publicGetFilters = route({
  path: '/wines/getFilters',
  ...publicList,
  permissions: { publicWine: ['queryIndex'] },
  envelope: 'bare',
  body: FilterFields,
  response: FilterValues,
  summary: 'Returns the distinct values of fields over publicly visible wines.',
})
