import * as v from 'valibot'
import { byPlace, listOf, onlyFields, recordName } from './lists.ts'
import { Product } from './records/product.ts'
import { route } from './route.ts'
import { Flag, text } from './wire.ts'

const fields = ['id', 'name', 'articlenumber', 'gross', 'net', 'topseller', 'sorting', 'crstamp', 'chstamp'] as const

/** Fields that products must have; `tags` names a category that they belong to. */
const Filter = onlyFields({
  active: v.optional(Flag),
  shop: v.optional(Flag),
  public: v.optional(Flag),
  topseller: v.optional(Flag),
  nostock: v.optional(Flag),
  language: v.optional(text(2)),
  articlenumber: v.optional(text()),
  tags: v.optional(onlyFields(recordName)),
})

export type ProductFilter = v.InferOutput<typeof Filter>

export const productsGetAll = route({
  path: '/service/products/getAll',
  level: 'service',
  client: 'prices',
  envelope: 'list',
  permissions: { product: ['query'], category: ['get', 'query'], imports: ['get'] },
  body: v.object({ ...listOf(fields, byPlace), filter: v.optional(Filter, {}) }),
  response: Product,
  errors: ['identifier_conflict'],
  summary: 'Lists what the merchant sells beside wine.',
})

export const productsGet = route({
  path: '/service/products/get',
  level: 'service',
  client: 'prices',
  permissions: { product: ['get', 'query'] },
  body: v.object({ ...recordName, inshop: v.nullish(Flag) }),
  response: Product,
  errors: ['missing_identifier', 'identifier_conflict', 'product_not_found'],
  summary: 'Reads one product by id or path_segment; with inshop only one that its shop sells.',
})
