import * as v from 'valibot'
import { byPlace, listOf, recordName } from './lists.ts'
import { Category } from './records/category.ts'
import { route } from './route.ts'

export const categoriesGetAll = route({
  path: '/service/categories/getAll',
  level: 'service',
  // Shops send their client's token to all routes of categories.
  client: 'prices',
  envelope: 'list',
  aliases: { categories: 'data' },
  permissions: { category: ['query'], imports: ['get'] },
  // The response repeats its records under the alias.
  body: v.object(listOf(['id', 'name', 'path_segment', 'sorting'], byPlace, '1.5 MB')),
  response: Category,
  summary: "Lists the merchant's categories.",
})

export const categoriesGet = route({
  path: '/service/categories/get',
  level: 'service',
  client: 'prices',
  aliases: { category: 'data' },
  permissions: { category: ['get', 'query'], imports: ['get'] },
  body: v.object(recordName),
  response: Category,
  errors: ['missing_identifier', 'identifier_conflict', 'category_not_found'],
  summary: 'Reads one category by id or path_segment.',
})
