import * as v from 'valibot'
import { Category, CategoryChange, NewCategory } from '../records/category.ts'
import { keyHeaders, route } from '../route.ts'
import { byPlace, recordName, wholeListParameters } from '../schema/lists.ts'
import { described, Id } from '../schema/wire.ts'

export const categoriesGetAll = route({
  path: '/service/categories/getAll',
  level: 'service',
  // Shops send their client's token to all routes of categories.
  client: 'prices',
  envelope: 'list',
  aliases: { categories: 'data' },
  permissions: { category: ['get', 'query'], recordsVersion: ['get'] },
  // The response repeats its records under the alias.
  body: v.object(wholeListParameters(['id', 'name', 'path_segment', 'sorting'], byPlace, '1.5 MB')),
  response: Category,
  summary: "Lists the merchant's categories.",
})

export const categoriesGet = route({
  path: '/service/categories/get',
  level: 'service',
  client: 'prices',
  aliases: { category: 'data' },
  permissions: { category: ['get', 'query'], recordsVersion: ['get'] },
  body: v.object(recordName),
  response: Category,
  errors: ['missing_identifier', 'identifier_conflict', 'category_not_found'],
  summary: 'Reads one category by id or path_segment.',
})

const writeCategory = { category: ['get', 'query', 'put'], recordsVersion: ['get', 'put'] } as const

export const categoriesAdd = route({
  path: '/service/categories/add',
  level: 'service',
  role: 'desk',
  permissions: { ...writeCategory, idempotency: ['get', 'put'], quota: ['get'] },
  repeat: 'with key',
  headers: keyHeaders,
  body: v.object({ data: described(NewCategory, 'The new category.') }),
  response: Category,
  errors: ['name_taken', 'slug_taken', 'idempotency_key_reused'],
  summary: 'Adds a category.',
})

export const categoriesEdit = route({
  path: '/service/categories/edit',
  level: 'service',
  role: 'desk',
  permissions: writeCategory,
  // The same fields again are the same category.
  repeat: 'safe',
  body: v.object({
    id: described(Id, 'Id of the category.'),
    data: described(CategoryChange, 'Fields to change; the others stay as they are.'),
  }),
  response: Category,
  errors: ['category_not_found', 'nothing_to_change', 'name_taken', 'slug_taken'],
  summary:
    'Changes the given fields of a category. Wines and products refer to it by its id, and show a new name at once; its path_segment stays.',
})
