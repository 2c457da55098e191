import * as v from 'valibot'
import { byPlace, listOf, onlyFields, recordName } from './lists.ts'
import { Product, productFields } from './records/product.ts'
import { route } from './route.ts'
import { described, Flag, inshop, text } from './wire.ts'

const fields = ['id', 'name', 'articlenumber', 'gross', 'net', 'topseller', 'sorting', 'crstamp', 'chstamp'] as const

const like = <Schema extends v.GenericSchema>(name: keyof typeof productFields, schema: Schema) =>
  described(v.optional(schema), productFields[name].description)

/** The filter of products; `tags` names a category. */
const Filter = onlyFields({
  active: like('active', Flag),
  shop: like('shop', Flag),
  public: like('public', Flag),
  topseller: like('topseller', Flag),
  nostock: like('nostock', Flag),
  language: like('language', text(2)),
  articlenumber: like('articlenumber', text()),
  tags: described(v.optional(onlyFields(recordName)), 'A category that the products are in, by id or path_segment.'),
})

export type ProductFilter = v.InferOutput<typeof Filter>

export const productsGetAll = route({
  path: '/service/products/getAll',
  level: 'service',
  client: 'prices',
  envelope: 'list',
  permissions: { product: ['query'], category: ['get', 'query'], imports: ['get'] },
  body: v.object({
    ...listOf(fields, byPlace),
    filter: described(v.optional(Filter, {}), 'Values that the products must have, by field.'),
  }),
  response: Product,
  errors: ['identifier_conflict'],
  summary: "Lists the merchant's products: articles other than wine.",
})

export const productsGet = route({
  path: '/service/products/get',
  level: 'service',
  client: 'prices',
  permissions: { product: ['get', 'query'] },
  body: v.object({ ...recordName, inshop }),
  response: Product,
  errors: ['missing_identifier', 'identifier_conflict', 'product_not_found'],
  summary: 'Reads one product by id or path_segment; with inshop only one that its shop sells.',
})
