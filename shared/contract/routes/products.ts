import * as v from 'valibot'
import { NewProduct, Product, ProductChange, productFields } from '../records/product.ts'
import { keyHeaders, route } from '../route.ts'
import { byPlace, onlyFields, recordName, wholeListParameters } from '../schema/lists.ts'
import { described, Flag, Id, inshop, text } from '../schema/wire.ts'

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
  permissions: { product: ['query'], merchant: ['get'], category: ['get', 'query'], recordsVersion: ['get'] },
  body: v.object({
    ...wholeListParameters(fields, byPlace),
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
  permissions: { product: ['get', 'query'], merchant: ['get'] },
  body: v.object({ ...recordName, inshop }),
  response: Product,
  errors: ['missing_identifier', 'identifier_conflict', 'product_not_found'],
  summary: 'Reads one product by id or path_segment; with inshop only one that its shop sells.',
})

const writeProduct = {
  product: ['get', 'batchGet', 'query', 'put'],
  merchant: ['get', 'batchGet'],
  category: ['batchGet'],
  priceRange: ['get', 'batchGet'],
  recordsVersion: ['get', 'put'],
} as const

export const productsAdd = route({
  path: '/service/products/add',
  level: 'service',
  role: 'desk',
  permissions: { ...writeProduct, idempotency: ['get', 'put'], quota: ['get'] },
  repeat: 'with key',
  headers: keyHeaders,
  body: v.object({ data: described(NewProduct, 'The new product, with `gross` or `net`.') }),
  response: Product,
  errors: ['reference_not_found', 'price_inconsistent', 'slug_taken', 'idempotency_key_reused'],
  summary: 'Adds a product. Its stock is not counted until `stocks/add` sets it.',
})

export const productsEdit = route({
  path: '/service/products/edit',
  level: 'service',
  role: 'desk',
  permissions: writeProduct,
  // The same fields again are the same product.
  repeat: 'safe',
  body: v.object({
    id: described(Id, 'Id of the product.'),
    data: described(ProductChange, 'Fields to change; the others stay as they are.'),
  }),
  response: Product,
  errors: ['product_not_found', 'nothing_to_change', 'reference_not_found', 'price_inconsistent', 'slug_taken'],
  summary: 'Changes the given fields of a product; its path_segment stays if its name changes.',
})
